"""Judged: how much of a ranking the judgments know."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure


def judged_share(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: labelled documents among the top k, divided by the documents that are there (at most k)."""
    if measure.cutoff is None:
        return ratio(hits.sum(np.ones(len(hits.rank), np.bool_)), hits.retrieved)
    return ratio(hits.sum(hits.rank <= measure.cutoff), np.minimum(hits.retrieved, measure.cutoff))


MEASURES = (
    Family(
        name="Judged",
        compute=judged_share,
        takes=frozenset({"cutoff"}),
        by_grade=False,
        summary="the share of the top k that has a label, whatever its grade",
        formula="Judged@k = (labelled documents among the top k) / min(k, documents retrieved)",
        range="0 to 1",
        convention="any label counts, also grade 0 and negative ones; a shorter ranking is divided by its own length",
        source="ir_measures 0.4.3, providers/judged_provider.py (after OpenNIR); trec_eval 10.0 has the complement, m_unjudged.c",
        traps=(
            "says nothing about quality: a low value says that the other numbers rest on few labels",
            "under --judged-only it is 1 wherever anything judged was retrieved",
            "trec_eval's unj divides by k, and takes negative grades for unjudged",
            "BEIR's Hole@k counts a document as known when any query has a label for it",
        ),
        elsewhere={
            "ir_measures": "Judged@10",
            "trec_eval": "unj.10 in 10.0 (the complement, divided by k)",
            "BEIR": "Hole@10 (the complement, over the labels of all queries, divided by k)",
        },
    ),
)
