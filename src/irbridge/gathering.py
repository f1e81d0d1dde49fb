"""Rows of one query brought together where a source has them apart, in bounded memory: an external merge sort.

Up to `HELD_ROWS` rows are held. Beyond that what is held goes, in the order of the queries' first appearance, into one
temporary file without a name, which is gone however the process ends; in the end all that went there is merged.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import IO, NamedTuple, TypeAlias

from irbridge.errors import InputError
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.written import Written, add

#: So many rows, some 50 MB, are held before any are written to the disk.
HELD_ROWS = 1 << 18
# The number of a query; documents, scores and ranks of its rows, as many of the latter two as rows have them.
_Rows: TypeAlias = tuple[int, list[str], list[float], list[int]]


def spool() -> IO[bytes]:
    """A temporary file without a name, in the folder that TMPDIR names."""
    import tempfile

    return tempfile.TemporaryFile()


def without_room(reading: Reading, error: OSError) -> InputError:
    """What to raise where scattered rows cannot be put aside."""
    return InputError(
        f"scattered rows cannot be put aside: {os.strerror(error.errno or 0).lower()}",
        path=reading.label,
        hint="set TMPDIR to a folder with more room, or sort the run by query first",
    )


class _Query(NamedTuple):
    query_id: str
    tag: str | None
    line: int


class Gathering:
    """Takes pieces of rankings in any order, and gives each query's rows together. To be closed.

    Args:
        reading: gives the line of each piece; gets that of each query's first piece again.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._queries: list[_Query] = []
        self._numbers: dict[str, int] = {}
        self._held: dict[int, _Rows] = {}
        self._count = 0
        self._file: IO[bytes] | None = None
        self._sections: list[tuple[int, int]] = []

    def add(self, piece: Ranking) -> None:
        """Take some rows of one query.

        Raises:
            InputError: there is no room for them.
        """
        number = self._numbers.setdefault(piece.query_id, len(self._queries))
        if number == len(self._queries):
            self._queries.append(_Query(piece.query_id, piece.tag, self._reading.line))
        rows = self._held.get(number)
        if rows is None:
            rows = self._held[number] = (number, [], Written([], []), [])
        _extend(rows, piece.doc_ids, piece.scores or (), piece.ranks or ())
        self._count += len(piece.doc_ids)
        if self._count >= HELD_ROWS:
            self._put_aside()

    def rankings(self) -> Iterator[Ranking]:
        """The ranking of each query, in the order of their first appearance, rows in the order of the source."""
        sections = [self._section(start, end) for start, end in self._sections]
        last: _Rows | None = None
        # Of equal numbers those of an earlier section come first.
        for rows in heapq.merge(*sections, self._in_order(), key=itemgetter(0)):
            if last is not None and last[0] == rows[0]:
                _extend(last, *rows[1:])
                continue
            if last is not None:
                yield self._ranking(last)
            last = rows
        if last is not None:
            yield self._ranking(last)

    def _ranking(self, rows: _Rows) -> Ranking:
        number, doc_ids, scores, ranks = rows
        (query_id, tag, self._reading.line), count = self._queries[number], len(doc_ids)
        return Ranking(
            query_id, doc_ids, scores if len(scores) == count else None, ranks if len(ranks) == count else None, tag
        )

    def close(self) -> None:
        """Let go of what was put aside."""
        if self._file is not None:
            self._file.close()

    def _in_order(self) -> Iterator[_Rows]:
        return (self._held.pop(number) for number in sorted(self._held))

    def _put_aside(self) -> None:
        import pickle

        try:
            if self._file is None:
                self._file = spool()
            start = self._file.tell()
            for rows in self._in_order():
                pickle.dump(rows, self._file, pickle.HIGHEST_PROTOCOL)
            self._file.flush()
        except OSError as error:
            raise without_room(self._reading, error) from error
        self._sections.append((start, self._file.tell()))
        self._count = 0

    def _section(self, start: int, end: int) -> Iterator[_Rows]:
        import pickle

        file = self._file
        while file is not None and start < end:
            file.seek(start)
            rows: _Rows = pickle.load(file)  # noqa: S301 - written above, to a file that nobody else can open
            start = file.tell()
            yield rows


def _extend(rows: _Rows, doc_ids: Sequence[str], scores: Sequence[float], ranks: Sequence[int]) -> None:
    rows[1].extend(doc_ids)
    add(rows[2], scores)
    rows[3].extend(ranks)
