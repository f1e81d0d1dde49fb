"""markdown: sections by their headings, then blocks, then as `recursive`; a code fence is one block."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import Extent
from irbridge.chunking.markdown_breaks import LINE, Breaks, markdown_breaks
from irbridge.chunking.packing import Level, packed
from irbridge.chunking.sentences import sentences


def _at(positions: Sequence[int]) -> Level:
    """The level that cuts at given positions."""
    return lambda _text, start, end: positions[bisect_right(positions, start) : bisect_left(positions, end)]


def _prose(fences: Sequence[int]) -> Level:
    """Sentences, but none in code; `fences` are the positions where code begins and ends, in turn."""
    return lambda text, start, end: () if bisect_right(fences, start) % 2 else sentences(text, start, end)


def levels_of(found: Breaks) -> list[Level]:
    """Headings from the first rank to the sixth, blocks, lines, sentences."""
    ranks = [_at(found.cuts[rank]) for rank in range(1, LINE + 1)]
    return [*ranks, _prose(found.fences)]


def sections(text: str, size: int, overlap: int) -> list[Extent]:
    """The chunks of a Markdown text."""
    if len(text) <= size:
        return packed(text, size, overlap, ())
    return packed(text, size, overlap, levels_of(markdown_breaks(text)))


CHUNKER = Method(
    name="markdown",
    summary="Markdown: sections and blocks packed up to a size, code fences whole",
    settings=(
        Setting("size", "characters in a chunk at most"),
        Setting("overlap", "characters at most that a chunk repeats of the one before", lowest=0, default=0),
    ),
    bind=lambda size, overlap: lambda text: sections(text, size, overlap),
    example="markdown/800",
)
