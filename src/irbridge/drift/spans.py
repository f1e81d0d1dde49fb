"""Labels that are anchored by a span: where the revision is the same, positions say everything and no text is compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from irbridge.drift.findings import Evidence, Overlap
from irbridge.identity import STRIPPED
from irbridge.model import ChunkRow, Judgment, Span
from irbridge.origins import place_in


class Resolved(NamedTuple):
    """What the chunks of its own document say of a label.

    Attributes:
        valid: a span without a chunk id, whose revision the document still has.
        same: the chunk that is exactly the label's span.
        merged: the chunk that holds the label.
        split: the chunks that the label holds.
        evidence: where the text stands otherwise.
        placed: it was the chunks' places that said so, which comes before an equal text.
    """

    valid: bool = False
    same: str | None = None
    merged: str | None = None
    split: tuple[str, ...] | None = None
    evidence: Evidence | None = None
    placed: bool = False


def span_of(label: Judgment) -> Span | None:
    """The span that a label carries beside its known fields, or None where it carries none that can be used.

    `span` is `{"start": int, "end": int}` in code points, half open, of the revision that `doc_revision` names.
    """
    place, revision = place_in(label.extra.get("span")), label.extra.get("doc_revision")
    return Span(label.doc_uri, *place, revision) if place is not None and isinstance(revision, str) else None


def projected(span: Span, rows: Sequence[ChunkRow], text: str | None = None) -> Resolved | None:
    """What the chunks' own places say of a span; None where no chunk of that revision says where it stands or meets it.

    Args:
        span: of one document.
        rows: the chunks of that document, in the order of their ordinals.
        text: the text at the span, where the label keeps it.
    """
    met = [
        row for row in rows
        if row.doc_revision == span.doc_revision and row.start is not None and row.end is not None
        and row.start < span.end and span.start < row.end and row.start < row.end
    ]  # fmt: skip
    if not met:
        return None
    places = [(row.start or 0, row.end or 0, row.chunk_id) for row in met]
    for start, end, chunk_id in places:
        if (start, end) == (span.start, span.end):
            return Resolved(same=chunk_id, placed=True)
    inside = tuple(chunk_id for start, end, chunk_id in places if span.start <= start and end <= span.end)
    if len(inside) >= 2:
        return Resolved(split=inside, placed=True)
    around = [place for place in places if place[0] <= span.start and span.end <= place[1]]
    if around:
        return Resolved(merged=min(around, key=lambda place: place[1] - place[0])[2], placed=True)
    return Resolved(evidence=_shifted(span, places, text or ""))


def _shifted(span: Span, places: list[tuple[int, int, str]], text: str) -> Evidence:
    size = span.end - span.start
    # Chunkers trim white space at borders: where the text tells that nothing else is in no chunk, all of it is there.
    known = text if len(text) == size else ""
    overlaps, covered, reached = [], 0, span.start
    for start, end, chunk_id in sorted(places, key=lambda place: place[:2]):
        start, end = max(start, span.start), min(end, span.end)
        overlaps.append(Overlap(chunk_id, end - start))
        covered += max(0, end - max(start, reached)) + _white(known[reached - span.start : start - span.start])
        reached = max(reached, end)
    covered += _white(known[reached - span.start :])
    return Evidence("shifted", covered / size, tuple(overlaps))


def _white(text: str) -> int:
    return sum(char in STRIPPED for char in text)
