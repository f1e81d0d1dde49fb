"""Where a Markdown text may be cut, and how strongly: a line at a time, by a few of CommonMark's rules.

Normative: spec/chunkers.md. Only what matters for cutting is told apart: headings, blank lines and code fences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from irbridge.chunking.extents import trimmed

#: Ranks of a break: 1 to 6 before a heading of that rank, then a new block, then a new line.
BLOCK = 7
LINE = 8

_LINE = re.compile("([^\r\n]*)(?:\r\n|\r|\n|\\Z)")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*\Z")
_FENCE = re.compile(r"[ \t>]*(`{3,}(?=[^`]*\Z)|~{3,})")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:>|\||[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z))| {4}|\t")


@dataclass
class Breaks:
    """What was found: ascending cuts by rank, and where fenced code begins and ends, in turn."""

    cuts: dict[int, list[int]] = field(default_factory=lambda: {rank: [] for rank in range(1, LINE + 1)})
    fences: list[int] = field(default_factory=list)


@dataclass
class _State:
    """What the lines before say about the next one."""

    blank: bool = True  # the line before was blank (or there was none)
    fence: str = ""  # the marks that opened the fence that is open
    heading: bool = False  # nothing but blank lines since a heading
    paragraph: int | None = None  # the index of the paragraph's first line, where an underline would make it a heading


def _lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    while position < len(text):
        found = _LINE.match(text, position)
        if found is None:  # cannot be: the pattern matches anything
            return
        yield position, found.group(1)
        position = found.end()


def markdown_breaks(text: str) -> Breaks:
    """The places where `text` may be cut, by rank."""
    marks: list[tuple[int, int]] = []  # (position of a line's first character, rank of the break before it)
    found = Breaks()
    state = _State()
    for position, line in _lines(text):
        rank = _rank(line, position, state, found, marks)
        if rank:
            marks.append((position, rank))
    for position, rank in marks:
        found.cuts[rank].append(position)
    if len(found.fences) % 2:
        found.fences.append(len(text))
    return found


def _rank(line: str, position: int, state: _State, found: Breaks, marks: list[tuple[int, int]]) -> int:
    """The rank of the break before a line, 0 for a blank one; `state` moves on."""
    if state.fence:
        if _closes(line, state.fence):
            found.fences.append(position + len(line))
            state.fence, state.blank = "", True  # what follows a fence is a new block, with or without a blank line
        return LINE
    if trimmed(line, 0, len(line)) is None:
        state.blank, state.paragraph = True, None
        return 0
    new_block = LINE if state.heading or not state.blank else BLOCK
    fence = _FENCE.match(line)
    heading = _HEADING.match(line)
    if fence:
        rank = LINE if state.heading else BLOCK
        found.fences.append(position)
        state.fence, state.heading, state.paragraph = fence.group(1), False, None
    elif heading:
        rank = len(heading.group(1))
        state.heading, state.paragraph = True, None
    elif state.paragraph is not None and (under := _UNDERLINE.match(line)):
        first, _ = marks[state.paragraph]
        marks[state.paragraph] = (first, 1 if under.group(1)[0] == "=" else 2)
        rank, state.heading, state.paragraph = LINE, True, None
    else:
        if new_block == BLOCK or state.heading:
            state.paragraph = None if _NO_PARAGRAPH.match(line) else len(marks)
        rank, state.heading = new_block, False
    state.blank = False
    return rank


def _closes(line: str, fence: str) -> bool:
    """Whether a line closes the fence that `fence` opened."""
    body = line.strip(" \t>")
    return len(body) >= len(fence) and not body.strip(fence[0])
