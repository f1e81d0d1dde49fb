"""DCG and its best value: nDCG before one is divided by the other."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone
from irbridge.measures.gains import check_gains, ideal_dcg, worth_of


def discounted_gain(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: sum of gain / log2(rank + 1) over the top k (trec_eval 10's m_ndcg.c).

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    check_gains(hits.qrels, measure)
    values = worth_of(hits.grade, measure) / np.log2(hits.rank + 1.0)
    return hits.sum(values if measure.cutoff is None else np.where(hits.rank <= measure.cutoff, values, 0.0))


def best_discounted_gain(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the DCG of its labels in the best order (trec_eval 10's m_ndcg.c).

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    check_gains(hits.qrels, measure)
    return ideal_dcg(hits, measure)


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents.

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    from irbridge.measures import tie_means

    check_gains(hits.qrels, measure)
    discounts = 1.0 / np.log2(np.arange(2.0, tie_means.deepest(hits) + 2))
    return tie_means.summed(hits, worth_of(hits.grade, measure), discounts, measure.cutoff)


_SOURCE = "Järvelin & Kekäläinen, ACM TOIS 20(4), 2002; trec_eval m_ndcg.c of 10.0"
_CONVENTION = (
    "linear gain unless the name or the convention says another; unjudged documents and negative grades gain 0; the "
    "relevance level does not apply"
)

MEASURES = (
    Family(
        name="DCG",
        compute=discounted_gain,
        extremes=monotone,
        unreturned="nothing",
        expected=over_ties,
        takes=frozenset({"cutoff", "gain"}),
        trec_eval={"dcg": ()},
        summary="discounted cumulative gain of graded labels",
        formula="DCG@k = sum over ranks i <= k of gain(grade) / log2(i + 1)",
        range="from 0, without an upper end",
        convention=_CONVENTION,
        source=_SOURCE,
        traps=(
            "grows with the number and the grades of a query's labels: a mean over queries is ruled by those with many",
        ),
        elsewhere={"trec_eval": "dcg, dcg.1=3,2=9 (10.0)"},
    ),
    Family(
        name="IdealDCG",
        compute=best_discounted_gain,
        extremes=monotone,
        ordered=False,
        takes=frozenset({"cutoff", "gain"}),
        trec_eval={"ideal_dcg": ()},
        summary="the highest DCG that any ranking of the query's labels has",
        formula="IdealDCG@k = DCG@k of all labels of the query in descending gain",
        range="from 0, without an upper end",
        convention=_CONVENTION,
        source=_SOURCE,
        traps=("a matter of the judgments alone; an unanswered query that counts has it too",),
        elsewhere={"trec_eval": "ideal_dcg, ideal_dcg.1=3,2=9 (10.0)"},
    ),
)
