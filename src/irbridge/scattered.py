"""Scattered rows of a run as columns: brought together by query, in bounded memory, all rows of a block at once.

An external sort. Rows are numbered by their query's first appearance. Up to `HELD_ROWS` of them are held; then they go, in
that order, into one temporary file without a name, which is gone however the process ends. In the end some queries at a time
come back, each with all of its rows in the order of the source. `gathering` does the same for rankings that are lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, NamedTuple

import numpy as np

from irbridge.arrays import Bytes, Floats, Ints
from irbridge.bytecolumns import PAD, Columns
from irbridge.gathering import spool, without_room
from irbridge.reading import Reading
from irbridge.rows import RunRows

#: So many rows are held before any are written to the disk.
HELD_ROWS = 1 << 17
# What stands for a rank that is no number.
_NO_RANK = np.iinfo(np.int64).min
# Bytes of a number in the file.
_WIDTH = 8


class _Part(NamedTuple):
    """Rows by query: number of the query, score, rank, line, where the id ends in `text`; and all document ids."""

    number: Ints
    score: Floats
    rank: Ints
    line: Ints
    end: Ints
    text: Bytes

    @classmethod
    def of(cls, number: Ints, rows: RunRows) -> _Part:
        text, end = rows.columns.packed(rows.doc)
        rank = np.full(len(rows), _NO_RANK) if rows.ranks is None else rows.ranks
        return cls(number, rows.scores, rank, rows.lines, end, text)

    def columns(self) -> Columns:
        """The document ids."""
        data = np.concatenate([np.full(PAD, 255, np.uint8), self.text, np.full(PAD, 255, np.uint8)])
        starts = np.concatenate([np.zeros(1, np.int64), self.end[:-1]])[: len(self.end)]
        return Columns(data, (starts + PAD)[None, :], (self.end + PAD)[None, :])

    def ordered(self, *, best_first: bool = False) -> _Part:
        """By number, rows of one query in the order that they have, or those of equal scores."""
        order = np.lexsort((-self.score, self.number)) if best_first else np.argsort(self.number, kind="stable")
        text, end = self.columns().take(order).packed(0)
        return _Part(self.number[order], self.score[order], self.rank[order], self.line[order], end, text)

    def between(self, low: int, high: int) -> _Part:
        """The rows of the queries low:high of ordered rows."""
        cut = slice(*np.searchsorted(self.number, (low, high)).tolist())
        begin = int(self.end[cut.start - 1]) if cut.start else 0
        end = self.end[cut]
        text = self.text[begin : int(end[-1])] if len(end) else self.text[:0]
        return _Part(self.number[cut], self.score[cut], self.rank[cut], self.line[cut], end - begin, text)


class _Aside:
    """A part in a file, one column behind the other."""

    def __init__(self, part: _Part, file: IO[bytes]) -> None:
        self._file = file
        start = file.seek(0, 2)
        self._start = start + file.write(b"\0" * (-start % _WIDTH))
        self._count = len(part.number)
        for column in part:
            file.write(np.ascontiguousarray(column).data)
        file.flush()

    def between(self, low: int, high: int) -> _Part:
        """As of a part in memory."""
        # Of what is mapped only the pages that are looked at come into memory, and they go with the mapping.
        mapped = np.memmap(self._file, np.int64, "r", self._start, (self._count,))
        first, last = np.searchsorted(mapped, (low, high)).tolist()
        del mapped
        number, rank, line, end = (self._read(place, first, last).view(np.int64) for place in (0, 2, 3, 4))
        begin = int(self._read(4, first - 1, first).view(np.int64)[0]) if first else 0
        texts = self._start + len(_Part._fields[:-1]) * _WIDTH * self._count
        text = self._bytes(texts + begin, int(end[-1]) - begin if len(end) else 0)
        return _Part(number, self._read(1, first, last).view(np.float64), rank, line, end - begin, text)

    def _read(self, place: int, first: int, last: int) -> Bytes:
        return self._bytes(self._start + _WIDTH * (place * self._count + first), _WIDTH * (last - first))

    def _bytes(self, start: int, size: int) -> Bytes:
        self._file.seek(start)
        return np.frombuffer(self._file.read(size), np.uint8)


def _joined(parts: list[_Part]) -> _Part:
    sizes = [len(part.text) for part in parts]
    before = np.cumsum([0, *sizes])
    ends = [part.end + start for part, start in zip(parts, before.tolist(), strict=False)]
    return _Part(
        np.concatenate([part.number for part in parts]),
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.line for part in parts]),
        np.concatenate(ends),
        np.concatenate([part.text for part in parts]),
    )


class Scattering:
    """Takes rows in any order, and gives those of each query together. To be closed.

    Args:
        reading: for the label in errors.
        wanted: whether rows of a query are to be kept; asked once for each query.
    """

    def __init__(self, reading: Reading, wanted: Callable[[str], bool]) -> None:
        self._reading = reading
        self._wanted = wanted
        self._numbers: dict[bytes, int] = {}
        self._query_ids: list[str] = []
        self._held: list[_Part] = []
        self._count = 0
        self._file: IO[bytes] | None = None
        self._asides: list[_Aside] = []
        self._sizes = np.zeros(0, np.int64)

    def add(self, rows: RunRows) -> None:
        """Take some rows.

        Raises:
            InputError: there is no room for them.
        """
        names = rows.columns.fields_at(rows.query, rows.starts)
        groups = np.array(self._numbered(names), np.int64)
        number = np.repeat(groups, np.diff(rows.starts, append=len(rows)))
        kept = number >= 0
        if not kept.all():
            rows, number = rows.kept(kept), number[kept]
        if not len(rows):
            return
        self._held.append(_Part.of(number, rows))
        self._count += len(rows)
        if self._count >= HELD_ROWS:
            self._put_aside()

    def _numbered(self, names: list[bytes]) -> list[int]:
        """The numbers of queries, -1 for one that is not wanted; one that was not seen before gets the next."""
        known = self._numbers
        if set(names).difference(known):
            for name in dict.fromkeys(names):
                if name not in known:
                    query_id = name.decode("utf-8")
                    known[name] = len(self._query_ids) if self._wanted(query_id) else -1
                    if known[name] >= 0:
                        self._query_ids.append(query_id)
        return list(map(known.__getitem__, names))

    def pieces(self) -> Iterator[RunRows]:
        """All rows, queries in the order of their first appearance, each whole; some of them at a time.

        Rows of a query come best first, equal scores in the order of the source.
        """
        parts: list[_Part | _Aside] = [*self._asides, *([self._sorted()] if self._held else [])]
        query_ids = self._query_ids
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._sizes)])
        low = 0
        while low < len(query_ids):
            high = int(np.searchsorted(before, before[low] + HELD_ROWS // 4, side="right")) - 1
            high = max(high, low + 1)
            found = _joined([part.between(low, high) for part in parts]).ordered(best_first=True)
            yield _rows(found, query_ids[low:high], low)
            low = high

    def close(self) -> None:
        """Let go of what was put aside."""
        self._asides = []
        if self._file is not None:
            self._file.close()

    def _sorted(self) -> _Part:
        """What is held, which is then held no longer."""
        found = _joined(self._held).ordered()
        self._held, self._count = [], 0
        sizes = np.bincount(found.number, minlength=len(self._query_ids))
        sizes[: len(self._sizes)] += self._sizes
        self._sizes = sizes
        return found

    def _put_aside(self) -> None:
        part = self._sorted()
        try:
            if self._file is None:
                self._file = spool()
            self._asides.append(_Aside(part, self._file))
        except OSError as error:
            raise without_room(self._reading, error) from error


def _rows(part: _Part, query_ids: list[str], first: int) -> RunRows:
    """Ordered rows of those queries, the first of which is number `first`."""
    docs, names = part.columns(), Columns.of_texts(query_ids)
    at = part.number - first
    behind = len(names.data)
    columns = Columns(
        np.concatenate([names.data, docs.data]),
        np.stack([names.starts[0, at], docs.starts[0] + behind]),
        np.stack([names.ends[0, at], docs.ends[0] + behind]),
    )
    starts = np.flatnonzero(np.diff(part.number, prepend=-1))
    rank = part.rank
    nameless = rank == _NO_RANK
    if nameless.any():
        # One rank for all rows of a query says nothing about them.
        rank = np.where(np.isin(part.number, part.number[nameless]), 0, rank)
    return RunRows(columns, 0, 1, part.score, rank, part.line, starts)


def whole(pieces: Iterable[RunRows], reading: Reading, wanted: Callable[[str], bool]) -> Iterator[RunRows]:
    """The same rows, those of each query together; of the wanted ones only.

    Raises:
        InputError: there is no room on the disk for what memory does not hold.
    """
    gathered = Scattering(reading, wanted)
    try:
        for rows in pieces:
            gathered.add(rows)
        yield from gathered.pieces()
    finally:
        gathered.close()
