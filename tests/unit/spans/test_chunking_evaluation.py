"""Real questions with the exact place of every excerpt: spans/chunking-evaluation, 790 excerpts of 472 questions.

Counted apart from irbridge: 693 of the excerpts stand verbatim once in their document, 97 several times; all 790 stand at
the documented place to the letter; 217 of them have white space at an end.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from irbridge.identity import STRIPPED
from irbridge.model import Document, Judgment
from irbridge.spans import anchored, projected


class Excerpts(NamedTuple):
    texts: dict[str, str]
    labels: list[Judgment]
    places: list[tuple[int, int]]

    @property
    def documents(self) -> list[Document]:
        return [Document(name, text) for name, text in self.texts.items()]


@pytest.fixture(scope="module")
def excerpts(shared: Path) -> Excerpts:
    folder = shared / "data" / "spans" / "chunking-evaluation"
    texts = {path.stem: path.read_bytes().decode() for path in sorted((folder / "corpora").glob("*.md"))}
    found = Excerpts(texts, [], [])
    with open(folder / "questions_df.csv", newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            for each in json.loads(row["references"]):
                found.labels.append(Judgment(f"q{number}", row["corpus_id"], 1, chunk_text=each["content"]))
                found.places.append((each["start_index"], each["end_index"]))
    assert len(found.labels) == 790
    return found


def test_every_unique_quote_is_anchored_where_it_was_taken_from(excerpts: Excerpts) -> None:
    found = anchored(excerpts.labels, excerpts.documents)
    assert (found.anchored, found.spans) == (693, 693)
    assert Counter(each.why.code for each in found.left) == {"several": 97}
    stayed = {each.number for each in found.left}
    for number, label in found.rows:
        start, end = excerpts.places[number]
        text = excerpts.texts[label.doc_uri]
        assert (text.count(text[start:end]) > 1) == (number in stayed)
        if number not in stayed:
            # White space at the ends is no part of a quote.
            start += len(text[start:end]) - len(text[start:end].lstrip(STRIPPED))
            end -= len(text[start:end]) - len(text[start:end].rstrip(STRIPPED))
            assert label.extra["span"] == {"start": start, "end": end}


@pytest.fixture(scope="module")
def spans(excerpts: Excerpts) -> list[Judgment]:
    """All 790 as span labels: the documented places, borne out by the quotes."""
    claimed = [
        label._replace(extra={"span": {"start": start, "end": end}})
        for label, (start, end) in zip(excerpts.labels, excerpts.places, strict=True)
    ]
    found = anchored(claimed, excerpts.documents)
    assert (found.anchored, found.left) == (790, [])
    return found.labels


@pytest.mark.parametrize("chunker", ["recursive/512/64", "fixed/400/200", "sentence/3"])
def test_a_chunk_has_a_label_if_it_holds_an_excerpt(excerpts: Excerpts, spans: list[Judgment], chunker: str) -> None:
    from irbridge.chunking import chunker as bound
    from irbridge.corpora import cut

    chunks = list(cut(excerpts.documents, bound(chunker)))
    expected = {
        (label.query_id, chunk.chunk_id)
        for label in spans
        for chunk in chunks
        if chunk.doc_uri == label.doc_uri
        and chunk.start is not None
        and chunk.end is not None
        and chunk.start <= label.extra["span"]["start"]
        and label.extra["span"]["end"] <= chunk.end
    }
    found = projected(spans, excerpts.documents, chunker)
    chunk_labels = [label for label in found.labels if label.chunk_id is not None]
    assert {(label.query_id, label.chunk_id) for label in chunk_labels} == expected
    assert len(chunk_labels) == len(expected) == found.chunks
    assert found.projected + len(found.left) == 790
    texts = {chunk.chunk_id: chunk.text or "" for chunk in chunks}
    assert all((label.chunk_text or "") in texts[label.chunk_id or ""] for label in chunk_labels)


def test_whole_documents_give_document_labels(excerpts: Excerpts, spans: list[Judgment]) -> None:
    found = projected(spans, excerpts.documents, "whole/1")
    pairs = sorted((label.query_id, label.doc_uri) for label in found.labels)
    assert pairs == sorted({(label.query_id, label.doc_uri) for label in excerpts.labels})
    assert len(pairs) == 472
