"""Text for a terminal: tables aligned at the decimal point, remarks wrapped under their own start.

Its own code rather than rich's, because importing rich costs 60 ms, a third of what scoring a run may take. Everything
that came out of a file is escaped on the way, and colour never says what the words do not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from irbridge.errors import shown
from irbridge.renderers.base import Cell, Column, Look, Page, Remark, Renderer, Table, Tone

INDENT = "  "
GAP = "   "
USUAL_WIDTH = 80
_NO_LIMIT = 1 << 20
_NARROWEST = 12
_ESCAPE = re.compile(r"\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
_CODES: dict[Tone | str, str] = {"good": "32", "warn": "33", "bad": "31", "faint": "2", "head": "2", "label": "36"}


def painted(text: str, tone: Tone | str, look: Look) -> str:
    """`text` in the colour of a tone, where the screen shows colours."""
    code = _CODES.get(tone)
    return f"\x1b[{code}m{text}\x1b[0m" if look.color and code and text else text


def width_of(text: str) -> int:
    """How many terminal cells a text takes: two for wide East Asian characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def cut(text: str, width: int) -> str:
    """`text` in at most `width` terminal cells, the end replaced by an ellipsis where it is longer."""
    if width_of(text) <= width:
        return text
    kept = _fitting(text, width)
    # Half of an escape says another thing, or nothing.
    split = _split_escape(text, kept)
    return text[: kept if split is None else split.start()] + "…"


def cut_in_front(text: str, width: int) -> str:
    """The same of the start: two files of one folder differ at their ends."""
    if width_of(text) <= width:
        return text
    at = len(text) - _fitting(text[::-1], width)
    # A mark stands on the character before it, and is nothing without it.
    while at < len(text) and unicodedata.combining(text[at]):
        at += 1
    split = _split_escape(text, at)
    return "…" + text[at if split is None else split.end() :]


def _fitting(text: str, width: int) -> int:
    """How many of the first characters fit beside an ellipsis."""
    kept, used = 0, 1
    for char in text:
        used += width_of(char)
        if used > width:
            break
        kept += 1
    return kept


def _split_escape(text: str, at: int) -> re.Match[str] | None:
    return next((found for found in _ESCAPE.finditer(text) if found.start() < at < found.end()), None)


def _plain(cell: Cell, column: Column) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, bool | str):
        return shown(cell, _NO_LIMIT)
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.{column.decimals}f}"


def _aligned(cells: Sequence[Cell], column: Column) -> list[str]:
    """The texts of one column, numbers padded so that their decimal points stand below each other."""
    texts = [_plain(cell, column) for cell in cells]
    numeric = [isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells]
    if not any(numeric):
        return texts
    tails = [
        len(text) - text.find(".") if "." in text else 0 for text, number in zip(texts, numeric, strict=True) if number
    ]
    longest = max(tails)
    padded: list[str] = []
    for text, number in zip(texts, numeric, strict=True):
        own = len(text) - text.find(".") if number and "." in text else 0
        padded.append(text + " " * (longest - own) if number else text)
    width = max(width_of(text) for text in padded)
    return [" " * (width - width_of(text)) + text for text in padded]


class _Drawn:
    """One column ready to be printed."""

    def __init__(self, column: Column, cells: Sequence[Cell]) -> None:
        self.column = column
        self.right = any(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)
        self.texts = _aligned(cells, column)
        title = width_of(column.title) if column.span == 1 else 0
        self.width = max([title, *(width_of(text) for text in self.texts)])

    def put(self, text: str) -> str:
        text = (cut_in_front if self.column.path else cut)(text, self.width)
        space = " " * (self.width - width_of(text))
        return space + text if self.right else text + space


def _total(columns: Sequence[_Drawn]) -> int:
    return len(INDENT) + sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def _fitted(columns: list[_Drawn], width: int) -> None:
    """Cap the width of the flexible columns so that the table fits, or they are as narrow as is of use."""
    flexible = [column for column in columns if column.column.flexible]
    wanted = [column.width for column in flexible]
    for cap in range(width, _NARROWEST - 1, -1):
        if _total(columns) <= width:
            return
        for column, own in zip(flexible, wanted, strict=True):
            column.width = min(own, cap)


