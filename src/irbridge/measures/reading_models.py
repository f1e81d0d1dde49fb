"""Measures of the C/W/L framework: a reader who goes on from rank i with probability c_i, and what is gained per document."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from irbridge.arrays import Floats
from irbridge.errors import UsageError
from irbridge.hits import Hits
from irbridge.measures.base import Measure

# How far cwl_eval looks: its weights add up to 1 over so many ranks, and a shorter ranking is filled up with nothing.
DEPTH = 1000
# Queries are laid out as rows of a table of at most so many numbers.
_BLOCK = 2**18

# (gains by query and rank, rank) -> the chance to go on from each rank.
GoesOn = Callable[[Floats, Floats], Floats]
SCALE = {"min_rel": 0.0, "max_rel": None}
SCALE_BOUNDS = {"min_rel": (0.0, 2.0**53), "max_rel": (0.0, 2.0**53)}
WHOLE = frozenset({"min_rel", "max_rel"})
SOURCE = "Azzopardi, Thomas & Moffat, cwl_eval, SIGIR 2019, as in ir_measures 0.4.3"
CONVENTION = (
    "a grade gains (grade - min_rel) / (max_rel - min_rel), cut to 0 and 1; unjudged documents gain 0; 1,000 ranks are looked at "
    "and their weights add up to 1, whatever the ranking's length"
)


def scaled(hits: Hits, measure: Measure) -> Floats:
    """float64 per hit: its gain between 0 and 1.

    Raises:
        UsageError: max_rel is not above min_rel.
    """
    low, high = measure.option("min_rel"), measure.option("max_rel")
    if low >= high:
        raise UsageError(
            f"{measure.asked}: min_rel must be less than max_rel", hint="give the ends of the scale of grades"
        )
    return np.clip((hits.grade - low) / (high - low), 0.0, 1.0)


def gain_per_document(hits: Hits, gains: Floats, goes_on: GoesOn) -> Floats:
    """float64 per query: gains weighted by the chance that their rank is looked at, divided by the sum of those chances."""
    values = np.zeros(hits.queries)
    rank = np.arange(1.0, DEPTH + 1)
    rows = _BLOCK // DEPTH
    for first in range(0, hits.queries, rows):
        last = min(first + rows, hits.queries)
        own = slice(*np.searchsorted(hits.query, [first, last]))
        seen = hits.rank[own] <= DEPTH
        table = np.zeros((last - first, DEPTH))
        table[hits.query[own][seen] - first, hits.rank[own][seen] - 1] = gains[own][seen]
        chance = np.ones_like(table)
        np.cumprod(goes_on(table, rank)[:, :-1], axis=1, out=chance[:, 1:])
        values[first:last] = (chance * table).sum(axis=1) / chance.sum(axis=1)
    return values
