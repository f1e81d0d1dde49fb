"""What is rendered and by what: a `Page` says it all, a `Renderer` turns it into text of one kind.

NamedTuples rather than dataclasses, which take four times as long to make: these are needed at every start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Cell = str | int | float | None
Tone = Literal["plain", "good", "warn", "bad", "faint"]


class Column(NamedTuple):
    """One column of a table.

    Attributes:
        key: its name in files (CSV header, JSON key).
        title: its heading on a screen; "" where the cells speak for themselves.
        decimals: how many decimals a screen shows of a float; files hold full precision.
        flexible: a screen may cut its text where the table would be wider than the terminal.
        path: what tells its cells apart is their end, as of paths: a screen cuts them in front.
        optional: a screen that is still too narrow leaves it out.
        span: its heading stands above that many columns, itself and those right of it.
    """

    key: str
    title: str = ""
    decimals: int = 4
    flexible: bool = False
    optional: bool = False
    span: int = 1
    path: bool = False


class Table(NamedTuple):
    """Rows under columns. `rows` is iterated once; its cells are full values, not texts made for a screen."""

    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    title: str = ""


class Remark(NamedTuple):
    """One labelled line below or above the tables, wrapped under its own start.

    Attributes:
        parts: pieces that a screen joins by a middle dot and between which it prefers to break the line.
    """

    label: str
    parts: Sequence[str]
    tone: Tone = "plain"


class Page(NamedTuple):
    """What a command has to say.

    Attributes:
        blocks: tables and remarks in the order of a screen. A renderer for rows takes the first table.
        data: the same for machines: JSON values, full precision, or an object whose `as_dict()` makes them when asked.
    """

    blocks: Sequence[Table | Remark] = ()
    data: Any = None

    def table(self) -> Table:
        """The first table; without columns if there is none."""
        return next((block for block in self.blocks if isinstance(block, Table)), Table((), ()))


class Look(NamedTuple):
    """The screen: how wide it is (None: do not cut anything), and whether it shows colours."""

    width: int | None = None
    color: bool = False


@dataclass(frozen=True, eq=False)
class Renderer:
    """One way of writing a page.

    Attributes:
        suffixes: file suffixes that stand for it, with their dot.
        rows: it writes the rows of the first table and nothing else.
        render: (page, look) -> pieces of text, so that a million rows need not be one string.
    """

    name: str
    summary: str
    render: Callable[[Page, Look], Iterator[str]]
    suffixes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    rows: bool = False


class _Line:
    """What csv.writer wants of a file; it hands each line on."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text = text
        return len(text)


def separated(page: Page, separator: str) -> Iterator[str]:
    """The rows of the first table under their header, cells apart by `separator` and quoted where they hold it."""
    import csv

    line = _Line()
    writer = csv.writer(line, delimiter=separator, lineterminator="\n")
    table = page.table()
    writer.writerow([column.key for column in table.columns])
    yield line.text
    for row in table.rows:
        # repr of a float is the shortest text that reads back to the same number; None is an empty cell.
        writer.writerow([repr(cell) if isinstance(cell, float) else cell for cell in row])
        yield line.text
