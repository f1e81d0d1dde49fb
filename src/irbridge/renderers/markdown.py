"""Markdown: tables as GitHub and CommonMark's table extension read them, remarks as a list below.

Whatever came out of a file is shown as it is: nothing in it becomes markup, a link or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irbridge.errors import shown
from irbridge.renderers.base import Cell, Column, Look, Page, Remark, Renderer, Table

_NO_LIMIT = 1 << 20
_MARKUP = re.compile(r"[\\`*_{}\[\]()#+!|~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escaped(text: object) -> str:
    """`text` as Markdown that is read as just that text, on one line."""
    plain = shown(text, _NO_LIMIT)
    plain = "".join(_ENTITIES.get(char, char) for char in plain)
    return _MARKUP.sub(lambda found: "\\" + found.group(), plain)


def _cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, float):
        return f"{cell:.{column.decimals}f}"
    if cell is None:
        return "-"
    return str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else escaped(cell)


def _numeric(cells: Sequence[Cell]) -> bool:
    return any(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)


def _heads(columns: Sequence[Column]) -> Iterator[str]:
    """The titles; of columns under one heading only the first has it."""
    covered = 0
    for column in columns:
        yield "" if covered else escaped(column.title or column.key)
        covered = max(covered - 1, column.span - 1)


def _table(table: Table) -> Iterator[str]:
    rows = [tuple(row) for row in table.rows]
    if not table.columns:
        return
    if table.title:
        yield f"**{escaped(table.title)}**\n\n"
    titles = list(_heads(table.columns))
    right = [_numeric([row[place] for row in rows]) for place in range(len(titles))]
    yield f"| {' | '.join(titles)} |\n"
    yield f"|{'|'.join(' ---: ' if number else ' --- ' for number in right)}|\n"
    for row in rows:
        cells = [_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        yield f"| {' | '.join(cells)} |\n"


def _render(page: Page, look: Look) -> Iterator[str]:
    before: Table | Remark | None = None
    for block in page.blocks:
        if before is not None and (isinstance(block, Table) or isinstance(before, Table)):
            yield "\n"
        if isinstance(block, Table):
            yield from _table(block)
        else:
            label = f"**{escaped(block.label)}** " if block.label else ""
            yield f"- {label}{' · '.join(map(escaped, block.parts))}\n"
        before = block


RENDERER = Renderer("markdown", "tables in Markdown, remarks as a list", _render, suffixes=(".md", ".markdown"))
