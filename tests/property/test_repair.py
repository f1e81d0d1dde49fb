"""Laws of repair, on labels and corpora of every shape: it brings no error in, has nothing to do a second time, and can be undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.corpora import corpus_of
from irbridge.drift import rewriting, workflow
from irbridge.formats.judgments import write
from irbridge.identity import normalize
from irbridge.inputs import Input
from irbridge.judgments.validation import validate
from irbridge.model import Chunk, Judgment

# Few texts, documents and ids, so that they meet: equal texts, texts inside texts, texts in other documents.
TEXTS = ["a b", "a b c", "c", "a", "b c\n\nd", "d", "", " a b ", "a\nb", "e f g h"]
texts = st.sampled_from(TEXTS)
documents = st.sampled_from(["d1", "d2", "d3"])
ids = st.integers(0, 9).map(lambda number: f"c1:{number:032x}")


def sha(text: str | None) -> str | None:
    from irbridge.identity import text_sha

    return None if text is None else text_sha(text)


@st.composite
def a_label(draw: Any) -> Judgment:
    text = draw(st.none() | texts)
    return Judgment(
        draw(st.sampled_from(["q1", "q2"])),
        draw(documents),
        draw(st.integers(-1, 3)),
        query="what?",
        chunk_id=draw(st.none() | ids),
        text_sha=draw(st.sampled_from([None, sha(text)])),
        chunk_text=text,
        corpus_fingerprint=draw(st.sampled_from([None, "old", "new"])),
        labeled_by=draw(st.sampled_from([None, "human:a", "human:b", "synthetic:m"])),
        stratum=draw(st.sampled_from([None, "s"])),
    )


a_chunk = st.builds(
    lambda chunk_id, doc, ordinal, text: Chunk(chunk_id, doc, None, ordinal, text),
    ids,
    documents,
    st.integers(0, 3),
    texts,
)
sets = st.lists(a_label(), min_size=1, max_size=8)
corpora = st.lists(a_chunk, max_size=8, unique_by=lambda chunk: chunk.chunk_id)


def errors(path: Path) -> list[str]:
    return sorted(issue.code for issue in validate(str(path)).issues if issue.severity == "error")


def filed(folder: Path, labels: list[Judgment]) -> Path:
    path = folder / "j.jsonl"
    with path.open("wb") as stream:
        write(labels, stream)
    return path


@given(sets, corpora, st.none() | corpora, st.booleans())
def test_repair_brings_no_error_in_and_has_an_end_and_a_way_back(
    tmp_path_factory: pytest.TempPathFactory,
    labels: list[Judgment],
    chunks: list[Chunk],
    made_on: list[Chunk] | None,
    nameless: bool,
) -> None:
    """With and without the corpus that the labels were made on; `nameless`: some have a chunk's id for their document."""
    if nameless:
        labels = [label._replace(doc_uri=label.key if at % 3 else f"c1:{at:032x}") for at, label in enumerate(labels)]
    old = None if made_on is None else corpus_of(made_on)
    path = filed(tmp_path_factory.mktemp("repair"), labels)
    before, known = path.read_bytes(), errors(path)
    found = workflow.fixed(Input(str(path), "judgments"), corpus_of(chunks), old)
    once = path.read_bytes()
    assert [code for code in errors(path) if code not in known] == []
    again = workflow.fixed(Input(str(path), "judgments"), corpus_of(chunks), old)
    assert path.read_bytes() == once
    assert (again.journal, again.repair.reanchored) == (None, 0)
    if found.journal is None:
        assert once == before
    else:
        rewriting.undo(str(path))
        assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["j.jsonl"]


@given(sets, corpora)
def test_a_label_moves_only_to_a_chunk_that_holds_its_text(labels: list[Judgment], chunks: list[Chunk]) -> None:
    """Looked up in the corpus itself: nothing that drift computed is believed."""
    found = workflow.inspected(labels, corpus_of(chunks))
    by_id = {chunk.chunk_id: chunk for chunk in chunks}
    for label, row, finding in zip(labels, found.repair.rows, found.drift.findings, strict=True):
        if finding.status not in {"RE_ANCHORABLE", "MERGED"}:
            continue
        if finding.status == "MERGED" and label.relevance <= 0:
            assert row == label
            continue
        chunk = by_id[str(finding.reanchor_to)]
        wanted = sha(chunk.text)
        held = label.chunk_text is not None and normalize(label.chunk_text) in normalize(chunk.text or "")
        assert label.text_sha == wanted or held
        assert row is None or (row.chunk_id, row.doc_uri) == (chunk.chunk_id, chunk.doc_uri)
        assert row is None or row.relevance == label.relevance


@given(sets, corpora)
def test_no_judgment_is_invented_or_lost(labels: list[Judgment], chunks: list[Chunk]) -> None:
    found = workflow.inspected(labels, corpus_of(chunks))
    left = found.repair.labels
    kept = [origin for row in left for origin in row.extra.get("reanchored_from", ()) if "relevance" in origin]
    assert len(left) + len(kept) == len(labels)
    # What is left is what was there, and no grade is higher than one that was given.
    for query_id in {label.query_id for label in labels}:
        given_grades = [label.relevance for label in labels if label.query_id == query_id]
        assert all(row.relevance in given_grades for row in left if row.query_id == query_id)
    for label, row, finding in zip(labels, found.repair.rows, found.drift.findings, strict=True):
        if finding.status in {"SPLIT", "ORPHANED"}:
            assert row == label
