"""nDCG: normalised discounted cumulative gain, with linear, exponential or custom gains."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import TREC_CUTOFFS, Family, Measure
from irbridge.measures.gains import check_gains, ideal_dcg, worth_of


def ndcg(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: DCG / ideal DCG, both cut at k (trec_eval's m_ndcg.c, m_ndcg_cut.c).

    Raises:
        InputError: exponential gain of a grade so high that no double holds it.
        UsageError: a custom gain so large that a sum of gains may not be finite.
    """
    check_gains(hits.qrels, measure)
    grade, rank, query = hits.grade, hits.rank, hits.query
    if measure.cutoff is not None:
        top = rank <= measure.cutoff
        grade, rank, query = grade[top], rank[top], query[top]
    return ratio(hits.sum(worth_of(grade, measure) / np.log2(rank + 1.0), query), ideal_dcg(hits, measure))


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean over all orders of tied documents.

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    from irbridge.measures import tie_means

    check_gains(hits.qrels, measure)
    discounts = 1.0 / np.log2(np.arange(2.0, tie_means.deepest(hits) + 2))
    gain = tie_means.summed(hits, worth_of(hits.grade, measure), discounts, measure.cutoff)
    return ratio(gain, ideal_dcg(hits, measure))


MEASURES = (
    Family(
        name="nDCG",
        compute=ndcg,
        expected=over_ties,
        takes=frozenset({"cutoff", "gain", "judged_only"}),
        aliases=("NDCG",),
        trec_eval={"ndcg": (), "ndcg_cut": TREC_CUTOFFS},
        spec="ndcg",
        summary="discounted cumulative gain of graded labels, divided by that of the best possible ranking",
        formula="nDCG@k = DCG@k / ideal DCG@k, DCG@k = sum over ranks i <= k of gain(grade) / log2(i + 1); gain is linear "
        "(the grade), exponential (2^grade - 1) or a table",
        range="0 to 1",
        convention="nDCG@k, ndcg and ndcg_cut_k have linear gain, the specification's ndcg@k has exponential gain; the ideal "
        "ranks all labels of the query and is cut at k too; negative grades and unjudged documents gain 0; a grade that a "
        "table does not name is worth itself; the relevance level (rel, -l) does not apply unless a convention says so (ranx)",
        source="Järvelin & Kekäläinen, ACM TOIS 20(4), 2002 (linear); Burges et al., ICML 2005 (exponential); trec_eval "
        "m_ndcg.c and m_ndcg_cut.c",
        traps=(
            "ndcg@10 (exponential) and nDCG@10 (linear) differ by letter case only, and are equal only where all grades are 0 or 1",
            "ndcg, ndcg_cut_k and -M k with ndcg are three numbers: the last cuts the ranking but not the ideal",
            "an ideal over what was retrieved, or cut at the number returned, is wrong: it rewards returning less",
            "ranx applies its level to the gains (ndcg-l2); trec_eval's -l leaves nDCG alone",
            "trec_eval compares custom gains as whole numbers, so that gains less than 1 apart may be put in a wrong ideal order",
            "ir_measures gives wrong values when nDCG and nDCG(gains=...) are asked for in one call",
        ),
        elsewhere={
            "trec_eval": "ndcg, ndcg_cut.10 (printed as ndcg_cut_10), ndcg.1=3,2=9",
            "ir_measures": "nDCG@10, NDCG@10 (linear), nDCG(dcg='exp-log2')@10, nDCG(gains={1:3})@10",
            "spec": "ndcg@10 (exponential)",
            "BEIR": "NDCG@10 (linear)",
            "ranx": "ndcg@10 (linear), ndcg_burges@10 (exponential)",
            "scikit-learn": "ndcg_score(k=10) (linear, over the scored documents alone)",
            "LlamaIndex": "ndcg (binary)",
        },
    ),
)
