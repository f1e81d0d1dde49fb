"""Rprec: precision at rank R."""

from __future__ import annotations

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure


def r_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in the top R, divided by R (trec_eval's m_Rprec.c)."""
    total = hits.count_labels(measure.level)
    within = hits.relevant(measure.level) & (hits.rank <= total[hits.query])
    return ratio(hits.sum(within), total)


MEASURES = (
    Family(
        name="Rprec",
        compute=r_precision,
        takes=frozenset({"rel", "judged_only"}),
        aliases=("RPrec",),
        trec_eval={"Rprec": ()},
        summary="R-precision: precision after as many documents as are relevant",
        formula="Rprec = (relevant documents among the top R) / R, R relevant documents judged for the query",
        range="0 to 1, and 1 is always attainable",
        convention="every query has its own cutoff R, where precision and recall are equal",
        source="Buckley & Voorhees, Retrieval System Evaluation, 2005 (TREC, ch. 3); trec_eval m_Rprec.c",
        traps=(
            "no cutoff can be given; P@R with a fixed number is another measure",
            "-l (rel) changes R, and with it the rank at which is looked",
        ),
        elsewhere={"trec_eval": "Rprec", "ir_measures": "Rprec, RPrec", "ranx": "r-precision"},
    ),
)
