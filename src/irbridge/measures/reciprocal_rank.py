"""RR: reciprocal rank."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone


def reciprocal_rank(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: 1 / rank of the first relevant document (trec_eval's m_recip_rank.c)."""
    relevant = hits.relevant(measure.level, measure.cutoff)
    query, rank = hits.query[relevant], hits.rank[relevant]
    first = np.ones(len(query), np.bool_)
    first[1:] = query[1:] != query[:-1]
    values = np.zeros(hits.queries, np.float64)
    values[query[first]] = 1.0 / rank[first]
    return values


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents."""
    from irbridge.measures import tie_means

    worth = 1.0 / np.arange(1.0, tie_means.deepest(hits) + 1)
    return tie_means.first_relevant(hits, hits.relevant(measure.level), worth, measure.cutoff)


MEASURES = (
    Family(
        name="RR",
        compute=reciprocal_rank,
        extremes=monotone,
        unreturned="nothing",
        expected=over_ties,
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        aliases=("MRR", "llama_index_mrr"),
        trec_eval={"recip_rank": ()},
        spec="mrr",
        summary="reciprocal rank of the first relevant document; its mean over queries is MRR",
        formula="RR@k = 1 / (rank of the first relevant document), 0 if there is none among the top k",
        range="0 to 1: one of 1, 1/2, 1/3, ..., or 0",
        convention="the cutoff only drops later ranks; without one the whole ranking is searched",
        source="Kantor & Voorhees, The TREC-5 Confusion Track, 2000; trec_eval m_recip_rank.c",
        traps=(
            "an uncut value is no MRR@10: a first hit at rank 11 is 0.0909 without a cutoff and 0 at 10",
            "trec_eval has no name with a cutoff; its -M 10 with recip_rank is RR@10",
            "ir_measures computes RR by one engine and RR@k by another that breaks ties the other way round",
            "MS MARCO's script goes by the rank column, ignores grades and pads the list with document 0: not this measure",
        ),
        elsewhere={
            "trec_eval": "recip_rank (with -M 10 for RR@10)",
            "ir_measures": "RR, RR@10, MRR@10",
            "spec": "mrr@10",
            "BEIR": "MRR@10",
            "ranx": "mrr@10",
            "LlamaIndex": "mrr (whole list)",
        },
    ),
)
