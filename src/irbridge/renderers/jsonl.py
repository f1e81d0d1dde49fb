"""JSON lines: the rows of the first table, one compact object a line, full precision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat

from irbridge.renderers.base import Cell, Look, Page, Renderer

# So many rows are written at a time, column by column: a million values take a second instead of five.
_ROWS = 2048


def _render(page: Page, look: Look) -> Iterator[str]:
    table = page.table()
    names = [f"{',' if place else '{'}{_value(column.key)}:" for place, column in enumerate(table.columns)]
    rows = iter(table.rows)
    while part := list(islice(rows, _ROWS)):
        columns = (
            piece for name, cells in zip(names, zip(*part, strict=True), strict=True) for piece in _texts(name, cells)
        )
        yield "".join(chain.from_iterable(zip(*columns, repeat("}\n"), strict=False)))


def _texts(name: str, cells: Sequence[Cell]) -> tuple[Iterable[str], ...]:
    """The cells of one column as JSON, and what stands before each of them."""
    kinds = set(map(type, cells))
    # A finite sum proves each of its doubles finite.
    if kinds == {float} and math.isfinite(sum(map(float, cells))):  # type: ignore[arg-type]  # they are floats
        return repeat(name), map(repr, cells)
    if kinds == {str}:
        distinct = [str(cell) for cell in set(cells)]
        plain = _is_plain("".join(distinct))
        known = {cell: f'{name}"{cell}"' if plain else f"{name}{_value(cell)}" for cell in distinct}
        return (map(known.__getitem__, cells),)  # type: ignore[arg-type]  # they are texts
    return repeat(name), map(_value, cells)


def _value(cell: Cell) -> str:
    if isinstance(cell, str) and _is_plain(cell):
        return f'"{cell}"'
    from irbridge.canonical import dumps, escaped  # loads json, which takes longer than writing a small run's scores

    return escaped(dumps(cell))


def _is_plain(text: str) -> bool:
    """Whether JSON has the text as it is."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


RENDERER = Renderer("jsonl", "the rows, one JSON object a line", _render, suffixes=(".jsonl", ".ndjson"), rows=True)
