"""infAP: inferred average precision, where only a sample of the pool was judged."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure

# trec_eval's INFAP_EPSILON.
_SMOOTHING = 0.00001


def inferred_average_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as trec_eval's m_infap.c; a negative grade is a document of the pool that nobody judged."""
    relevant = hits.relevant(measure.level)
    above_relevant = (hits.running(relevant) - 1)[relevant]
    above_judged = (hits.running(hits.grade >= 0) - 1)[relevant]
    above_pooled = above_judged + hits.running(hits.grade < 0)[relevant]
    rank, query = hits.rank[relevant], hits.query[relevant]
    # In trec_eval's order of operations, which rounds as it does.
    above = np.asarray(rank - 1.0, np.float64)
    share = np.asarray((above_relevant + _SMOOTHING) / (above_judged + 2 * _SMOOTHING), np.float64)
    expected = 1.0 / rank + (above / rank) * ratio(above_pooled, above) * share
    return ratio(hits.sum(np.where(rank == 1, 1.0, expected), query), hits.count_labels(measure.level))


MEASURES = (
    Family(
        name="infAP",
        compute=inferred_average_precision,
        takes=frozenset({"rel"}),
        trec_eval={"infAP": ()},
        summary="average precision inferred from a judged sample of the pool",
        formula="infAP = (1 / R) * sum over retrieved relevant d at rank i of 1/i + (i-1)/i * (pooled above / (i-1)) * "
        "(relevant above + e) / (judged above + 2e), e = 0.00001",
        range="0 to 1",
        convention="a grade below 0 means pooled but not judged; a document without a label was not pooled and is not relevant",
        source="Yilmaz & Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006; "
        "trec_eval m_infap.c",
        traps=(
            "qrels that use negative grades for spam or junk say something else than this measure reads",
            "with a fully judged pool it is AP, but for the smoothing e",
            "under -J (--judged-only) nothing is left to infer",
        ),
        elsewhere={"trec_eval": "infAP", "ir_measures": "infAP"},
    ),
)
