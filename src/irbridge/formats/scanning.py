"""Reading rows as columns, block by block; what is irregular goes to the careful parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from irbridge.formats.columns import Rows, numbers
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import blocks, counted_blocks, decode

if TYPE_CHECKING:
    from irbridge.rows import LabelRows, RunRows

BLOCK_BYTES = 1 << 20
# More than is ever asked for at once, and the largest size that the C library remembers.
_LARGE = (1 << 25) - (1 << 16)
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

    for line, _, block in counted_blocks(source, BLOCK_BYTES, count=line_ends):
        if not block.isascii():
            decode(block, source, line)
        columns = Columns.split(block, 4)
        grades = None if columns is None else columns.integers(3, signed=True)
        if columns is None or grades is None:
            raise Irregular
        starts = columns.changes(0)
        query_ids = columns.texts_at(0, starts)
        sizes = np.diff(starts, append=len(columns)).tolist()
        reading.rows += len(columns)
        yield LabelRows(query_ids, sizes, *columns.packed(2), grades)


def _pieces(source: Source, reading: Reading, width: int, careful: Careful) -> Iterator[RunRows]:
    """The rows, block by block; those of a block's last query are read once more at the head of the next block.

    Copying a few bytes costs less than putting the rows of one query together from two blocks.
    """
    keep_memory()
    held, line, rest = b"", 1, None
    for block in blocks(source, BLOCK_BYTES, count=line_ends):
        whole = held + block
        rows = _regular(whole, line, source, width)
        if rows is None:
            text = decode(whole, source, line).replace("\r\n", "\n")
            rows = _listed(careful(text if text.endswith("\n") else f"{text}\n", line, reading))
            held, rest, line = b"", None, line + whole.count(b"\n")
        else:
            line += len(rows)
            rows, held, rest = _before_last_query(rows)
            line -= 0 if rest is None else len(rest)
        reading.rows += len(rows)
        yield rows
    if rest is not None:
        reading.rows += len(rest)
        yield rest


def keep_memory() -> None:
    """Have the memory of one block used again for the next, and come in large pages where the system has them.

    The C library gives back what is larger than anything freed before, and the pages of it have to be made anew for every
    block, which takes a tenth of the time. What is made here is never touched, and so takes no memory. The second array
    lies where the C library will put those of the blocks; numpy asks Linux to make what is so large in pages of 2 MB, of
    which fewer have to be made and looked up, and the place keeps that.
    """
    import numpy as np

    np.empty(_LARGE, np.uint8)
    np.empty(_LARGE // 2, np.uint8)


def line_ends(block: bytes) -> int:
    """How many line ends a block has, counted four times as fast as by `bytes.count`."""
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == 10))


def _before_last_query(rows: RunRows) -> tuple[RunRows, bytes, RunRows | None]:
    """Rows up to the last query, the text of those of the last query, and these; one that is long is left where it is."""
    last = int(rows.starts[-1])
    if last * 2 < len(rows):
        return rows, b"", None
    rest = rows.part(last, len(rows))
    return rows.part(0, last, closed=True), rest.columns.body(), rest


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
