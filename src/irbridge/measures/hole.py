"""Hole: how much of the top k no query has a label for, as BEIR has it."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.errors import InputError
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure


def hole(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: documents of the top k that no query has a label for, divided by k (BEIR's hole).

    Raises:
        InputError: the labels were read without their pool.
    """
    if hits.elsewhere is None:
        raise InputError(
            f"{measure.asked} needs to know the documents of all labels while the run is read",
            hint="score it from the labels themselves; Judged@k asks the labels of the query alone",
        )
    cutoff = measure.cutoff or 1
    query, rank = hits.elsewhere
    known = hits.sum(hits.rank <= cutoff) + hits.sum(rank <= cutoff, query)
    return np.maximum(np.minimum(hits.retrieved, cutoff) - known, 0.0) / float(cutoff)


MEASURES = (
    Family(
        name="Hole",
        compute=hole,
        takes=frozenset({"cutoff"}),
        needs_cutoff=True,
        needs="pool",
        by_grade=False,
        summary="the share of the top k that no query has a label for",
        formula="Hole@k = (documents among the top k without a label of any query) / k",
        range="0 to 1",
        convention="ranks after the end of a ranking are no holes; any label of any query counts, whatever its grade",
        source="Thakur et al., BEIR, NeurIPS 2021 (Hole@k, beir/retrieval/custom_metrics.py)",
        traps=(
            "a document that only another query has a label for is no hole; 1 - Judged@k asks the query's own labels",
            "BEIR breaks ties by the order of its dict, divides by all judged queries and rounds to five places",
        ),
        elsewhere={"BEIR": "Hole@10 (evaluate_custom, hole)"},
    ),
)
