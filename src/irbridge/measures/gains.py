"""What grades are worth, and the best order by that: what every measure of graded gain is made of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from irbridge.arrays import Floats, Ints
from irbridge.conventions import LINEAR
from irbridge.errors import InputError, UsageError, shown
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.qrels import Qrels

# Sums of gains stay finite for any number of labels that memory holds: 2**1000 * 2**23 < 2**1023.
_EXPONENT_LIMIT = 1000
_GAIN_LIMIT = 2.0**1000


def check_gains(qrels: Qrels, measure: Measure) -> None:
    """Refuse gains that no double can sum.

    Raises:
        InputError: exponential gain of a grade so high that no double holds it.
        UsageError: a custom gain so large that a sum of gains may not be finite.
    """
    gain = measure.gain or LINEAR
    if gain.kind == "exp" and len(qrels.grades) and int(qrels.grades.max()) > _EXPONENT_LIMIT:
        label = int(qrels.grades.argmax())
        query = qrels.query_ids[int(qrels.query_of[label])]
        raise InputError(
            f"{measure.asked}: the gain 2^grade - 1 of grade {qrels.grades[label]} (query {shown(query)}) is beyond a double",
            hint="use linear gain (nDCG@k, or --gain linear), or map the grades to a few levels first",
        )
    if any(worth > _GAIN_LIMIT for _, worth in gain.table):
        raise UsageError(
            f"{measure.asked}: a gain is too large to be summed",
            hint="only the ratios of gains matter: scale them down",
        )


def worth_of(grades: Ints, measure: Measure) -> Floats:
    """What grades are worth. A grade that a custom table does not name is worth itself (trec_eval, ir_measures)."""
    gain = measure.gain or LINEAR
    positive = np.maximum(grades, 0)
    if gain.kind == "exp":
        worth = np.ldexp(1.0, positive.astype(np.int32)) - 1.0  # exact powers, where exp2 may be off by a bit
    else:
        worth = positive.astype(np.float64)
        for grade, value in gain.table:
            worth[grades == grade] = value
        worth[grades < 0] = 0.0
    if measure.level_cuts_gain:
        worth[grades < measure.level] = 0.0
    return worth


def ideal_order(hits: Hits, measure: Measure) -> tuple[Ints, Ints, Floats]:
    """(query, rank, worth) of all labels in the best order by worth: by query, rank from 1."""
    query, rank, grade = hits.ideal
    if measure.gain is not None and measure.gain.kind == "custom":
        # A table may value a lower grade above a higher one, so the best order is by worth.
        grade = grade[np.lexsort((-worth_of(grade, measure), query))]
    return query, rank, worth_of(grade, measure)


def ideal_dcg(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the DCG of its labels in the best order, those retrieved and those not, cut at the cutoff."""
    query, rank, worth = ideal_order(hits, measure)
    if measure.cutoff is not None:
        top = rank <= measure.cutoff
        query, rank, worth = query[top], rank[top], worth[top]
    return hits.sum(worth / np.log2(rank + 1.0), query)


class Curve:
    """A running sum down each query's list, to be read at any rank.

    Args:
        queries: how many queries there are.
        query: int64 per entry, ascending.
        rank: int64 per entry, ascending within a query.
        values: what is added up.
    """

    def __init__(self, queries: int, query: Ints, rank: Ints, values: Floats) -> None:
        self._rank, self._query = rank, query
        self._start = np.searchsorted(query, np.arange(queries), side="left")
        self._sums = values.copy()
        for entry, before in steps(self._start, np.bincount(query, minlength=queries)):
            self._sums[entry] += self._sums[before]

    def at(self, query: Ints, rank: Ints) -> Floats:
        """float64 per (query, rank): the sum over that query's entries of at most that rank."""
        deepest = int(max(rank.max(initial=0), self._rank.max(initial=0))) + 1
        place = np.searchsorted(self._query * deepest + self._rank, query * deepest + rank, side="right")
        sums = np.append(self._sums, 0.0)[place - 1]
        return np.where(place > self._start[query], sums, 0.0)


def steps(start: Ints, size: Ints) -> Iterator[tuple[Ints, Ints]]:
    """(entries, entries before) for the second, third, ... entry of each query at once, where there are so many.

    A recurrence down each list runs so without a call per query, and gives to the last bit what the query alone gives.
    """
    place = 1
    several = start[size > place]
    size = size[size > place]
    while len(several):
        yield several + place, several + place - 1
        place += 1
        several, size = several[size > place], size[size > place]
