"""Reading rows as columns, block by block; what is irregular goes to the careful parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from irbridge.formats.columns import Rows, numbers
from irbridge.reading import Reading
from irbridge.textio import Source, blocks, decode

if TYPE_CHECKING:
    from irbridge.rows import LabelRows, RunRows

Careful = Callable[[str, int, Reading], Rows]


def scan(source: Source, reading: Reading, width: int, careful: Careful) -> Iterator[RunRows]:
    """Pieces of whole queries from rows of `width` columns: query_id, _, doc_id, rank, score, ...

    Args:
        source: what to read.
        reading: counts and notes; gets the rows that cannot be used.
        width: how many columns a regular row has.
        careful: takes apart (text of whole lines, number of the first, reading), and reports what cannot be used.
    """
    from irbridge.rows import whole_queries

    yield from whole_queries(_pieces(source, reading, width, careful))
    reading.finish()


def scan_labels(source: Source, reading: Reading) -> Iterator[LabelRows]:
    """Pieces of judgments from rows of query_id, iteration, doc_id, relevance.

    Raises:
        Irregular: a row is anything but four fields with single separators and a grade of up to eight digits.
    """
    import numpy as np

    from irbridge.bytecolumns import Columns
    from irbridge.rows import Irregular, LabelRows

    line = 1
    for block in blocks(source):
        if not block.isascii():
            decode(block, source, line)
        columns = Columns.split(block, 4)
        grades = None if columns is None else columns.integers(3, signed=True)
        if columns is None or grades is None:
            raise Irregular
        starts = columns.changes(0)
        query_ids = [columns.text(row, 0) for row in starts.tolist()]
        sizes = np.diff(starts, append=len(columns)).tolist()
        reading.rows += len(columns)
        line += len(columns)
        yield LabelRows(query_ids, sizes, columns.texts(2, 0, len(columns)), grades)


def _pieces(source: Source, reading: Reading, width: int, careful: Careful) -> Iterator[RunRows]:
    line = 1
    for block in blocks(source):
        rows = _regular(block, line, source, width)
        if rows is None:
            text = decode(block, source, line).replace("\r\n", "\n")
            rows = _listed(careful(text if text.endswith("\n") else f"{text}\n", line, reading))
        reading.rows += len(rows)
        yield rows
        line += block.count(b"\n")


def _regular(block: bytes, line: int, source: Source, width: int) -> RunRows | None:
    import numpy as np

    from irbridge.bytecolumns import Columns
    from irbridge.rows import RunRows

    if not block.isascii():
        decode(block, source, line)
    columns = Columns.split(block, width)
    if columns is None:
        return None
    scores, understood = columns.numbers(4)
    if not understood.all():
        left = np.flatnonzero(~understood)
        rest = numbers([columns.text(row, 4) for row in left.tolist()])
        if rest is None:
            return None
        scores[left] = rest
    return RunRows(columns, 0, 2, scores, columns.integers(3), np.arange(line, line + len(columns)))


def _listed(rows: Rows) -> RunRows:
    from irbridge.rows import RunRows

    ranks = [rank for rank in rows.ranks if rank is not None]
    whole = ranks if len(ranks) == len(rows.doc_ids) else None
    return RunRows.of_lists(rows.query_ids, rows.doc_ids, rows.scores or [], whole, rows.lines)
