"""Success: whether anything relevant was found."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone


def success(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: 1 if a relevant document is among the top k, else 0 (trec_eval's m_success.c)."""
    return np.minimum(hits.sum(hits.relevant(measure.level, measure.cutoff)), 1.0)


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the share of all orders of tied documents that succeed."""
    from irbridge.measures import tie_means

    return tie_means.first_relevant(
        hits, hits.relevant(measure.level), np.ones(tie_means.deepest(hits)), measure.cutoff
    )


MEASURES = (
    Family(
        name="Success",
        compute=success,
        extremes=monotone,
        unreturned="nothing",
        expected=over_ties,
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        needs_cutoff=True,
        trec_eval={"success": (1, 5, 10)},
        spec="hit_rate",
        summary="success, or hit rate: whether the top k holds anything relevant",
        formula="Success@k = 1 if a relevant document is among the top k, else 0",
        range="0 or 1; the mean is the share of queries with a hit",
        convention="one relevant document is enough, however many there are",
        source="Tomlinson, Early Precision Measures, 2006; trec_eval m_success.c",
        traps=(
            "often published as recall@k or accuracy@k; it equals R@k only where every query has one relevant document",
            "never falls when k grows, so a large k makes every system look alike",
        ),
        elsewhere={
            "trec_eval": "success.5 (printed as success_5)",
            "ir_measures": "Success@5",
            "spec": "hit_rate@5",
            "BEIR": "Accuracy@5",
            "ranx": "hit_rate@5 (its hits@5 is a count)",
            "LlamaIndex": "hit_rate (whole list)",
            "sentence-transformers": "Accuracy@5",
        },
    ),
)
