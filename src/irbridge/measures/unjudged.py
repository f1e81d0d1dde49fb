"""unj: how much of the top k nobody judged."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure


def unjudged_share(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: documents without a grade of 0 or more in the top k, divided by k (trec_eval 10's m_unjudged.c)."""
    cutoff = measure.cutoff or 1
    judged = hits.sum((hits.grade >= 0) & (hits.rank <= cutoff))
    return (np.minimum(hits.retrieved, cutoff) - judged) / float(cutoff)


MEASURES = (
    Family(
        name="unj",
        compute=unjudged_share,
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        trec_eval={"unj": (5, 10, 20)},
        by_grade=False,
        summary="the share of the top k that nobody judged",
        formula="unj@k = (unjudged documents among the top k) / k",
        range="0 to 1",
        convention="a negative grade is unjudged; ranks after the end of a ranking count as judged",
        source="trec_eval m_unjudged.c of 10.0",
        traps=(
            "not 1 - Judged@k: that divides by the documents that are there, and takes negative grades for judgments",
            "0 for an empty ranking, of which nothing is known",
        ),
        elsewhere={"trec_eval": "unj.10 (printed as unj_10; 10.0)"},
    ),
)
