"""relative_P, SetRelP: precision as a share of the highest that was possible; with a cutoff also BEIR's capped recall."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure
from irbridge.measures.extremes import inside_and_below, monotone


def relative_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in the top k, divided by min(k, R) (trec_eval's m_rel_P.c)."""
    cutoff = measure.cutoff or 1
    found = hits.sum(hits.relevant(measure.level, cutoff))
    return ratio(found, np.minimum(hits.count_labels(measure.level), cutoff))


def set_relative_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant retrieved / min(retrieved, R) (trec_eval's m_set_rel_P.c)."""
    return ratio(hits.sum(hits.relevant(measure.level)), np.minimum(hits.retrieved, hits.count_labels(measure.level)))


MEASURES = (
    Family(
        name="relative_P",
        compute=relative_precision,
        extremes=inside_and_below,
        unreturned="lowers",
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        needs_cutoff=True,
        aliases=("R_cap",),
        trec_eval={"relative_P": TREC_CUTOFFS},
        summary="precision as a share of the highest possible; BEIR's capped recall",
        formula="relative_P@k = (relevant documents among the top k) / min(k, R)",
        range="0 to 1, and 1 is always attainable where there is a relevant document",
        convention="a query without relevant documents is 0",
        source="trec_eval m_rel_P.c; Thakur et al., BEIR, NeurIPS 2021 (R_cap@k, beir/retrieval/custom_metrics.py)",
        traps=(
            "what BEIR publishes as R_cap@k; plain R@k is lower as soon as R > k",
            "BEIR divides by zero where a query has no relevant document, and breaks ties by the order of its dict",
        ),
        elsewhere={
            "trec_eval": "relative_P.10 (printed as relative_P_10)",
            "BEIR": "R_cap@10 (evaluate_custom, recall_cap)",
        },
    ),
    Family(
        name="SetRelP",
        compute=set_relative_precision,
        extremes=monotone,
        unreturned="lowers",
        ordered=False,
        takes=frozenset({"rel", "judged_only"}),
        trec_eval={"set_relative_P": ()},
        summary="precision of everything retrieved as a share of the highest possible",
        formula="SetRelP = (relevant retrieved) / min(retrieved, R)",
        range="0 to 1, and 1 is always attainable where there is a relevant document",
        convention="the whole ranking counts, whatever its length; cut it with --depth (trec_eval's -M)",
        source="trec_eval m_set_rel_P.c (formerly exact_relative_prec)",
        traps=("-M 50 with set_relative_P is not relative_P_50: a ranking of 20 is divided by 20 in the first",),
        elsewhere={"trec_eval": "set_relative_P", "ir_measures": "SetRelP, SetP(relative=True)"},
    ),
)
