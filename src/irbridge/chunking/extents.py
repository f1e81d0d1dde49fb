"""Stretches of a text: where white space begins and ends, and what a cut leaves on both sides of it.

"Blank" is the table of spec/chunk-id.md and nothing else, so that trimming a chunk and normalising it agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from irbridge.identity import STRIPPED

#: (start, end) in code points of the document, half open.
Extent = tuple[int, int]

SPACE = re.escape(STRIPPED)
NONBLANK = re.compile(f"[^{SPACE}]")
WORD_START = re.compile(f"(?<![^{SPACE}])[^{SPACE}]")
GAP = re.compile(f"[{SPACE}]+")
_NEWLINE = "(?:\r\n|\r(?!\n)|[\n\v\f\x85\u2028])"
_WITHIN = "[\t \x1c-\x1f\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*"
#: A line break and the white space after it.
LINE_BREAK = re.compile(f"[\n\v\f\r\x85\u2028\u2029][{SPACE}]*")
#: At a line break: whether another one is in the same white space. U+2029 is two by itself.
_SECOND = re.compile(f"{_NEWLINE}{_WITHIN}(?:{_NEWLINE}|\u2029)|\u2029")


def first_nonblank(text: str, start: int, end: int) -> int:
    """The position of the first character in [start, end) that is not blank, or `end`."""
    found = NONBLANK.search(text, start, end)
    return found.start() if found else end


def last_nonblank(text: str, start: int, end: int) -> int:
    """The position after the last character in [start, end) that is not blank, or `start`."""
    step = 16
    while end > start:
        low = max(start, end - step)
        kept = len(text[low:end].rstrip(STRIPPED))
        if kept:
            return low + kept
        end, step = low, min(step * 4, 1 << 16)
    return start


def trimmed(text: str, start: int, end: int) -> Extent | None:
    """[start, end) without the blanks at both ends, or None where there is nothing else."""
    if start < end and text[start] in STRIPPED:
        start = first_nonblank(text, start, end)
    if start >= end:
        return None
    return start, last_nonblank(text, start, end)


def units(text: str, start: int, end: int, cuts: Iterable[int]) -> Iterator[Extent]:
    """What ascending cuts make of [start, end): trimmed, blank ones left out. Cuts outside of it are passed over."""
    for cut in cuts:
        if start < cut < end:
            found = trimmed(text, start, cut)
            if found:
                yield found
            start = cut
    found = trimmed(text, start, end)
    if found:
        yield found


def paragraphs(text: str, start: int, end: int) -> Iterator[int]:
    """Cuts after every run of white space with two line breaks or more in it."""
    for found in LINE_BREAK.finditer(text, start, end):
        if _SECOND.match(text, found.start()):
            yield found.end()


def lines(text: str, start: int, end: int) -> Iterator[int]:
    """Cuts after every run of white space with a line break in it."""
    return (found.end() for found in LINE_BREAK.finditer(text, start, end))


def settled(text: str, spans: Iterable[Extent]) -> list[Extent]:
    """Spans in order of start, trimmed; those that are blank or add nothing to what stands before them are left out."""
    found: list[Extent] = []
    high = 0
    for start, end in spans:
        span = trimmed(text, start, end)
        if span and span[1] > high:
            found.append(span)
            high = span[1]
    return found
