"""A run seen through qrels: the ranks and grades of the judged documents it retrieved.

Every measure on qrels is a function of this; a measure never sees a document id or a score. All arrays are ordered by
query, then rank, so that one vectorised pass serves all queries.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from irbridge.arrays import Bools, Floats, Ints
from irbridge.budgets import Budget
from irbridge.qrels import Qrels


def ratio(above: Floats | Ints, below: Floats | Ints) -> Floats:
    """`above` / `below`, and 0 where `below` is 0: trec_eval's answer to a query without relevant documents."""
    out = np.zeros(len(below), np.float64)
    np.divide(above, below, out=out, where=np.asarray(below) != 0)
    return out


@dataclass(frozen=True, eq=False)
class Hits:
    """Judged hits of one run.

    Attributes:
        qrels: the judgments; queries are numbered as there.
        label: int64 per hit, the number of its label in `qrels`; ordered by query, then rank.
        rank: int64 per hit, 1-based, among all retrieved documents, after ties were broken.
        retrieved: int64 per query, how many documents were retrieved (0 for an unanswered query).
        answered: bool per query, whether the run has an entry for it.
        tied: int64 per hit, the first and the last rank of the documents with its score, where the convention asks for the
            mean over their orders.
        elsewhere: int64 per retrieved document without a label for its query, but for another one: its query and its rank,
            where the labels were read with their pool.
        depths: budget -> int64 per query, how many documents of the ranking fit into it, where budgets were asked for.
    """

    qrels: Qrels
    label: Ints
    rank: Ints
    retrieved: Ints
    answered: Bools
    tied: tuple[Ints, Ints] | None = None
    elsewhere: tuple[Ints, Ints] | None = None
    depths: Mapping[Budget, Ints] = field(default_factory=dict)

    @property
    def queries(self) -> int:
        """How many judged queries there are; the length of every per-query array."""
        return len(self.qrels.query_ids)

    @cached_property
    def query(self) -> Ints:
        """int64 per hit: the number of its query."""
        return self.qrels.query_of[self.label]

    @cached_property
    def grade(self) -> Ints:
        """int64 per hit: its relevance grade."""
        return self.qrels.grades[self.label]

    def sum(self, values: Floats | Bools, query: Ints | None = None) -> Floats:
        """float64 per query: the sum of `values` (one per hit, or one per entry of `query`), added in order."""
        at = self.query if query is None else query
        return np.asarray(np.bincount(at, weights=values, minlength=self.queries), np.float64)

    def relevant(self, level: int, cutoff: int | None = None) -> Bools:
        """Flags (bool per hit): its grade is `level` or more, and it is among the top `cutoff`."""
        found = self.grade >= level
        return found if cutoff is None else found & (self.rank <= cutoff)

    def running(self, flags: Bools) -> Ints:
        """int64 per hit: how many hits of its query up to and including it have their flag set."""
        total = np.cumsum(flags)
        before = np.concatenate(([0], total))[np.searchsorted(self.query, self.query, side="left")]
        return np.asarray(total - before, np.int64)

    def count_labels(self, low: int, high: int | None = None) -> Ints:
        """int64 per query: how many labels have a grade >= `low` (and < `high`)."""
        grades = self.qrels.grades
        wanted = grades >= low if high is None else (grades >= low) & (grades < high)
        return np.bincount(self.qrels.query_of[wanted], minlength=self.queries)

    @cached_property
    def ideal(self) -> tuple[Ints, Ints, Ints]:
        """(query, rank, grade) of all labels in the best possible order: by query, grade descending, rank from 1."""
        order = np.lexsort((-self.qrels.grades, self.qrels.query_of))
        query = self.qrels.query_of[order]
        rank = np.arange(len(order)) - self.qrels.offsets[query] + 1
        return query, rank, self.qrels.grades[order]

    def cut(self, depth: int | Ints | None) -> Hits:
        """Only the top `depth` documents of each query (trec_eval's -M); of several depths each query has its own."""
        if depth is None:
            return self
        limit = np.broadcast_to(np.asarray(depth, np.int64), (self.queries,))
        keep = self.rank <= limit[self.query]
        elsewhere = self.elsewhere
        if elsewhere is not None:
            above = elsewhere[1] <= limit[elsewhere[0]]
            elsewhere = elsewhere[0][above], elsewhere[1][above]
        return replace(
            self,
            label=self.label[keep],
            rank=self.rank[keep],
            retrieved=np.minimum(self.retrieved, limit),
            elsewhere=elsewhere,
        )

    @cached_property
    def judged(self) -> Hits:
        """As if unjudged documents, and those with a negative grade, had not been retrieved (trec_eval's -J)."""
        keep = self.grade >= 0
        query = self.query[keep]
        rank = np.arange(len(query)) - np.searchsorted(query, query, side="left") + 1
        retrieved = np.bincount(query, minlength=self.queries)
        gone = None if self.elsewhere is None else (self.elsewhere[0][:0], self.elsewhere[1][:0])
        return replace(self, label=self.label[keep], rank=rank, retrieved=retrieved, elsewhere=gone)

    def regraded(self, grades: Mapping[int, int]) -> Hits:
        """With other grades for the labels of these numbers."""
        qrels = copy(self.qrels)
        qrels.grades = self.qrels.grades.copy()
        qrels.grades[list(grades)] = list(grades.values())
        return replace(self, qrels=qrels)

    def restricted(self, keep: Bools) -> Hits:
        """Against only the labels where `keep` (bool per label) is true; other hits become unjudged documents."""
        qrels = self.qrels.subset(keep)
        kept = keep[self.label]
        still = np.unique(self.qrels.query_of[keep])
        return Hits(
            qrels,
            (np.cumsum(keep) - 1)[self.label[kept]],
            self.rank[kept],
            self.retrieved[still],
            self.answered[still],
            None if self.tied is None else (self.tied[0][kept], self.tied[1][kept]),
            self._elsewhere_in(still, ~kept),
            {budget: depth[still] for budget, depth in self.depths.items()},
        )

    def _elsewhere_in(self, queries: Ints, more: Bools) -> tuple[Ints, Ints] | None:
        """`elsewhere` with more hits that are one now, of some queries only, which are numbered anew."""
        if self.elsewhere is None:
            return None
        query = np.concatenate([self.elsewhere[0], self.query[more]])
        rank = np.concatenate([self.elsewhere[1], self.rank[more]])
        here = np.isin(query, queries)
        return np.searchsorted(queries, query[here]), rank[here]
