"""The least and the most that a measure can be over all grades of the unjudged documents in a ranking.

The documents that a ranking returned and nobody judged for its query take every grade from 0 to a highest one, each on its own;
labels stay, and documents that were not returned stay unjudged. What stands here is exact. A measure comes to its extremes in
one of four ways, and its descriptor names the one that was proven for it:

- `monotone`: a higher grade never lowers it, so all documents have the highest, or the lowest.
- `inside_and_below`: relevant documents in the top k never lower it, those below never raise it (they only make R larger).
- `by_count`: of so many relevant documents it is highest with them on top, and lowest with them at the end; every number is tried.
- a function of its own, in the module of the measure (AP, nDCG), that comes to the same without trying.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from irbridge.arrays import Bools, Floats, Ints
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.measures.gains import worth_of


class Unjudged(NamedTuple):
    """The retrieved documents without a label for their query, by query, then rank.

    Attributes:
        query, rank: int64 per document.
        place: int64 per document, how many of its query stand above it.
    """

    query: Ints
    rank: Ints
    place: Ints

    def left(self) -> Ints:
        """int64 per document: how many of its query stand below it."""
        size = np.bincount(self.query, minlength=1)
        return size[self.query] - self.place - 1


def unjudged(hits: Hits) -> Unjudged:
    """Those of the hits' rankings."""
    ends = np.cumsum(hits.retrieved)
    query = np.repeat(np.arange(hits.queries), hits.retrieved)
    rank = np.arange(len(query)) - (ends - hits.retrieved)[query] + 1
    free = np.ones(len(query), np.bool_)
    free[(ends - hits.retrieved)[hits.query] + hits.rank - 1] = False
    query, rank = query[free], rank[free]
    return Unjudged(query, rank, np.arange(len(query)) - np.searchsorted(query, query, side="left"))


def assigned(hits: Hits, found: Unjudged, chosen: Bools, grade: int) -> Hits:
    """The hits with a label of this grade for each chosen document."""
    query = np.concatenate([hits.qrels.query_of, found.query[chosen]])
    order = np.argsort(query, kind="stable")
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    more = np.full(int(chosen.sum()), grade, np.int64)
    qrels = copy(hits.qrels)
    qrels.grades = np.concatenate([hits.qrels.grades, more])[order]
    qrels.offsets = np.concatenate(([0], np.cumsum(np.bincount(query, minlength=hits.queries))))
    qrels.query_of = query[order]
    label = np.concatenate([number[hits.label], number[len(hits.qrels.grades) :]])
    rank = np.concatenate([hits.rank, found.rank[chosen]])
    placed = np.lexsort((rank, qrels.query_of[label]))
    return replace(hits, qrels=qrels, label=label[placed], rank=rank[placed], tied=None)


def with_unreturned(hits: Hits, counts: Ints, grade: int) -> Hits:
    """The hits with so many more labels of this grade for each query (int64), of documents that were not returned."""
    added = np.concatenate(([0], np.cumsum(counts)))
    places = np.repeat(hits.qrels.offsets[1:], counts)
    qrels = copy(hits.qrels)
    qrels.grades = np.insert(hits.qrels.grades, places, grade)
    qrels.offsets = hits.qrels.offsets + added
    qrels.query_of = np.insert(hits.qrels.query_of, places, np.repeat(np.arange(hits.queries), counts))
    return replace(hits, qrels=qrels, label=hits.label + added[hits.query])


def grades_to_try(measure: Measure, top: int, labels: Ints) -> Ints:
    """int64, ascending: grades from 0 to `top` among which are the least and the most valued, and the neighbours in value of labels."""
    tried = {0, top, *labels.tolist()}
    gain = measure.gain
    if gain is not None:
        tried |= {grade + step for grade, _ in gain.table for step in (-1, 0, 1)}
        tried |= {int(worth) + step for worth in worth_of(labels, measure).tolist() if worth <= top for step in (0, 1)}
    if measure.level_cuts_gain:
        tried |= {measure.level - 1, measure.level}
    return np.array(sorted(grade for grade in tried if 0 <= grade <= top), np.int64)


def monotone(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best), float64 per query, of a measure that a higher grade, or gain, never lowers."""
    lowest, highest = 0, top
    if measure.gain is not None:
        tried = grades_to_try(measure, top, np.zeros(0, np.int64))
        worth = worth_of(tried, measure)
        lowest, highest = int(tried[worth.argmin()]), int(tried[worth.argmax()])
    found = unjudged(hits)
    every = np.ones(len(found.query), np.bool_)
    compute = measure.family.compute
    return (
        compute(assigned(hits, found, every, lowest), measure),
        compute(assigned(hits, found, every, highest), measure),
    )


def inside_and_below(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best) of a share of relevant documents in the top k: the more of the others are relevant, the lower it is."""
    found = unjudged(hits)
    inside = found.rank <= (measure.cutoff or np.iinfo(np.int64).max)
    compute = measure.family.compute
    return compute(assigned(hits, found, ~inside, top), measure), compute(assigned(hits, found, inside, top), measure)


def by_count(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best) of a measure that moving a relevant document up never lowers, where their number is the same."""
    compute = measure.family.compute
    worst = best = compute(hits, measure)
    if top < measure.level:
        return worst, best
    found = unjudged(hits)
    left = found.left()
    for count in range(1, int(found.place.max(initial=-1)) + 2):
        best = np.maximum(best, compute(assigned(hits, found, found.place < count, top), measure))
        worst = np.minimum(worst, compute(assigned(hits, found, left < count, top), measure))
    return worst, best


class OneQuery(NamedTuple):
    """A query, for what has to be done for each.

    Attributes:
        number: of the query.
        hit: the place of its hits.
        free: int64, ranks of its unjudged documents, ascending.
        grades: int64, of its labels.
    """

    number: int
    hit: slice
    free: Ints
    grades: Ints


def queries(hits: Hits) -> Iterator[OneQuery]:
    """The queries that have unjudged documents in their rankings; of the others both extremes are the value."""
    found = unjudged(hits)
    every = np.arange(hits.queries + 1)
    free, own = np.searchsorted(found.query, every), np.searchsorted(hits.query, every)
    for number in range(hits.queries):
        ranks = found.rank[free[number] : free[number + 1]]
        if len(ranks):
            labels = slice(*hits.qrels.offsets[number : number + 2])
            yield OneQuery(number, slice(own[number], own[number + 1]), ranks, hits.qrels.grades[labels])
