"""Bpref: binary preference, which looks at judged documents only."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure


def binary_preference(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as trec_eval's m_bpref.c; a negative grade is neither relevant nor judged non-relevant."""
    relevant = hits.relevant(measure.level)
    above = hits.running((hits.grade >= 0) & ~relevant)[relevant]
    query = hits.query[relevant]
    total = hits.count_labels(measure.level)
    nonrelevant = hits.count_labels(0, measure.level)
    # Where a judged non-relevant document stands above a relevant one, both counts are at least 1.
    kept = 1.0 - ratio(np.minimum(above, total[query]), np.minimum(nonrelevant, total)[query])
    return ratio(hits.sum(kept, query), total)


MEASURES = (
    Family(
        name="Bpref",
        compute=binary_preference,
        takes=frozenset({"rel"}),
        aliases=("BPref",),
        trec_eval={"bpref": ()},
        summary="binary preference: how rarely a judged non-relevant document stands above a relevant one",
        formula="Bpref = (1 / R) * sum over retrieved relevant d of 1 - min(n(d), R) / min(N, R), with n(d) the judged "
        "non-relevant documents above d, N all judged non-relevant ones, R all relevant ones",
        range="0 to 1",
        convention="unjudged documents are passed over; so are negative grades, which are not judged non-relevant either",
        source="Buckley & Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004; trec_eval m_bpref.c",
        traps=(
            "the paper divides by R where trec_eval divides by min(N, R); the two differ when few non-relevant are judged",
            "qrels that hold only relevant documents make it equal recall over everything retrieved",
            "releases of trec_eval before 8 computed another value (its file bpref_bug tells)",
        ),
        elsewhere={"trec_eval": "bpref", "ir_measures": "Bpref, BPref", "ranx": "bpref"},
    ),
)
