"""Labels of chunks, made under one chunker, held against a corpus cut by another: what drift says, and whether it is so.

    python rechunking.py COLLECTION       such as irds:cranfield, or a BEIR folder

Every chunk of a judged document is a label. The documents stay the same, so the text of every label is still there; to have
labels whose text is not, the middle fifth of every document is then taken out. Both are known from the places that were
cut, not from comparing texts:

    found   of the ORPHANED labels whose text is there as a whole: share that drift shows where
    false   of the labels whose text was taken out, in whole or in part (number after the slash), those that drift shows as there
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from irbridge.chunking import chunker
from irbridge.chunking.cutting import chunks
from irbridge.corpora import corpus_of, document_text
from irbridge.drift.classify import classify
from irbridge.inputs import Input
from irbridge.model import Chunk, Judgment

PAIRS = (
    ("recursive/512/64", "recursive/384/64"),
    ("recursive/400", "sentence/3"),
    ("sentence/4", "fixed/300"),
    ("fixed/400/50", "recursive/512/64"),
    ("markdown/800", "recursive/256/32"),
    ("fixed/200/100", "fixed/350/50"),
)
WHOLE = {"shifted", "reflowed", "ambiguous", "moved"}


def without_middle(text: str) -> tuple[str, int, int]:
    """The text without its middle fifth, and where that was."""
    start, end = 2 * len(text) // 5, 3 * len(text) // 5
    return text[:start] + text[end:], start, end


def compare(documents: dict[str, str], labelled: Iterable[Chunk], new: str) -> list[object]:
    """A row of the table: counts by status, and how the evidence holds against the truth."""
    asked, by = list(labelled), chunker(new)
    labels = [
        Judgment("q", one.doc_uri, 1, chunk_id=one.chunk_id, text_sha=one.text_sha, chunk_text=one.text)
        for one in asked
    ]
    corpus = [one for doc_uri, text in documents.items() for one in chunks(doc_uri, text, by)]
    drift = classify(labels, corpus_of(corpus))
    counts = drift.summary
    seen = sum(one.evidence is not None and one.evidence.kind in WHOLE for one in drift.findings)
    found = 100 * seen / counts.orphaned if counts.orphaned else 100.0
    return [
        len(labels), counts.valid, counts.re_anchorable, counts.merged, counts.split, counts.orphaned, counts.still_there,
        f"{found:.2f}%", false_claims(documents, asked, labels, by),
    ]  # fmt: skip


def false_claims(documents: dict[str, str], asked: list[Chunk], labels: list[Judgment], by) -> str:
    """How many labels drift sees as whole although a part of their text was taken out, and of how many."""
    changed = {doc_uri: without_middle(text) for doc_uri, text in documents.items()}
    corpus = [one for doc_uri, (text, _, _) in changed.items() for one in chunks(doc_uri, text, by)]
    everything = {doc_uri: "".join(text.split()) for doc_uri, (text, _, _) in changed.items()}
    wrong = taken = 0
    for one, found in zip(asked, classify(labels, corpus_of(corpus)).findings, strict=True):
        _, start, end = changed[one.doc_uri]
        gone = (
            max(one.start, start) < min(one.end, end)
            and documents[one.doc_uri][max(one.start, start) : min(one.end, end)].strip()
        )
        claimed = found.status in {"RE_ANCHORABLE", "MERGED"} or (
            found.evidence is not None and found.evidence.kind in WHOLE
        )
        # A text may stand in two places, of which one was taken out.
        body = "".join(one.text.split())
        if gone and not (claimed and any(body in text for text in everything.values())):
            taken += 1
            wrong += claimed
    return f"{wrong}/{taken}"


def table(documents: dict[str, str], judged: dict[str, list[tuple[int, int]] | None]) -> None:
    """Print a row for each pair of chunkers.

    Args:
        documents: text by id.
        judged: which of them have labels; the chunks that meet one of the spans, or all.
    """
    columns = ["labels", "valid", "re-anch", "merged", "split", "orphaned", "there", "found", "false"]
    print(f"{'made under':18}{'held against':18}" + "".join(f"{name:>9}" for name in columns))
    for old, new in PAIRS:
        by = chunker(old)
        labelled = [
            one for doc_uri, spans in judged.items() for one in chunks(doc_uri, documents[doc_uri], by)
            if spans is None or any(start < one.end and one.start < end for start, end in spans)
        ]  # fmt: skip
        print(f"{old:18}{new:18}" + "".join(f"{value:>9}" for value in compare(documents, labelled, new)))


def main() -> None:
    collection = sys.argv[1]
    documents = {one.doc_id: document_text(one) for one in Input(collection, "documents")}
    relevant = {one.doc_uri for one in Input(collection, "judgments") if one.relevance > 0}
    table(documents, {doc_uri: None for doc_uri in documents if doc_uri in relevant})


if __name__ == "__main__":
    main()
