"""What LlamaIndex's retrieval evaluation computes and nobody else: the others of its metrics are aliases of measures here."""

from __future__ import annotations

from functools import partial

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import by_count, monotone


def any_hit(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: 1 if anything retrieved is relevant, else 0 (LlamaIndex's HitRate)."""
    return np.minimum(hits.sum(hits.relevant(measure.level)), 1.0)


def mean_of_reciprocal_ranks(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: 1 / rank, averaged over the relevant documents found (MRR with use_granular_mrr)."""
    relevant = hits.relevant(measure.level)
    return ratio(hits.sum(np.where(relevant, 1.0 / hits.rank, 0.0)), hits.sum(relevant))


def ndcg_of_the_returned(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: binary DCG / the DCG of as many relevant documents as were returned (LlamaIndex's NDCG)."""
    found = hits.sum(np.where(hits.relevant(measure.level), 1.0 / np.log2(hits.rank + 1.0), 0.0))
    steps = np.arange(2.0, int(hits.retrieved.max(initial=0)) + 2.0)
    whole = np.concatenate(([0.0], np.cumsum(1.0 / np.log2(steps))))
    return ratio(found, np.asarray(whole[hits.retrieved], np.float64))


_family = partial(
    Family,
    takes=frozenset({"rel"}),
    range="0 to 1",
    convention="the whole ranking counts; cut it with --depth. A query without relevant documents is an error there, 0 here",
    source="LlamaIndex, llama_index/core/evaluation/retrieval/metrics.py",
)

MEASURES = (
    _family(
        name="llama_index_hit_rate",
        compute=any_hit,
        extremes=monotone,
        unreturned="nothing",
        ordered=False,
        summary="whether anything that was returned is relevant",
        formula="1 if a relevant document was retrieved, else 0",
        traps=("Success@k with a k that is as long as the ranking; with use_granular_hit_rate it is SetR",),
        elsewhere={"LlamaIndex": "hit_rate (HitRate)"},
    ),
    _family(
        name="llama_index_mrr_granular",
        compute=mean_of_reciprocal_ranks,
        extremes=by_count,
        unreturned="nothing",
        summary="reciprocal ranks averaged over the relevant documents that were found",
        formula="(1 / n) * sum of 1 / rank over the n relevant documents retrieved, 0 if there is none",
        traps=("finding one more relevant document further down lowers it",),
        elsewhere={"LlamaIndex": "mrr (MRR(use_granular_mrr=True))"},
    ),
    _family(
        name="llama_index_ndcg",
        compute=ndcg_of_the_returned,
        extremes=monotone,
        unreturned="nothing",
        summary="binary nDCG whose ideal has as many relevant documents as were returned",
        formula="(sum over relevant ranks i of 1 / log2(i + 1)) / (sum over all ranks i of the ranking of 1 / log2(i + 1))",
        traps=(
            "below 1 for a perfect ranking of a query with fewer relevant documents than were returned",
            "returning less raises it; grades do not matter",
        ),
        elsewhere={"LlamaIndex": "ndcg (NDCG, linear and exponential alike)"},
    ),
)
