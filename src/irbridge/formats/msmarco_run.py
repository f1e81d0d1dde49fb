"""MS MARCO runs: `query_id <tab> passage_id <tab> rank`, the input of the MS MARCO evaluation script.

That script reads nothing but the rank, and only integer ids; here every id without white space will do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO

from irbridge.errors import shown
from irbridge.formats.base import Format, Head
from irbridge.formats.column_writing import checked_id, encoded
from irbridge.formats.columns import (
    BLOCK_BYTES,
    INTEGER_LIMIT,
    Columns,
    Piece,
    Rows,
    data_lines,
    fields,
    integer,
    integers,
    is_header,
    rankings,
    starts,
)
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import text_blocks

WIDTH = 3
NAMES = "query_id doc_id rank"


def read(source: Source, reading: Reading) -> Iterator[Ranking]:
    """Rankings in the order of their rank column, without scores; `ranks` holds that column.

    Raises:
        InputErrors: rows without three columns or without a positive integer as rank; two documents at one rank.
    """
    from irbridge.ranking import by_rank  # loads numpy

    for ranking in rankings(_pieces(source, reading), reading):
        yield by_rank(ranking, reading)
    reading.finish()


def _pieces(source: Source, reading: Reading) -> Iterator[Piece]:
    for first, count, text in text_blocks(source, BLOCK_BYTES):
        lines: list[str] = []
        at: Sequence[int] = range(first, first + count)
        found = _regular(text, at)
        if found is None:
            lines, at = data_lines(text, first, reading, comments=False)
            found = None if len(lines) == count else _regular("".join(f"{line}\n" for line in lines), at)
        yield from _rows(lines, at, reading).pieces() if found is None else found


def _regular(text: str, at: Sequence[int]) -> Iterable[Piece] | None:
    """The rows of a block if all is as it should be, else None."""
    found = Columns.of(text, WIDTH, len(at), comments=False) if at else None
    ranks = None if found is None else integers(found.last, signed=False)
    if found is None or ranks is None or 0 in ranks:
        return None
    query_ids, doc_ids = found.first, found.middle(1)
    edges = pairwise([*starts(query_ids), len(query_ids)])
    return [Piece(at[start], query_ids[start], doc_ids[start:end], ranks[start:end]) for start, end in edges]


def careful(text: str, first: int, reading: Reading) -> Rows:
    """The rows of a block, taken apart line by line; what cannot be used is reported.

    Args:
        text: whole lines, each ended by LF.
        first: the number of the first one.
        reading: gets problems and notes.
    """
    return _rows(*data_lines(text, first, reading, comments=False), reading)


def _rows(lines: list[str], at: Sequence[int], reading: Reading) -> Rows:
    rows = Rows([], [], [], [])
    for line, row in zip(at, lines, strict=True):
        found = fields(row)
        rank = _rank(found, row, line, reading)
        if rank is not None:
            rows.lines.append(line)
            rows.query_ids.append(found[0])
            rows.doc_ids.append(found[1])
            rows.ranks.append(rank)
    return rows


def _rank(found: list[str], row: str, line: int, reading: Reading) -> int | None:
    """The rank of a row, or None after the row was reported."""
    if len(found) != WIDTH:
        hint = {4: "4 columns may be trec-qrels", 6: "6 columns are trec-run"}.get(
            len(found), f"the columns are {NAMES}"
        )
        count = f"{len(found)} column{'' if len(found) == 1 else 's'}"
        reading.bad_row(f"{count} where an MS MARCO run has 3 ({NAMES})", line=line, text=row, hint=hint)
        return None
    rank = integer(found[2])
    if rank is None or not 1 <= rank <= INTEGER_LIMIT:
        hint = "remove the header line; MS MARCO runs have none" if is_header(found) else "ranks count from 1"
        reading.bad_row(f"rank '{shown(found[2], 40)}' is not a positive integer", line=line, text=row, hint=hint)
        return None
    return rank


def write(run: Iterable[Ranking], stream: BinaryIO) -> int:
    """Rankings as rows, ranks from 1; returns the number of rows. An empty ranking has no row.

    Raises:
        InputError: an id that cannot be a column.
    """
    rows = 0
    for ranking in run:
        query_id = checked_id("query id", ranking.query_id, "\ufeff")
        ids = (checked_id("document id", doc_id) for doc_id in ranking.doc_ids)
        stream.write(encoded("".join(f"{query_id}\t{doc_id}\t{rank}\n" for rank, doc_id in enumerate(ids, 1))))
        rows += len(ranking.doc_ids)
    return rows


def sniff(head: Head) -> int:
    """Certain where every line has three columns and ranks count up from 1."""
    if head.is_dir or not head.lines or head.lines[0].lstrip().startswith(("{", "[")):
        return 0
    rows = [fields(line) for line in head.lines]
    if is_header(rows[0]) or not all(len(row) == WIDTH and (integer(row[2]) or 0) > 0 for row in rows):
        return 0
    # Headerless judgments of three columns look alike; ranks that count up from 1 do not come about by chance.
    ranks = [(row[0], integer(row[2])) for row in rows]
    rising = ranks == [(row[0], number) for row, number in zip(rows, _counted(rows), strict=True)]
    return 80 if rising else 30


def _counted(rows: list[list[str]]) -> Iterator[int]:
    seen: dict[str, int] = {}
    for row in rows:
        seen[row[0]] = seen.get(row[0], 0) + 1
        yield seen[row[0]]


FORMAT = Format(
    name="msmarco-run",
    shape="file",
    summary=f"MS MARCO run: {NAMES}, set apart by tabs",
    sniff=sniff,
    read_run=read,
    write_run=write,
    suffix=".tsv",
)
