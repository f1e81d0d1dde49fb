"""P: precision at a cutoff."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure
from irbridge.measures.extremes import monotone


def precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in the top k, divided by k however few were retrieved (trec_eval's m_P.c)."""
    cutoff = measure.cutoff or 1
    return hits.sum(hits.relevant(measure.level, cutoff)) / float(cutoff)


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents."""
    from irbridge.measures import tie_means

    gains = hits.relevant(measure.level).astype(np.float64)
    return tie_means.summed(hits, gains, np.ones(tie_means.deepest(hits)), measure.cutoff) / float(measure.cutoff or 1)


MEASURES = (
    Family(
        name="P",
        compute=precision,
        extremes=monotone,
        unreturned="nothing",
        expected=over_ties,
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        needs_cutoff=True,
        aliases=("Precision",),
        trec_eval={"P": TREC_CUTOFFS},
        spec="precision",
        summary="precision: the share of the top k that is relevant",
        formula="P@k = (relevant documents among the top k) / k",
        range="0 to 1; at most R / k where a query has only R relevant documents",
        convention="divided by k even when fewer than k documents were retrieved; an unjudged document is not relevant",
        source="Cleverdon, Mills & Keen 1966 (Cranfield II); trec_eval m_P.c",
        traps=(
            "a query with fewer relevant documents than k cannot reach 1, so means over unlike queries compare badly",
            "some tools divide by the number of documents returned; that is SetP here",
            "trec_eval reads P.5.10 as P_5 alone and says nothing; P.5,10 is both",
        ),
        elsewhere={
            "trec_eval": "P.10 (printed as P_10)",
            "ir_measures": "P@10, Precision@10",
            "spec": "precision@10",
            "BEIR": "P@10",
            "ranx": "precision@10",
            "LlamaIndex": "precision (divides by what was returned: SetP)",
            "Ragas": "IDBasedContextPrecision (divides by what was returned: SetP)",
        },
    ),
)
