"""Accuracy: how often a relevant document stands above another one."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure


def pairwise_accuracy(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: pairs of the top k in the right order / pairs, of a relevant and another document each."""
    relevant = hits.relevant(measure.level, measure.cutoff)
    found = hits.sum(relevant)
    shown = hits.retrieved if measure.cutoff is None else np.minimum(hits.retrieved, measure.cutoff)
    above = hits.sum(np.where(relevant, hits.rank - hits.running(relevant), 0))
    wrong = ratio(above, np.asarray((shown - found) * found, np.float64))
    return np.where(found > 0, 1.0 - wrong, 0.0)


MEASURES = (
    Family(
        name="Accuracy",
        compute=pairwise_accuracy,
        takes=frozenset({"cutoff", "rel"}),
        summary="the share of pairs of a relevant and another retrieved document that stand in the right order",
        formula="Accuracy@k = 1 - (sum over relevant documents of the top k of other documents above) / (relevant * other ones there)",
        range="0 to 1; 1/2 is chance",
        convention="an unjudged document is another one; without a relevant document in the top k it is 0, with nothing else 1",
        source="ir_measures 0.4.3, providers/accuracy_provider.py",
        traps=(
            "made to compare with the training accuracy of a reranker; it says nothing of what was not retrieved",
            "ir_measures leaves queries out of its mean where nothing relevant is there, and fails where nothing else is",
            "BEIR's Accuracy@k is Success@k",
        ),
        elsewhere={"ir_measures": "Accuracy, Accuracy@10, Accuracy(rel=2)@10"},
    ),
)
