"""Rprec: precision at rank R; Rprec_mult: at multiples of R."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import by_count


def r_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in the top R, divided by R (trec_eval's m_Rprec.c)."""
    total = hits.count_labels(measure.level)
    within = hits.relevant(measure.level) & (hits.rank <= total[hits.query])
    return ratio(hits.sum(within), total)


def precision_at_multiple(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: precision at int(multiple * R + 0.9), 0 where that is 0 (trec_eval's m_Rprec_mult.c)."""
    total = hits.count_labels(measure.level).astype(np.float64)
    depth = np.floor(measure.option("multiple") * total + 0.9)
    return ratio(hits.sum(hits.relevant(measure.level) & (hits.rank <= depth[hits.query])), depth)


MEASURES = (
    Family(
        name="Rprec",
        compute=r_precision,
        extremes=by_count,
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
    Family(
        name="Rprec_mult",
        compute=precision_at_multiple,
        extremes=by_count,
        takes=frozenset({"rel", "judged_only"}),
        needs_cutoff=True,
        options={"multiple": None},
        bounds={"multiple": (0.0, 1e6)},
        at="multiple",
        trec_eval={"Rprec_mult": (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)},
        summary="precision after a multiple of as many documents as are relevant",
        formula="Rprec_mult@x = (relevant documents among the top i) / i, i = int(x R + 0.9)",
        range="0 to 1; at most 1 / x for x above 1",
        convention="divided by i even when fewer documents were retrieved; both releases of trec_eval round this one alike",
        source="trec_eval m_Rprec_mult.c",
        traps=("Rprec_mult@1 is Rprec", "the number after @ is a multiple of R, not a depth"),
        elsewhere={"trec_eval": "Rprec_mult.0.5 (printed as Rprec_mult_0.50)"},
    ),
)
