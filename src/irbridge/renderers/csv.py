"""CSV: the rows of the first table under a header, full precision, lines that end in LF (RFC 4180 quoting)."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer


class _Line:
    """What csv.writer wants of a file; it hands each line on."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = text
        return len(text)


def _render(page: Page, look: Look) -> Iterator[str]:
    import csv

    line = _Line()
    writer = csv.writer(line, lineterminator="\n")
    table = page.table()
    writer.writerow([column.key for column in table.columns])
    yield line.text
    for row in table.rows:
        # repr of a float is the shortest text that reads back to the same number; None is an empty cell.
        writer.writerow([repr(cell) if isinstance(cell, float) else cell for cell in row])
        yield line.text


RENDERER = Renderer("csv", "the rows under a header, comma separated", _render, suffixes=(".csv",))
