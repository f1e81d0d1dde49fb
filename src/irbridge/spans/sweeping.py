"""Spans and chunks of one document: which chunk takes which span, in one sweep over both."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irbridge.spans.rules import Rule


class Place(NamedTuple):
    """A stretch of a document, half open, and what stands there: the number of a label, or of a chunk."""

    start: int
    end: int
    number: int


class Taken(NamedTuple):
    """A chunk takes a span: `covered` code points of it lie in the chunk."""

    span: int
    chunk: int
    covered: int


def swept(spans: Sequence[Place], chunks: Sequence[Place], rule: Rule) -> Iterator[Taken]:
    """Each chunk with each span that it takes.

    Time follows the sizes and the number of overlaps of a chunk with a span that it could take: what is too long for all
    chunks is left out before.

    Args:
        spans: none of them empty.
        chunks: in any order, overlapping or not.
        rule: what a chunk must hold.
    """
    longest = max((chunk.end - chunk.start for chunk in chunks), default=0)
    ordered = sorted(span for span in spans if rule.takes(min(longest, span.end - span.start), span.end - span.start))
    starts = [span.start for span in ordered]
    begun: list[Place] = []  # before the chunk at hand, and not ended before it
    passed = 0
    for chunk in sorted(chunks):
        first, last = bisect_left(starts, chunk.start), bisect_left(starts, chunk.end)
        begun += ordered[passed:first]
        passed = max(passed, first)
        if rule.share == 1:
            begun.clear()  # what began before a chunk is not whole in it, nor in any after it
        else:
            begun = [span for span in begun if span.end > chunk.start]
        for span in (*begun, *ordered[first:last]):
            covered = min(span.end, chunk.end) - max(span.start, chunk.start)
            if rule.takes(covered, span.end - span.start):
                yield Taken(span.number, chunk.number, covered)
