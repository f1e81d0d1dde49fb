"""JSON lines: the rows of the first table, one compact object a line, full precision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from irbridge.renderers.base import Cell, Look, Page, Renderer

# So many rows are written at a time, column by column: a million values take a second instead of five.
_ROWS = 2048


def _render(page: Page, look: Look) -> Iterator[str]:
    from irbridge.canonical import dumps, escaped

    table = page.table()
    names = (escaped(dumps(column.key)).replace("%", "%%") for column in table.columns)
    line = f"{{{','.join(f'{name}:%s' for name in names)}}}\n"
    rows = iter(table.rows)
    while part := list(islice(rows, _ROWS)):
        yield "".join(map(line.__mod__, zip(*map(_texts, zip(*part, strict=True)), strict=True)))


def _texts(cells: Sequence[Cell]) -> Iterable[str]:
    """The cells of one column as JSON."""
    from irbridge.canonical import dumps, escaped

    kinds = set(map(type, cells))
    # A finite sum proves each of its doubles finite.
    if kinds == {float} and math.isfinite(sum(map(float, cells))):  # type: ignore[arg-type]  # they are floats
        return map(repr, cells)
    if kinds == {str}:
        distinct = [str(cell) for cell in set(cells)]
        whole = "".join(distinct)
        plain = whole.isascii() and whole.isprintable() and '"' not in whole and "\\" not in whole
        known = {cell: f'"{cell}"' if plain else escaped(dumps(cell)) for cell in distinct}
        return map(known.__getitem__, cells)  # type: ignore[arg-type]  # they are texts
    return [escaped(dumps(cell)) for cell in cells]


RENDERER = Renderer("jsonl", "the rows, one JSON object a line", _render, suffixes=(".jsonl", ".ndjson"), rows=True)
