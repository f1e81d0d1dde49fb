"""Labels held against the release that they were made on, so that another release of the collection can be compared.

A label of a document says nothing of the document's text. Looked up in its own release it does: the document as a whole
becomes the chunk that was labelled, and drift tells whether the other release still has it, unchanged, under another id, or edited.
A label of a chunk that keeps neither text nor digest gets both from the corpus that it was made on. One that has the chunk's
id for its `doc_uri`, as qrels have one column for both, gets the chunk's document too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from irbridge.corpora import WHOLE, Corpus
from irbridge.drift.findings import Drift, Evidence, Finding
from irbridge.errors import shown
from irbridge.model import Chunk, Judgment
from irbridge.wording import counted, shell_word


def looked_up(labels: Sequence[Judgment], release: Corpus) -> tuple[list[Judgment], int]:
    """The labels with the text that they were made on, and how many of them have none there.

    Args:
        labels: judgments of documents or chunks.
        release: the corpus or the documents that the labels were made on.
    """
    whole = release.chunker is not None and release.chunker.fingerprint == WHOLE
    wanted = {label.key for label in labels if label.chunk_text is None or label.chunk_id == label.doc_uri}
    texts: dict[str, Chunk] = {}
    for chunk in release:
        key = chunk.doc_uri if whole else chunk.chunk_id
        if key in wanted and key not in texts:
            texts[key] = chunk
    found = [_known(label, texts.get(label.key)) for label in labels]
    return found, sum(label.chunk_text is None for label in found)


def without_text(number: int, labels: Sequence[Judgment], release: Corpus) -> str:
    """What a person should know of so many labels that have no text in the release that they are said to be made on."""
    said = f"{counted(number, 'label has', 'labels have')} no text in {shown(release.label, 60)}"
    if not release.assumed or all(label.chunk_id is None for label in labels):
        return said
    chunk = f"irbridge chunk {shell_word(release.label)} --chunker SPEC -o OLD.jsonl"
    return f"{said}, whose documents are not cut: {chunk}, with the chunker of the labels, makes the chunks for --made-on OLD.jsonl"


def _known(label: Judgment, chunk: Chunk | None) -> Judgment:
    if chunk is None:
        return label
    if chunk.chunk_id == label.doc_uri:
        label = label._replace(doc_uri=chunk.doc_uri, chunk_id=chunk.chunk_id)
    if label.chunk_text is not None or chunk.text is None:
        return label
    sha = label.text_sha or chunk.text_sha
    return label._replace(chunk_id=chunk.chunk_id, chunk_text=chunk.text, text_sha=sha)


def of_given(drift: Drift, labels: Sequence[Judgment], known: Sequence[Judgment], notes: Sequence[str] = ()) -> Drift:
    """The findings as they are about the labels given, whatever these were looked up as.

    Args:
        drift: what was found of the labels as they are known.
        labels: as they were given.
        known: as `looked_up` has them.
        notes: what else a person should know.
    """
    findings = [_own(*each) for each in zip(drift.findings, labels, known, strict=True)]
    return replace(drift, findings=findings, notes=(*drift.notes, *notes))


def _own(found: Finding, label: Judgment, known: Judgment) -> Finding:
    """A label of a document has no chunk id; and what stands in a document that the label does not name is in another one."""
    if label.doc_uri == known.doc_uri:
        return found if label.chunk_id is not None else found._replace(chunk_id=None)
    found = found._replace(doc_uri=label.doc_uri)
    if found.reanchor_to is not None:
        return found._replace(reanchor_doc=found.reanchor_doc or known.doc_uri)
    if found.evidence is not None:
        return found._replace(evidence=_within(known.doc_uri, found.evidence))
    return found


def _within(doc_uri: str, evidence: Evidence) -> Evidence:
    """Evidence of a document that has to be named."""
    if evidence.doc_uri is not None:
        return evidence
    return evidence._replace(chunks=tuple(each._replace(doc_uri=each.doc_uri or doc_uri) for each in evidence.chunks))
