"""nDCG: normalised discounted cumulative gain, with linear, exponential or custom gains."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats, Ints
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


def extremes(hits: Hits, measure: Measure, top: int) -> tuple[Floats, Floats]:
    """(worst, best), float64 per query, over all grades of the unjudged documents.

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    from irbridge.measures.extremes import grades_to_try, queries

    worst = ndcg(hits, measure)
    best = worst.copy()
    for query in queries(hits):
        tried = worth_of(grades_to_try(measure, top, query.grades), measure)
        gain, rank = worth_of(hits.grade[query.hit], measure), hits.rank[query.hit]
        found = float((gain / np.log2(rank + 1.0))[rank <= (measure.cutoff or rank.max(initial=0))].sum())
        problem = Layers(found, worth_of(query.grades, measure), np.unique(tried), query.free, measure.cutoff)
        worst[query.number], best[query.number] = problem.worst(), problem.best()
    return worst, best


class Layers:
    """nDCG of one ranking as a function of how many of its unjudged documents gain at least so much.

    The gain of a document is the sum of the steps between the gains that there are, up to its own. Of a step of height d that
    R labels and a unjudged documents reach, the ideal DCG has d times the discounts of the ranks 1 to R + a, and the DCG d times
    those of the documents' own ranks. Where the gains of the documents are the same, the DCG is highest with the larger ones on
    top and lowest with them at the end.

    Best: N / I is at least x where N - x I can be made 0 or more, and that falls apart into one choice of a for each step (a
    higher step takes no more documents than a lower one by itself, for its R is smaller); x is raised until nothing beats it
    (Dinkelbach 1967). Worst: there a lower step would take no more documents than a higher one, which cannot be, so that all
    steps have the same ones: the last a documents have the highest gain and the others the lowest.

    Args:
        found: the DCG of the judged documents.
        labels: float64, gains of all labels of the query.
        values: float64, ascending, the gains that an unjudged document may have.
        free: int64, ranks of the unjudged documents, ascending.
        cutoff: of the measure.
    """

    def __init__(self, found: float, labels: Floats, values: Floats, free: Ints, cutoff: int | None) -> None:
        count, lowest = len(free), values[0]
        discounts = 1.0 / np.log2(np.arange(2.0, len(labels) + count + 2))
        discounts[cutoff or len(discounts) :] = 0.0
        reach = np.concatenate(([0.0], np.cumsum(discounts)))
        own = np.where(free <= (cutoff or free[-1]), 1.0 / np.log2(free + 1.0), 0.0)
        self.from_top = np.concatenate(([0.0], np.cumsum(own)))
        self.from_end = np.concatenate(([0.0], np.cumsum(own[::-1])))
        self.found = found + lowest * float(own.sum())
        self.heights = np.diff(values)
        self.ideal = 0.0
        self.layers = np.zeros((len(self.heights), count + 1))
        edges = np.unique(np.concatenate(([0.0], labels, values)))
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            reached = int((labels >= high).sum())
            if high <= lowest:
                self.ideal += (high - low) * float(reach[reached + count])
            elif high > values[-1]:
                self.ideal += (high - low) * float(reach[reached])
            else:
                layer = int(np.searchsorted(values, high)) - 1
                self.layers[layer] += (high - low) * reach[reached : reached + count + 1]

    def best(self) -> float:
        """The most that it can be."""
        rows = np.arange(len(self.heights))
        gains = self.heights[:, None] * self.from_top
        highest = self._at(gains[:, 0], self.layers[:, 0])
        highest = max(highest, self._at(gains[:, -1], self.layers[:, -1]))
        while len(rows):
            counts = (gains - highest * self.layers).argmax(axis=1)
            reached = self._at(gains[rows, counts], self.layers[rows, counts])
            if reached <= highest:
                break
            highest = reached
        return highest

    def worst(self) -> float:
        """The least that it can be."""
        found = self.found + self.heights.sum() * self.from_end
        return float(ratio(found, self.ideal + self.layers.sum(axis=0)).min())

    def _at(self, gains: Floats, ideals: Floats) -> float:
        ideal = self.ideal + float(ideals.sum())
        return (self.found + float(gains.sum())) / ideal if ideal else 0.0


MEASURES = (
    Family(
        name="nDCG",
        compute=ndcg,
        expected=over_ties,
        extremes=extremes,
        unreturned="lowers",
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
