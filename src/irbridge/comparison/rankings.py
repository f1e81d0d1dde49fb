"""A run held as a whole: what was computed of two runs or more needs their rankings beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from irbridge.conventions import CHOICES, Convention, Ties
from irbridge.errors import InputError, shown
from irbridge.inputs import Input
from irbridge.model import Ranking
from irbridge.ranking import arranged, contradicts, regrouped
from irbridge.registry import one_of


def order_of(ties: str, depth: int | None = None) -> Convention:
    """Best first by score as a double; of a document that stands in a ranking twice the better place counts."""
    one_of("value of ties", ties, CHOICES["ties"])
    return Convention("rankings", ties=cast("Ties", ties), duplicates="first", depth=depth)


class Held:
    """The rankings of a run by query, best first.

    Args:
        source: the run.
        order: how equal scores are ordered, and how deep is looked.

    Attributes:
        rankings: query id -> its ranking, queries in the order of the run.
        tied: queries with equal scores, which `ties` had to put in order.
        contradicting: queries whose rank column contradicts the scores; the scores ruled.

    Raises:
        InputError: the run cannot be read, or holds no ranking.
    """

    def __init__(self, source: Input, order: Convention) -> None:
        self.source = source
        self.rankings: dict[str, Ranking] = {}
        self.tied = 0
        self.contradicting = 0
        for ranking in self._whole():
            self._add(ranking, order)
        if not self.rankings:
            raise InputError("holds no ranking", path=source.label, hint="check what should have written it")

    def _whole(self) -> Iterator[Ranking]:
        """One ranking for each query: gathered where the rows of one are scattered."""
        found: list[Ranking] = []
        seen: set[str] = set()
        for ranking in cast("Iterable[Ranking]", iter(self.source)):
            if ranking.query_id in seen:
                return regrouped(cast("Iterable[Ranking]", iter(self.source)), self.source.reading)
            seen.add(ranking.query_id)
            found.append(ranking)
        return iter(found)

    def _add(self, ranking: Ranking, order: Convention) -> None:
        self.contradicting += contradicts(ranking)
        try:
            best_first, _ = arranged(ranking, order)
        except InputError as error:
            error.path = self.source.label
            error.message = f"query {shown(ranking.query_id)}: {error.message}"
            raise
        doc_ids, scores = best_first.doc_ids, best_first.scores
        if scores is not None:
            self.tied += len(set(scores)) < len(scores)
        if order.depth is not None:
            doc_ids = doc_ids[: order.depth]
            scores = None if scores is None else scores[: order.depth]
        self.rankings[ranking.query_id] = best_first._replace(doc_ids=doc_ids, scores=scores)
