"""Rndcg and ndcg_rel: nDCG averaged over the ranks that matter for the query, instead of read at one."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.gains import Curve, check_gains, ideal_order, worth_of


def _curves(hits: Hits, measure: Measure) -> tuple[Curve, Curve]:
    """The DCG of the ranking, and that of the best one, at every rank."""
    check_gains(hits.qrels, measure)
    own = worth_of(hits.grade, measure) / np.log2(hits.rank + 1.0)
    query, rank, worth = ideal_order(hits, measure)
    return Curve(hits.queries, hits.query, hits.rank, own), Curve(
        hits.queries, query, rank, worth / np.log2(rank + 1.0)
    )


def at_relevant(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: nDCG averaged over the ranks of documents with gain (trec_eval's m_ndcg_rel.c).

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    reached, best = _curves(hits, measure)
    query, _, worth = ideal_order(hits, measure)
    total = hits.sum(worth > 0, query)
    gaining = worth_of(hits.grade, measure) > 0
    at, rank = hits.query[gaining], hits.rank[gaining]
    found = hits.sum(ratio(reached.at(at, rank), best.at(at, rank)), at)
    every, end = np.arange(hits.queries), np.full(hits.queries, np.iinfo(np.int32).max)
    missed = (total - hits.sum(gaining)) * ratio(reached.at(every, end), best.at(every, end))
    return ratio(found + missed, total)


def at_levels(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: nDCG averaged over the ranks where the best ranking changes gain (trec_eval's m_Rndcg.c).

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    reached, best = _curves(hits, measure)
    query, rank, worth = ideal_order(hits, measure)
    last = np.ones(len(worth), np.bool_)
    last[:-1] = (query[1:] != query[:-1]) | (worth[1:] != worth[:-1])
    last &= worth > 0
    at, where = query[last], rank[last]
    gaining = np.asarray(hits.sum(worth > 0, query), np.int64)
    # trec_eval reads it once more at the end of a ranking that goes at least two ranks beyond the last gain.
    beyond = np.flatnonzero((hits.retrieved > gaining + 1) & (gaining > 0))
    at, where = np.concatenate([at, beyond]), np.concatenate([where, hits.retrieved[beyond]])
    values = ratio(
        hits.sum(ratio(reached.at(at, where), best.at(at, where)), at), np.bincount(at, minlength=hits.queries)
    )
    return np.where(hits.count_labels(measure.level) > 0, values, 0.0)


_SOURCE = "Järvelin & Kekäläinen, ACM TOIS 20(4), 2002 (nDCG); trec_eval {} (experimental)"

MEASURES = (
    Family(
        name="ndcg_rel",
        compute=at_relevant,
        takes=frozenset({"gain"}),
        trec_eval={"ndcg_rel": ()},
        summary="nDCG averaged over the ranks of the documents with gain",
        formula="ndcg_rel = (1 / N) * (sum over retrieved documents with gain, at rank i, of nDCG at i + (N - so many) * nDCG at "
        "the end), N labels with gain",
        range="0 to 1",
        convention="the ideal at a rank is cut there; a document that was not retrieved brings the nDCG of the whole ranking; the "
        "relevance level does not apply",
        source=_SOURCE.format("m_ndcg_rel.c"),
        traps=("experimental; not nDCG, and not comparable with it",),
        elsewhere={"trec_eval": "ndcg_rel, ndcg_rel.1=3,2=9"},
    ),
    Family(
        name="Rndcg",
        compute=at_levels,
        takes=frozenset({"gain"}),
        trec_eval={"Rndcg": ()},
        summary="nDCG averaged over the ranks where the best ranking passes from one gain to the next",
        formula="Rndcg = mean of nDCG at i over the ranks i at which the best ranking has a gain's last document, and at the end of "
        "a ranking that is longer than those by two or more",
        range="0 to 1",
        convention="the ideal at a rank is cut there; a query without a label at the relevance level is 0, else the level does "
        "not apply",
        source=_SOURCE.format("m_Rndcg.c"),
        traps=("experimental; not nDCG, and not comparable with it",),
        elsewhere={"trec_eval": "Rndcg, Rndcg.1=3,2=9"},
    ),
)
