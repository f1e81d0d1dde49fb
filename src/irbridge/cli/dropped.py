"""Rows left out under --drop-bad-rows: each is listed, by every command alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irbridge.errors import InputError
    from irbridge.inputs import Input
    from irbridge.renderers import Page, Remark

#: As many are listed on a screen; JSON holds all.
LISTED = 20


def dropped_remarks(rows: Sequence[InputError]) -> Iterator[Remark]:
    """A line for each of the first rows: where it is, and why it cannot be used."""
    from irbridge.renderers import Remark

    for row in rows[:LISTED]:
        yield Remark("dropped", [str(row)], "warn")
    if len(rows) > LISTED:
        yield Remark("dropped", [f"and {len(rows) - LISTED:,} more; --json lists all"], "warn")


def dropped_data(rows: Sequence[InputError]) -> list[dict[str, Any]]:
    """All of the rows as JSON values."""
    return [{"path": row.path, "line": row.line, "message": row.message, "text": row.text} for row in rows]


def with_dropped(page: Page, *sources: Input) -> Page:
    """The page, and what of its inputs was left out; unchanged where nothing was to be left out."""
    if not any(source.reading.drop_bad_rows for source in sources):
        return page
    rows = [row for source in sources for row in source.reading.dropped]
    return page._replace(blocks=(*page.blocks, *dropped_remarks(rows)), data=_Data(page.data, rows))


class _Data:
    """A page's data with the rows that were left out."""

    def __init__(self, data: Any, rows: Sequence[InputError]) -> None:
        self._data = data
        self._rows = rows

    def as_dict(self) -> dict[str, Any]:
        data = self._data.as_dict() if hasattr(self._data, "as_dict") else self._data
        return {**data, "dropped": dropped_data(self._rows)}
