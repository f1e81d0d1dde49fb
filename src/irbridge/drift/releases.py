"""Labels held against the release that they were made on, so that another release of the collection can be compared.

A label of a document says nothing of the document's text. Looked up in its own release it does: the document as a whole
becomes the chunk that was labelled, and drift tells whether the other release still has it, unchanged, under another id, or edited.
A label of a chunk that keeps neither text nor digest gets both from the corpus that it was made on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irbridge.corpora import WHOLE, Corpus
from irbridge.drift.findings import Drift
from irbridge.model import Chunk, Judgment


def looked_up(labels: Sequence[Judgment], release: Corpus) -> tuple[list[Judgment], int]:
    """The labels with the text that they were made on, and how many of them have none there.

    Args:
        labels: judgments of documents or chunks.
        release: the corpus or the documents that the labels were made on.
    """
    whole = release.chunker is not None and release.chunker.fingerprint == WHOLE
    wanted = {label.key for label in labels if label.chunk_text is None}
    texts: dict[str, Chunk] = {}
    for chunk in release:
        key = chunk.doc_uri if whole else chunk.chunk_id
        if key in wanted and key not in texts:
            texts[key] = chunk
    found = [_with_text(label, texts.get(label.key)) for label in labels]
    return found, sum(label.chunk_text is None for label in found)


def _with_text(label: Judgment, chunk: Chunk | None) -> Judgment:
    if label.chunk_text is not None or chunk is None or chunk.text is None:
        return label
    sha = label.text_sha or chunk.text_sha
    return label._replace(chunk_id=chunk.chunk_id, chunk_text=chunk.text, text_sha=sha)


def of_documents(drift: Drift, labels: Sequence[Judgment], notes: Sequence[str] = ()) -> Drift:
    """The findings as they are about the labels given: a label of a document has no chunk id, whatever it was looked up as."""
    findings = [
        found if label.chunk_id is not None else found._replace(chunk_id=None)
        for found, label in zip(drift.findings, labels, strict=True)
    ]
    return replace(drift, findings=findings, notes=(*drift.notes, *notes))
