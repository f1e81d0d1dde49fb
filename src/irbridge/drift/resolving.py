"""What the chunks of one document say of the labels that are lost in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from irbridge.drift.containment import merged, split
from irbridge.drift.evidence import of_document
from irbridge.drift.spans import Resolved, projected
from irbridge.drift.wanted import Wanted
from irbridge.identity import normalize
from irbridge.model import ChunkRow


def in_order(rows: Iterable[ChunkRow]) -> list[ChunkRow]:
    """A document's chunks by ordinal; one without counts as 0, and equals stay in the order of the corpus."""
    return sorted(rows, key=lambda row: row.ordinal or 0)


def resolve(wanted: Wanted, numbers: Iterable[int], rows: Sequence[ChunkRow]) -> dict[int, Resolved]:
    """What is known of each label after a look at its own document.

    Args:
        wanted: the labels.
        numbers: which of them; of one document.
        rows: all chunks of that document, `in_order`.
    """
    found: dict[int, Resolved] = {}
    texts: dict[int, str] = {}
    by_place: dict[int, Resolved] = {}
    for number in numbers:
        span = wanted.spans.get(number)
        placed = None if span is None else projected(span, rows)
        if span is not None and wanted.labels[number].chunk_id is None and _same_revision(span.doc_revision, rows):
            found[number] = Resolved(valid=True)
        elif placed is not None and placed.evidence is None:
            found[number] = placed
        else:
            if placed is not None:
                by_place[number] = placed
            if number in wanted.texts:
                texts[number] = wanted.texts[number]
    chunks = [None if row.text is None else normalize(row.text) for row in rows] if texts else []
    for number, inside in split(texts, chunks).items():
        found[number] = Resolved(split=tuple(rows[position].chunk_id for position in inside))
    texts = {number: text for number, text in texts.items() if number not in found}
    for number, position in merged(texts, chunks).items():
        found[number] = Resolved(merged=rows[position].chunk_id)
    found |= {number: placed for number, placed in by_place.items() if number not in found}
    texts = {number: text for number, text in texts.items() if number not in found}
    if texts:
        found |= {number: Resolved(evidence=evidence) for number, evidence in of_document(texts, rows, chunks).items()}
    return found


def _same_revision(revision: str | None, rows: Sequence[ChunkRow]) -> bool:
    """Whether a span of that revision still means something: where no chunk names one, nothing speaks against it."""
    known = {row.doc_revision for row in rows if row.doc_revision is not None}
    return not known or revision in known
