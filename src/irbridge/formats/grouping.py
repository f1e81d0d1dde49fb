"""Rows of a run that have no lines: neighbours of one query as a ranking, and what is scattered put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from irbridge.model import Ranking
from irbridge.reading import Reading


class Rows(NamedTuple):
    """Rows of a run as parallel lists; `scores`, `ranks` and `tags` are None where there is no such column."""

    query_ids: list[str]
    doc_ids: list[str]
    scores: list[float] | None
    ranks: list[int] | None
    tags: list[str] | None


def neighbours(batches: Iterable[Rows]) -> Iterator[Ranking]:
    """Neighbouring rows of one query as one ranking, across batches too; a query that comes back gives a further one."""
    pieces = (piece for rows in batches for piece in _pieces(rows))
    for _, parts in groupby(pieces, lambda piece: piece.query_id):
        yield _whole(list(parts))


def _pieces(rows: Rows) -> Iterator[Ranking]:
    start = 0
    for query_id, group in groupby(rows.query_ids):
        end = start + sum(1 for _ in group)
        yield Ranking(
            query_id,
            rows.doc_ids[start:end],
            None if rows.scores is None else rows.scores[start:end],
            None if rows.ranks is None else rows.ranks[start:end],
            (rows.tags[start] or None) if rows.tags is not None else None,
        )
        start = end


def gathered(pieces: Iterable[Ranking], reading: Reading) -> Iterator[Ranking]:
    """One ranking per query, in order of first appearance; without scores, in the order of its ranks. Holds the run.

    Two documents at one rank are reported where the ranks are the only order.
    """
    from irbridge.ranking import by_rank  # loads numpy

    by_query: dict[str, list[Ranking]] = {}
    for piece in pieces:
        by_query.setdefault(piece.query_id, []).append(piece)
    for parts in by_query.values():
        whole = _whole(parts)
        yield by_rank(whole, reading) if whole.scores is None and whole.ranks is not None else whole


def _whole(parts: Sequence[Ranking]) -> Ranking:
    first = parts[0]
    if len(parts) == 1:
        return first
    scores = [score for part in parts for score in part.scores or ()]
    ranks = [rank for part in parts for rank in part.ranks or ()]
    return Ranking(
        first.query_id,
        [doc_id for part in parts for doc_id in part.doc_ids],
        None if any(part.scores is None for part in parts) else scores,
        None if any(part.ranks is None for part in parts) else ranks,
        first.tag,
    )
