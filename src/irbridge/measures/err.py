"""ERR: expected reciprocal rank."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.errors import UsageError
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone
from irbridge.measures.gains import steps

# gdeval.pl's MAX_JUDGMENT.
_USUAL_TOP = 4


def expected_reciprocal_rank(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the chance to be satisfied first at rank i, divided by i, summed (gdeval.pl).

    Raises:
        UsageError: a grade above the highest one that the name gives.
    """
    highest = int(hits.qrels.grades.max(initial=0))
    given = int(measure.option("max_rel"))
    if given and highest > given:
        raise UsageError(
            f"{measure.asked}: there is a grade {highest}, above max_rel",
            hint=f"ERR(max_rel={highest})@{measure.cutoff or 10}, or leave max_rel out",
        )
    top = given or max(_USUAL_TOP, highest)
    # (2^grade - 1) / 2^top, by exact powers.
    satisfied = np.ldexp(1.0, np.maximum(hits.grade, 0) - top) - np.ldexp(1.0, -top)
    going_on = np.ones(len(satisfied))
    start = np.searchsorted(hits.query, np.arange(hits.queries), side="left")
    for entry, before in steps(start, np.bincount(hits.query, minlength=hits.queries)):
        going_on[entry] = going_on[before] * (1.0 - satisfied[before])
    values = going_on * satisfied / hits.rank
    return hits.sum(values if measure.cutoff is None else np.where(hits.rank <= measure.cutoff, values, 0.0))


def extremes(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best), float64 per query, over all grades of the unjudged documents.

    A more satisfying document at rank i takes from those below at most what 1 / (i + 1) of its chance gives, and adds 1 / i of it.

    Raises:
        UsageError: grades so high that the scale of all grades would be another one.
    """
    highest = max(_USUAL_TOP, int(hits.qrels.grades.max(initial=0)))
    if top > (measure.option("max_rel") or highest):
        raise UsageError(
            f"{measure.asked}: unjudged documents of grade {top} would change the scale that all grades are on",
            hint=f"ERR(max_rel={top})@{measure.cutoff or 10}",
        )
    return monotone(hits, measure, top)


MEASURES = (
    Family(
        name="ERR",
        compute=expected_reciprocal_rank,
        extremes=extremes,
        unreturned="nothing",
        takes=frozenset({"cutoff"}),
        options={"max_rel": 0.0},
        bounds={"max_rel": (0.0, 1000.0)},
        whole=frozenset({"max_rel"}),
        summary="expected reciprocal rank of the document that satisfies the reader",
        formula="ERR@k = sum over ranks i <= k of (1 / i) * r_i * product over j < i of (1 - r_j), r = (2^grade - 1) / 2^max_rel",
        range="0 to 1; below 1 - 2^-max_rel",
        convention="max_rel is the highest grade of the scale: 4 as in gdeval, or the highest one in the judgments where that is "
        "above 4, unless the name gives it; unjudged documents and negative grades do not satisfy",
        source="Chapelle, Metzler, Zhang & Grinspan, CIKM 2009; gdeval.pl of TREC's Web track, as in ir_measures 0.4.3",
        traps=(
            "the scale matters: with max_rel=1 a single relevant document on top is 1/2, with max_rel=4 it is 1/16",
            "not divided by the best value that the labels allow, so a mean over queries is ruled by those with high grades",
            "ir_measures refuses grades above 4 and query ids that are no numbers, and rounds to five places",
        ),
        elsewhere={"ir_measures": "ERR, ERR@10"},
    ),
)
