"""One ranking under a convention: best first, without what the convention drops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from irbridge.conventions import Convention
from irbridge.errors import InputError, shown
from irbridge.gathering import Gathering
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.written import picked

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Repeated(InputError):
    """A document stands twice in a ranking. `position` is the place of its second row in the source, from 0."""

    def __init__(self, ranking: Ranking) -> None:
        seen: set[str] = set()
        for self.position, doc_id in enumerate(ranking.doc_ids):
            if doc_id in seen:
                break
            seen.add(doc_id)
        super().__init__(
            f"query {shown(ranking.query_id)} has document {shown(doc_id)} twice in its ranking",
            hint="remove one, or --duplicates first counts the better one",
        )


def order(doc_ids: Sequence[str], scores: Sequence[float] | None, convention: Convention) -> NDArray[np.int64] | None:
    """The positions of `doc_ids` from best to worst, or None if they are in that order already.

    Raises:
        InputError: a score is NaN, which has no place in any order.
    """
    if scores is None:
        return None
    keys = np.asarray(scores, np.float64)
    if convention.precision == "float32":
        with np.errstate(over="ignore"):
            keys = keys.astype(np.float32)
    if bool((keys[:-1] > keys[1:]).all()):
        if len(keys) == 1 and np.isnan(keys[0]):
            raise _nan(doc_ids[0])
        return None
    if np.isnan(keys).any():
        raise _nan(doc_ids[int(np.argmax(np.isnan(keys)))])
    if convention.ties == "given":
        if bool((keys[:-1] >= keys[1:]).all()):
            return None
        return np.argsort(-keys, kind="stable")
    reverse = convention.ties == "docid-desc"
    by_id = np.array(sorted(range(len(doc_ids)), key=doc_ids.__getitem__, reverse=reverse), np.int64)
    return by_id[np.argsort(-keys[by_id], kind="stable")]


def _nan(doc_id: str) -> InputError:
    return InputError(
        f"the score of document {shown(doc_id)} is NaN", hint="a NaN has no rank; give it a number or leave it out"
    )


def contradicts(ranking: Ranking) -> bool:
    """Whether the rank column puts a document above one with a higher score."""
    if ranking.ranks is None or ranking.scores is None or len(ranking.ranks) < 2:
        return False
    ranks = np.asarray(ranking.ranks)
    scores = np.asarray(ranking.scores, np.float64)
    if bool((scores[1:] <= scores[:-1]).all()) and bool((ranks[1:] >= ranks[:-1]).all()):
        return False
    # Rows of one rank say nothing about each other: the best of a rank is held against the worst of those above it.
    _, group = np.unique(ranks, return_inverse=True)
    worst = np.full(group.max() + 1, np.inf)
    best = np.full(group.max() + 1, -np.inf)
    np.minimum.at(worst, group, scores)
    np.maximum.at(best, group, scores)
    return bool((best[1:] > np.minimum.accumulate(worst)[:-1]).any())


def arranged(ranking: Ranking, convention: Convention, distinct: int | None = None) -> tuple[Ranking, bool]:
    """The ranking best first under the convention, without repeated and self-retrieved documents.

    Args:
        ranking: as its source had it.
        convention: order, precision, duplicates and self-retrieval.
        distinct: how many different documents it holds, where that is known.

    Returns:
        the ranking, and whether a document was in it twice.

    Raises:
        InputError: a document twice where the convention refuses that, or a NaN score.
    """
    doc_ids, scores = list(ranking.doc_ids), ranking.scores
    repeated = (len(set(doc_ids)) if distinct is None else distinct) != len(doc_ids)
    if repeated and convention.duplicates == "error":
        raise Repeated(ranking)
    if repeated and convention.duplicates == "last":
        kept = sorted({doc_id: position for position, doc_id in enumerate(doc_ids)}.values())
        doc_ids = [doc_ids[position] for position in kept]
        scores = None if scores is None else [scores[position] for position in kept]
    positions = order(doc_ids, scores, convention)
    if positions is not None and scores is not None:
        wanted = positions.tolist()
        doc_ids = [doc_ids[position] for position in wanted]
        scores = picked(scores, wanted)
    drop_self = convention.self_retrieval == "drop" and ranking.query_id in doc_ids
    if (repeated and convention.duplicates == "first") or drop_self:
        first: dict[str, int] = {}
        for position, doc_id in enumerate(doc_ids):
            first.setdefault(doc_id, position)
        if drop_self:
            del first[ranking.query_id]
        doc_ids = list(first)
        scores = None if scores is None else [scores[position] for position in first.values()]
    return Ranking(ranking.query_id, doc_ids, scores, None, ranking.tag), repeated


def by_rank(ranking: Ranking, reading: Reading) -> Ranking:
    """A ranking whose only order is its rank column, in that order; the later of two documents at one rank is reported.

    Ranks may count from 0 or from 1; gaps are noted and close up.
    """
    ranks, doc_ids = list(ranking.ranks or ()), ranking.doc_ids
    count = len(ranks)
    if ranks == list(range(1, count + 1)):
        return ranking
    kept: list[int] = []
    for position in sorted(range(count), key=ranks.__getitem__):
        if kept and ranks[kept[-1]] == ranks[position]:
            reading.bad_row(
                f"query {shown(ranking.query_id)} has two documents at rank {ranks[position]}: "
                f"{shown(doc_ids[kept[-1]])} and {shown(doc_ids[position])}",
                line=reading.line or None,
                hint="give each document of a query a rank of its own",
            )
        else:
            kept.append(position)
    if ranks[kept[-1]] - min(ranks[kept[0]], 1) != len(kept) - 1:
        reading.note(
            "rank-gaps",
            "{n} {ranking with gaps in its|rankings with gaps in their} rank column; the documents close up in order",
            line=reading.line or None,
        )
    return ranking._replace(
        doc_ids=[doc_ids[position] for position in kept], ranks=[ranks[position] for position in kept]
    )


def regrouped(
    rankings: Iterable[Ranking], reading: Reading, wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Ranking]:
    """One ranking per query, in order of first appearance, from rankings that may come in pieces.

    Wanted ones are gathered, in bounded memory (`irbridge.gathering`).

    Raises:
        InputErrors: where ranks are the only order, two documents at one rank.
        InputError: there is no room on the disk for what memory does not hold.
    """
    gathering = Gathering(reading)
    try:
        for piece in rankings:
            if wanted(piece.query_id):
                gathering.add(piece)
        for found in gathering.rankings():
            yield by_rank(found, reading) if found.scores is None and found.ranks is not None else found
    finally:
        gathering.close()
    reading.finish()
