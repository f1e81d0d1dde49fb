"""Pieces of a run or of judgments as columns: what formats that can be read block by block hand to the scoring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irbridge.arrays import Bools, Bytes, Ints
from irbridge.bytecolumns import Columns
from irbridge.model import Ranking

if TYPE_CHECKING:
    from numpy.typing import NDArray


class RunRows:
    """Rows of a run, in the order of the source, or of scattered ones best first.

    Attributes:
        columns: the fields.
        query, doc: which columns hold the query id and the document id.
        scores: float64 per row, never NaN.
        ranks: int64 per row, or None where the source's rank column is not numeric.
        lines: int64 per row, its line number.
        starts: the rows at which another query begins; found from the columns where not given.
        closed: what follows in the source is another query.
        falling: each score is lower than the one before it, in single precision too.
    """

    def __init__(
        self,
        columns: Columns,
        query: int,
        doc: int,
        scores: NDArray[np.float64],
        ranks: Ints | None,
        lines: Ints,
        starts: Ints | None = None,
        *,
        closed: bool = False,
        falling: bool = False,
    ) -> None:
        self.columns = columns
        self.query = query
        self.doc = doc
        self.scores = scores
        self.ranks = ranks
        self.lines = lines
        self.starts = columns.changes(query) if starts is None else starts
        self.closed = closed
        self.falling = falling

    def __len__(self) -> int:
        return len(self.columns)

    @classmethod
    def of_lists(
        cls,
        query_ids: Sequence[str],
        doc_ids: Sequence[str],
        scores: Sequence[float],
        ranks: Sequence[int] | None,
        lines: Sequence[int],
    ) -> RunRows:
        """The same from lists, as a careful parser makes them."""
        both = Columns.of_texts([*query_ids, *doc_ids])
        count = len(query_ids)
        columns = Columns(both.data, both.starts.reshape(2, count), both.ends.reshape(2, count))
        return cls(
            columns, 0, 1, np.array(scores, np.float64),
            None if ranks is None else np.array(ranks, np.int64), np.array(lines, np.int64),
        )  # fmt: skip

    def part(self, first: int, last: int, *, closed: bool = False) -> RunRows:
        """Rows first:last; `first` begins a query."""
        within = self.starts[(self.starts >= first) & (self.starts < last)] - first
        ranks = None if self.ranks is None else self.ranks[first:last]
        columns = self.columns.take(slice(first, last))
        return RunRows(
            columns, self.query, self.doc, self.scores[first:last], ranks, self.lines[first:last], within, closed=closed
        )

    def kept(self, keep: Bools) -> RunRows:
        """The rows where `keep` is true, which are all rows of some of the groups of neighbours, or none."""
        ranks = None if self.ranks is None else self.ranks[keep]
        columns = self.columns.take(keep)
        return RunRows(columns, self.query, self.doc, self.scores[keep], ranks, self.lines[keep])

    def query_id(self, row: int) -> str:
        """The query id of a row."""
        return self.columns.text(row, self.query)

    def ranking(self, first: int, last: int) -> Ranking:
        """Rows first:last, which are of one query, as a ranking."""
        ranks = None if self.ranks is None else self.ranks[first:last].tolist()
        return Ranking(
            self.query_id(first), self.columns.texts(self.doc, first, last), self.scores[first:last].tolist(), ranks
        )

    def as_read(self, first: int, last: int) -> tuple[Ranking, Ints]:
        """The same in the order of the source, with the line of each row."""
        found, lines = self.ranking(first, last), self.lines[first:last]
        if not (lines[1:] < lines[:-1]).any():
            return found, lines
        order = np.argsort(lines, kind="stable")
        doc_ids, scores, ranks = (
            None if each is None else [each[place] for place in order.tolist()]
            for each in (found.doc_ids, found.scores, found.ranks)
        )
        return found._replace(doc_ids=doc_ids or [], scores=scores, ranks=ranks), lines[order]


class Irregular(Exception):
    """The source holds something that only its careful reader understands; whoever scans it turns to that one."""


class LabelRows(NamedTuple):
    """A piece of judgments, in the order of the source.

    Attributes:
        query_ids: the query of each group of neighbouring rows.
        sizes: how many rows each group has.
        text: all document ids, one behind the other.
        ends: int64 per row, where its document id ends in `text`.
        grades: int64 per row.
    """

    query_ids: list[str]
    sizes: list[int]
    text: Bytes
    ends: Ints
    grades: Ints


def whole_queries(pieces: Iterable[RunRows]) -> Iterator[RunRows]:
    """The same rows in pieces that do not end in the middle of a query, unless its rows are scattered."""
    held: list[RunRows] = []
    for piece in pieces:
        rows = piece
        if not len(rows):
            continue
        if held:
            end = 0
            if held[0].query_id(0) == rows.query_id(0):
                end = int(rows.starts[1]) if len(rows.starts) > 1 else len(rows)
                held.append(rows.part(0, end))
                if end == len(rows):
                    if rows.closed:
                        yield _joined(held)
                        held = []
                    continue
            yield _joined(held)
            held = []
            rows = rows.part(end, len(rows), closed=piece.closed) if end else piece
        if rows.closed:
            yield rows
            continue
        last = int(rows.starts[-1])
        if last:
            yield rows.part(0, last)
        held = [rows.part(last, len(rows))]
    if held:
        yield _joined(held)


def _joined(parts: list[RunRows]) -> RunRows:
    """Pieces of one query as one."""
    if len(parts) == 1:
        return parts[0]
    doc_ids = [doc_id for part in parts for doc_id in part.columns.texts(part.doc, 0, len(part))]
    ranks = None
    if all(part.ranks is not None for part in parts):
        ranks = np.concatenate([part.ranks for part in parts if part.ranks is not None])
    whole = Columns.of_texts([parts[0].query_id(0), *doc_ids])
    count = len(doc_ids)
    starts = np.stack([np.repeat(whole.starts[0, :1], count), whole.starts[0, 1:]])
    ends = np.stack([np.repeat(whole.ends[0, :1], count), whole.ends[0, 1:]])
    return RunRows(
        Columns(whole.data, starts, ends), 0, 1, np.concatenate([part.scores for part in parts]), ranks,
        np.concatenate([part.lines for part in parts]), np.zeros(1, np.int64),
    )  # fmt: skip
