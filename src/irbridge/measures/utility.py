"""utility: a weighted sum of the four cells of retrieved against relevant."""

from __future__ import annotations

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import by_count

_LARGE = 1e100


def set_utility(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: as trec_eval's m_utility.c."""
    found, missed, false, left = measure.series("weights")
    documents = measure.option("documents")
    relevant_found = hits.sum(hits.relevant(measure.level))
    total = hits.count_labels(measure.level)
    outside = documents + relevant_found - hits.retrieved - total
    return (
        found * relevant_found
        + missed * (hits.retrieved - relevant_found)
        + false * (total - relevant_found)
        + left * outside
    )


MEASURES = (
    Family(
        name="utility",
        compute=set_utility,
        extremes=by_count,
        ordered=False,
        takes=frozenset({"rel"}),
        options={"weights": (1.0, -1.0, 0.0, 0.0), "documents": 0.0},
        bounds={"weights": (-_LARGE, _LARGE)},
        counted=frozenset({"weights"}),
        trec_eval={"utility": ()},
        summary="what the retrieved set is worth when every kind of hit and miss has its price",
        formula="utility = a * relevant retrieved + b * other retrieved + c * relevant not retrieved + d * other not retrieved, "
        "weights a, b, c, d = 1, -1, 0, 0",
        range="any number; with the default weights from -(documents retrieved) to R",
        convention="the whole ranking counts; cut it with --depth. The last weight needs the size of the collection "
        "(documents=N, trec_eval's -N)",
        source="Lewis, The TREC-4 Filtering Track, 1995; trec_eval m_utility.c",
        traps=(
            "means over queries are ruled by the queries with long rankings",
            "trec_eval 10 -c counts an unanswered query as 0 under the default weights, as one wrong document under others",
        ),
        elsewhere={"trec_eval": "utility, utility.2,-1,0,0 (printed as utility_2,-1,0,0)"},
    ),
)
