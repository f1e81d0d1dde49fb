"""AP: average precision."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure


def average_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: precision at each relevant rank, summed, divided by R (trec_eval's m_map.c, m_map_cut.c)."""
    relevant = hits.relevant(measure.level, measure.cutoff)
    at_hits = np.where(relevant, hits.running(relevant) / hits.rank, 0.0)
    return ratio(hits.sum(at_hits), hits.count_labels(measure.level))


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents."""
    from irbridge.measures import tie_means

    relevant = hits.relevant(measure.level)
    return ratio(tie_means.precision_sum(hits, relevant, measure.cutoff), hits.count_labels(measure.level))


def extremes(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best), float64 per query, over all grades of the unjudged documents.

    Of m more relevant documents AP is highest with them on top: where one changes places with a document above it that is not
    relevant, it loses rank q for p < q and each relevant one between them gains 1 / rank > 1 / q. Likewise it is lowest with them
    at the end. Both sums are made one document at a time, and the best and the worst m kept.
    """
    from irbridge.measures.extremes import queries

    worst = average_precision(hits, measure)
    best = worst.copy()
    if top < measure.level:
        return worst, best
    for query in queries(hits):
        ranks = hits.rank[query.hit][hits.grade[query.hit] >= measure.level]
        cutoff = measure.cutoff or int(hits.retrieved[query.number])
        ranks, free = ranks[ranks <= cutoff], query.free
        inside = free[free <= cutoff]
        total = int((query.grades >= measure.level).sum()) + np.arange(1.0, len(free) + 1)
        start = float((np.arange(1.0, len(ranks) + 1) / ranks).sum())
        above = np.searchsorted(ranks, inside)
        reach = np.concatenate(([0.0], np.cumsum(1.0 / ranks)))
        behind = reach[-1] - reach[above]
        downwards = start + np.cumsum((above + np.arange(1.0, len(inside) + 1)) / inside + behind)
        upwards = np.full(len(free), start)
        if len(inside):
            chosen = np.cumsum(1.0 / inside[::-1]) - 1.0 / inside[::-1]
            added = np.cumsum((above + 1.0)[::-1] / inside[::-1] + behind[::-1] + chosen)
            upwards[len(free) - len(inside) :] += added
            best[query.number] = max(best[query.number], (downwards / total[: len(inside)]).max())
        worst[query.number] = min(worst[query.number], (upwards / total).min())
    return worst, best


MEASURES = (
    Family(
        name="AP",
        compute=average_precision,
        expected=over_ties,
        extremes=extremes,
        unreturned="lowers",
        takes=frozenset({"cutoff", "rel", "judged_only"}),
        aliases=("MAP", "llama_index_ap"),
        trec_eval={"map": (), "map_cut": TREC_CUTOFFS},
        spec="map",
        summary="average precision; its mean over queries is MAP",
        formula="AP = (1 / R) * sum of P@i over the ranks i <= k that hold a relevant document, R relevant documents in all",
        range="0 to 1; with a cutoff at most k / R where R > k",
        convention="divided by all R relevant labels also under a cutoff; relevant documents not retrieved add 0",
        source="Buckley & Voorhees, Retrieval System Evaluation, 2005 (TREC, ch. 3); trec_eval m_map.c and m_map_cut.c",
        traps=(
            "other tools divide AP@k by min(R, k) or by the hits: with R = 3 and a hit at rank 1, AP@1 is 1/3 here and 1 there",
            "with exactly one relevant document it equals RR; if the two differ, ties were broken in two ways",
            "-l (rel) changes both what counts as a hit and R",
        ),
        elsewhere={
            "trec_eval": "map, map_cut.10 (printed as map_cut_10)",
            "ir_measures": "AP, AP@10, MAP@10",
            "spec": "map@10",
            "BEIR": "MAP@10",
            "ranx": "map@10",
            "LlamaIndex": "ap",
        },
    ),
)