def _kept(columns: list[_Drawn], width: int) -> list[_Drawn]:
    """The columns, narrowed where they may be, without as many optional ones as do not fit: the last is left out first."""
    full = {id(column): column.width for column in columns}
    while True:
        _fitted(columns, width)
        left = [place for place, column in enumerate(columns) if column.column.optional]
        if _total(columns) <= width or not left:
            return columns
        columns = [column for place, column in enumerate(columns) if place != left[-1]]
        for column in columns:
            column.width = full[id(column)]


def _groups(columns: list[_Drawn], width: int | None) -> Iterator[list[_Drawn]]:
    """The columns in pieces that fit the screen; each piece repeats the first column, which names the rows."""
    if width is not None:
        columns = _kept(columns, width)
    piece = columns[:1]
    for column in columns[1:]:
        if width is not None and len(piece) > 1 and _total([*piece, column]) > width:
            yield piece
            piece = columns[:1]
        piece = [*piece, column]
    yield piece


def _table(table: Table, look: Look) -> Iterator[str]:
    rows = [tuple(row) for row in table.rows]
    if table.title:
        yield INDENT + painted(shown(table.title, _NO_LIMIT), "head", look) + "\n"
    columns = [_Drawn(column, [row[place] for row in rows]) for place, column in enumerate(table.columns)]
    if not columns:
        return
    for number, piece in enumerate(_groups(columns, look.width)):
        if number:
            yield "\n"
        heading = INDENT + _heading(piece)
        if heading.strip():
            yield painted(heading, "head", look) + "\n"
        for place in range(len(rows)):
            yield (INDENT + GAP.join(column.put(column.texts[place]) for column in piece)).rstrip() + "\n"


def _heading(columns: list[_Drawn]) -> str:
    pieces: list[str] = []
    skip = 0
    for place, column in enumerate(columns):
        if skip:
            skip -= 1
            continue
        if column.column.span > 1:
            over = columns[place : place + column.column.span]
            skip = len(over) - 1
            width = sum(each.width for each in over) + len(GAP) * skip
            title = cut(column.column.title, width)
            pieces.append(title + " " * (width - width_of(title)))
        else:
            pieces.append(column.put(column.column.title))
    return GAP.join(pieces).rstrip()


def wrapped(parts: Sequence[str], width: int) -> list[str]:
    """`parts` joined by middle dots in lines of at most `width`; a part that is too long itself breaks at its spaces."""
    lines: list[str] = []
    line = ""
    for part in parts:
        joined = f"{line} · {part}" if line else part
        if width_of(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        line = ""
        for word in part.split(" "):
            joined = f"{line} {word}" if line else word
            if line and width_of(joined) > width:
                lines.append(line)
                joined = word
            line = joined
    return [*lines, line]


def _remark(remark: Remark, label_width: int, look: Look) -> Iterator[str]:
    label = shown(remark.label, _NO_LIMIT)
    label_width = label_width if label else 0
    start = INDENT + label + " " * (label_width - width_of(label))
    parts = [shown(part, _NO_LIMIT) for part in remark.parts]
    lines = wrapped(parts, max(20, (look.width or USUAL_WIDTH) - width_of(start)))
    first = INDENT + painted(label, "label", look) + " " * (label_width - width_of(label))
    for number, line in enumerate(lines):
        yield (first if number == 0 else " " * width_of(start)) + painted(line, remark.tone, look) + "\n"


def _render(page: Page, look: Look) -> Iterator[str]:
    labels = [width_of(block.label) for block in page.blocks if isinstance(block, Remark) and block.label]
    label_width = max(labels) + 2 if labels else 0
    before: Table | Remark | None = None
    for block in page.blocks:
        if isinstance(block, Table):
            if before is not None:
                yield "\n"
            yield from _table(block, look)
        else:
            yield from _remark(block, label_width, look)
        before = block


RENDERER = Renderer("text", "aligned columns for a terminal", _render, suffixes=(".txt",))
