"""R: recall at a cutoff."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure
from irbridge.measures.extremes import inside_and_below


def recall(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in the top k, divided by all relevant ones (trec_eval's m_recall.c)."""
    return ratio(hits.sum(hits.relevant(measure.level, measure.cutoff)), hits.count_labels(measure.level))


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents."""
    from irbridge.measures import tie_means

    gains = hits.relevant(measure.level).astype(np.float64)
    found = tie_means.summed(hits, gains, np.ones(tie_means.deepest(hits)), measure.cutoff)
    return ratio(found, hits.count_labels(measure.level))


MEASURES = (
    Family(
        name="R",
        compute=recall,
        extremes=inside_and_below,
        unreturned="lowers",
        expected=over_ties,
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        needs_cutoff=True,
        aliases=("Recall",),
        trec_eval={"recall": TREC_CUTOFFS},
        spec="recall",
        summary="recall: the share of the relevant documents that the top k holds",
        formula="R@k = (relevant documents among the top k) / (relevant documents judged for the query)",
        range="0 to 1; at most k / R where a query has R > k relevant documents",
        convention="divided by all relevant labels, not by min(R, k); a query without relevant documents has recall 0",
        source="Cleverdon, Mills & Keen 1966 (Cranfield II); trec_eval m_recall.c",
        traps=(
            "a label whose document is not in the corpus keeps recall below 1 for every system",
            "capped recall divides by min(R, k): BEIR calls it R_cap@k, and it differs as soon as R > k",
            "what many write-ups call recall@k is whether anything relevant was found: Success@k",
        ),
        elsewhere={
            "trec_eval": "recall.100 (printed as recall_100)",
            "ir_measures": "R@100, Recall@100",
            "spec": "recall@100",
            "BEIR": "Recall@100 (R_cap@100 is another measure)",
            "ranx": "recall@100",
            "LlamaIndex": "recall (over everything returned: SetR)",
            "Ragas": "IDBasedContextRecall (over everything returned: SetR)",
        },
    ),
)
