"""IPrec and 11pt_avg: interpolated precision at shares of the relevant documents."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats, Ints
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import by_count

# The shares that trec_eval takes when none are given.
ELEVEN = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def documents_at(share: float, total: Ints, *, rounded: bool) -> Ints:
    """int64 per query: how many relevant documents `share` of `total` is.

    The nearest whole number, halves up (trec_eval 10's lround), or the integer part of share * total + 0.9 (9).
    """
    exact = share * total.astype(np.float64)
    if not rounded:
        return np.floor(exact + 0.9).astype(np.int64)
    below = np.floor(exact)
    return np.asarray(below + (exact - below >= 0.5), np.int64)


def interpolated(hits: Hits, measure: Measure, shares: tuple[float, ...]) -> Floats:
    """float64 per (share, query): the highest precision at any rank where so much of the relevant documents is found."""
    relevant = hits.relevant(measure.level)
    # Behind the last hit stands one more, for the end of the last query's.
    precision = np.append(hits.running(relevant)[relevant] / hits.rank[relevant], 0.0)
    found = np.bincount(hits.query[relevant], minlength=hits.queries)
    start = np.cumsum(found) - found
    total = hits.count_labels(measure.level)
    values = np.zeros((len(shares), hits.queries))
    for row, share in enumerate(shares):
        needed = np.maximum(documents_at(share, total, rounded=measure.recall_points == "round"), 1)
        reached = np.flatnonzero(found >= needed)
        if len(reached):
            spans = np.stack([start + needed - 1, start + found])[:, reached].T.ravel()
            values[row, reached] = np.maximum.reduceat(precision, spans)[::2]
    return values


def interpolated_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: interpolated precision at one share (trec_eval's m_iprec_at_recall.c)."""
    return np.asarray(interpolated(hits, measure, (measure.option("recall"),))[0], np.float64)


def averaged(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over several shares (trec_eval's m_11pt_avg.c)."""
    points = measure.series("points")
    # Added up one after the other, from the last: in trec_eval's order.
    total = np.zeros(hits.queries)
    for values in interpolated(hits, measure, points)[::-1]:
        total += values
    return total / len(points)


_CONVENTION = (
    "how many documents a share of R is differs between releases of trec_eval: int(x R + 0.9) up to 9, the nearest whole "
    "number from 10; --recall-points up or round, set by the convention"
)
_SOURCE = "van Rijsbergen, Information Retrieval, 2nd ed. 1979, ch. 7; "
_NAN = "where -J leaves nothing of a ranking, trec_eval divides 0 by 0 and prints nan for it and the mean; here it is 0"
_TRAP = "two relevant documents, one found at rank 1: at share 0.6 it is 0 in trec_eval 9 and pytrec_eval, 1 in trec_eval 10"

MEASURES = (
    Family(
        name="IPrec",
        compute=interpolated_precision,
        extremes=by_count,
        unreturned="lowers",
        takes=frozenset({"rel", "judged_only"}),
        needs_cutoff=True,
        options={"recall": None},
        at="recall",
        knobs=frozenset({"recall_points"}),
        trec_eval={"iprec_at_recall": ELEVEN},
        summary="interpolated precision where a share of the relevant documents is found",
        formula="IPrec@x = the highest precision P@i of any rank i that has at least x R of the R relevant documents at or above it",
        range="0 to 1; falls as x grows",
        convention=_CONVENTION,
        source=_SOURCE + "trec_eval m_iprec_at_recall.c",
        traps=(
            _TRAP,
            "the number after @ is a share of recall, not a depth",
            "trec_eval prints two decimals of x, whatever was asked for",
            _NAN,
        ),
        elsewhere={
            "trec_eval": "iprec_at_recall.0.1 (printed as iprec_at_recall_0.10)",
            "ir_measures": "IPrec@0.1",
        },
    ),
    Family(
        name="11pt_avg",
        compute=averaged,
        extremes=by_count,
        unreturned="lowers",
        takes=frozenset({"rel", "judged_only"}),
        options={"points": ELEVEN},
        knobs=frozenset({"recall_points"}),
        trec_eval={"11pt_avg": ()},
        summary="interpolated precision averaged over eleven shares of the relevant documents",
        formula="11pt_avg = mean of IPrec@x over x = 0, 0.1, ..., 1",
        range="0 to 1",
        convention=_CONVENTION,
        source=_SOURCE + "trec_eval m_11pt_avg.c",
        traps=(
            _TRAP,
            "superseded by AP; eleven points are in the name, others are averaged when they are given",
            _NAN,
        ),
        elsewhere={"trec_eval": "11pt_avg, 11pt_avg.0.2,0.5,0.8 (printed as 11pt_avg_0.2,0.5,0.8)"},
    ),
)
