"""Gathering judged hits while a run streams by: of each ranking only the ranks of its judged documents are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from irbridge.budgets import Budget, Budgets
from irbridge.conventions import Convention
from irbridge.errors import InputError
from irbridge.hits import Hits
from irbridge.model import Ranking
from irbridge.qrels import Qrels
from irbridge.ranking import Repeated, arranged, contradicts
from irbridge.reading import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Looking for one document costs about as much as looking at a few dozen.
_FEW = 32


@dataclass(frozen=True, eq=False)
class Judged:
    """Hits, and what was seen on the way.

    Attributes:
        hits: over all judged queries, before any depth or judged-only cut.
        extra: ids of answered queries that have no judgment, at most 5 of them; `extra_count` counts all.
        repeated: ids of queries whose ranking holds a document twice.
        contradicting: ids of queries whose rank column contradicts the scores.
        documents: rows in the rankings of judged queries.
        sample: a few document ids of the run, for messages.
        lengths: unit -> what the lengths of documents are, in words, where budgets were asked for.
    """

    hits: Hits
    extra_count: int = 0
    extra: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    contradicting: list[str] = field(default_factory=list)
    documents: int = 0
    sample: list[str] = field(default_factory=list)
    lengths: Mapping[str, str] = field(default_factory=dict)


class Scattered(Exception):
    """A query came back after another one had begun; caught by `judge`, which then gathers the rows first."""


class Collector:
    """Gathers judged hits from rankings; `add` for a query at a time."""

    def __init__(self, qrels: Qrels, convention: Convention, reading: Reading, budgets: Budgets | None = None) -> None:
        self.qrels = qrels
        self.convention = convention
        self.reading = reading
        self.budgets = budgets
        self.depths: dict[int, tuple[int, ...]] = {}
        self.labels: list[int] = []
        self.ranks: list[int] = []
        self.tied: list[tuple[int, int]] = []
        self.elsewhere: list[tuple[int, int]] = []
        # Hits that were found block by block; each query's are in one place or the other.
        self.more_labels: list[NDArray[np.int64]] = []
        self.more_ranks: list[NDArray[np.int64]] = []
        self.retrieved = np.zeros(len(qrels.query_ids), np.int64)
        self.answered = np.zeros(len(qrels.query_ids), np.bool_)
        self.extra: dict[str, None] = {}
        self.repeated: list[str] = []
        self.contradicting: list[str] = []
        self.documents = 0
        self.sample: list[str] = []

    def begin(self, query_id: str) -> int | None:
        """The number of a judged query whose ranking begins, or None for a query without judgments.

        Raises:
            Scattered: it was begun before.
        """
        if not self.wants(query_id):
            return None
        number = self.qrels.index[query_id]
        if self.answered[number]:
            raise Scattered
        self.answered[number] = True
        return number

    def wants(self, query_id: str) -> bool:
        """Whether the query is judged; one that is not is counted as extra."""
        if query_id in self.qrels.index:
            return True
        self.extra[query_id] = None
        return False

    def add(self, ranking: Ranking) -> None:
        """Judge one query's ranking."""
        number = self.begin(ranking.query_id)
        if number is not None:
            self.place(number, ranking)

    def place(self, number: int, ranking: Ranking, lines: NDArray[np.int64] | None = None) -> None:
        """Put the ranking of judged query `number` in order and keep its judged hits.

        Args:
            number: which query.
            ranking: its ranking.
            lines: the line of each row, where rows have lines of their own.
        """
        self.documents += len(ranking.doc_ids)
        if contradicts(ranking):
            self.contradicting.append(ranking.query_id)
        seen = set(ranking.doc_ids)
        try:
            best_first, repeated = arranged(ranking, self.convention, len(seen))
        except InputError as error:
            error.path, error.line = self.reading.label, self.reading.line or None
            if isinstance(error, Repeated) and lines is not None:
                error.line = int(lines[error.position])
            raise
        if repeated:
            self.repeated.append(ranking.query_id)
        own = self.qrels.labels[number]
        self.retrieved[number] = len(best_first.doc_ids)
        ranked: Iterable[tuple[int, str]] = enumerate(best_first.doc_ids, 1)
        if self.convention.tied != "ordered":
            ranked = self._within_ties(best_first, own)
        if self.budgets is not None:
            ranked = list(ranked)
            self.depths[number] = self.budgets.depths([doc_id for _, doc_id in ranked])
        if self.qrels.pool is not None:
            ranked, pool = list(ranked), self.qrels.pool
            self.elsewhere.extend((number, rank) for rank, doc_id in ranked if doc_id in pool and doc_id not in own)
        judged = own.keys() & seen
        if self.convention.self_retrieval == "drop":
            judged.discard(ranking.query_id)
        if isinstance(ranked, list) or len(judged) * _FEW > len(seen):
            found = [(rank, own[doc_id]) for rank, doc_id in ranked if doc_id in judged]
        else:  # looking for each is faster than looking at all
            place = best_first.doc_ids.index
            found = sorted((place(doc_id) + 1, own[doc_id]) for doc_id in judged)
        self.ranks.extend([rank for rank, _ in found])
        self.labels.extend([label for _, label in found])
        if len(self.sample) < 3:
            self.sample.extend(best_first.doc_ids[: 3 - len(self.sample)])

    def _within_ties(self, best_first: Ranking, own: dict[str, int]) -> list[tuple[int, str]]:
        """(rank, document) of a ranking whose ties are put in their best or worst order, or noted for their mean."""
        doc_ids, count = best_first.doc_ids, len(best_first.doc_ids)
        new = np.ones(count, np.bool_)
        if best_first.scores is not None:
            with np.errstate(over="ignore"):
                scores = np.asarray(best_first.scores, np.float64).astype(self.convention.precision)
            new[1:] = scores[1:] != scores[:-1]
        group = np.cumsum(new) - 1
        start = np.flatnonzero(new)
        if self.convention.tied == "expected":
            end = np.append(start[1:], count)
            self.tied.extend(
                (int(start[group[place]]) + 1, int(end[group[place]]))
                for place, doc_id in enumerate(doc_ids)
                if doc_id in own
            )
            return list(enumerate(doc_ids, 1))
        grade = np.array([self.qrels.grades[own[doc_id]] if doc_id in own else 0 for doc_id in doc_ids], np.int64)
        order = np.lexsort((-grade if self.convention.tied == "best" else grade, group))
        return [(rank, doc_ids[place]) for rank, place in enumerate(order.tolist(), 1)]

    def result(self) -> Judged:
        label = np.concatenate([np.array(self.labels, np.int64), *self.more_labels])
        rank = np.concatenate([np.array(self.ranks, np.int64), *self.more_ranks])
        # Stable: ranks of one query were added in order.
        placed = np.argsort(self.qrels.query_of[label], kind="stable")
        tied = None
        if self.convention.tied == "expected":
            groups = np.array(self.tied, np.int64).reshape(-1, 2)[placed]
            tied = groups[:, 0], groups[:, 1]
        elsewhere = None
        if self.qrels.pool is not None:
            both = np.array(self.elsewhere, np.int64).reshape(-1, 2)
            elsewhere = both[:, 0], both[:, 1]
        depths, lengths = self._depths()
        hits = Hits(self.qrels, label[placed], rank[placed], self.retrieved, self.answered, tied, elsewhere, depths)
        extra = list(self.extra)[:5]
        return Judged(
            hits, len(self.extra), extra, self.repeated, self.contradicting, self.documents, self.sample, lengths
        )

    def _depths(self) -> tuple[dict[Budget, NDArray[np.int64]], Mapping[str, str]]:
        if self.budgets is None:
            return {}, {}
        self.budgets.check(self.reading.label)
        depths = np.zeros((len(self.budgets.limits), len(self.qrels.query_ids)), np.int64)
        for number, own in self.depths.items():
            depths[:, number] = own
        return dict(zip(self.budgets.limits, depths, strict=True)), self.budgets.said
