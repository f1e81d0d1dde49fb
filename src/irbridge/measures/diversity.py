"""Measures of rankings that should serve several subtopics (intents) of a query: those of TREC's ndeval."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits, ratio
from irbridge.measures.base import Family, Measure
from irbridge.measures.novelty import Served, ideal, relevant_pairs, served, subtopics_served

# The alpha of ndeval where a name takes none.
_ALPHA = 0.5
# rank -> what a gain there is worth.
Discount = Callable[[Floats], Floats]


def _logarithmic(rank: Floats) -> Floats:
    return np.asarray(1.0 / np.log2(rank + 1.0), np.float64)


def _reciprocal(rank: Floats) -> Floats:
    return np.asarray(1.0 / rank, np.float64)


def _gain(hits: Hits, pairs: Served, discount: Discount, alpha: float, cutoff: int | None) -> Floats:
    """float64 per query: each subtopic's documents gain 1, 1 - alpha, (1 - alpha)^2, ..., discounted by rank."""
    values = discount(pairs.rank.astype(np.float64)) * np.power(1.0 - alpha, pairs.before)
    return hits.sum(values if cutoff is None else np.where(pairs.rank <= cutoff, values, 0.0), pairs.query)


def _by_best_imaginable(hits: Hits, measure: Measure, discount: Discount, alpha: float) -> Floats:
    """The gain, as a share of that of k documents each of which serves all subtopics."""
    cutoff = measure.cutoff or 1
    rank = np.arange(1.0, min(cutoff, 100_000) + 1)  # beyond that a double holds no more of it
    whole = float((discount(rank) * np.power(1.0 - alpha, rank - 1.0)).sum())
    return ratio(_gain(hits, served(hits, measure), discount, alpha, cutoff), whole * subtopics_served(hits, measure))


def _by_best_possible(hits: Hits, measure: Measure, discount: Discount, alpha: float) -> Floats:
    """The gain, as a share of that of the best ranking of the labels."""
    cutoff = measure.cutoff
    best = _gain(hits, ideal(hits, measure, alpha, cutoff), discount, alpha, cutoff)
    # The greedy ranking may be beaten by a little.
    return ratio(_gain(hits, served(hits, measure), discount, alpha, cutoff), best)


def err_ia(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's ERR-IA@k."""
    return _by_best_imaginable(hits, measure, _reciprocal, _ALPHA)


def normalised_err_ia(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's nERR-IA@k."""
    return _by_best_possible(hits, measure, _reciprocal, _ALPHA)


def alpha_dcg(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's alpha-DCG@k."""
    return _by_best_imaginable(hits, measure, _logarithmic, measure.option("alpha"))


def alpha_ndcg(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's alpha-nDCG@k."""
    return _by_best_possible(hits, measure, _logarithmic, measure.option("alpha"))


def _patience(measure: Measure) -> Discount:
    beta = measure.option("beta")
    return lambda rank: np.power(beta, rank - 1.0)


def novelty_rbp(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's NRBP."""
    alpha = measure.option("alpha")
    whole = 1.0 - (1.0 - alpha) * measure.option("beta")
    return whole * ratio(
        _gain(hits, served(hits, measure), _patience(measure), alpha, None), subtopics_served(hits, measure)
    )


def normalised_novelty_rbp(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's nNRBP."""
    return _by_best_possible(hits, measure, _patience(measure), measure.option("alpha"))


def average_precision_ia(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's MAP-IA, the mean of AP over the subtopics that have a relevant document."""
    found, all_pairs = served(hits, measure), relevant_pairs(hits, measure)
    topics = int(all_pairs.topic.max(initial=0)) + 1
    total = np.unique(hits.qrels.query_of[all_pairs.label] * topics + all_pairs.topic, return_counts=True)
    relevant = total[1][np.searchsorted(total[0], found.query * topics + found.topic)]
    return ratio(hits.sum((found.before + 1) / found.rank / relevant, found.query), subtopics_served(hits, measure))


def precision_ia(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's P-IA@k, the mean of P@k over the subtopics that have a relevant document."""
    cutoff = measure.cutoff or 1
    found = served(hits, measure)
    return ratio(hits.sum(found.rank <= cutoff, found.query), subtopics_served(hits, measure) * float(cutoff))


def subtopic_recall(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: ndeval's strec@k, the share of the subtopics that the top k serves."""
    found = served(hits, measure)
    first = (found.before == 0) & (found.rank <= (measure.cutoff or 1))
    return ratio(hits.sum(first, found.query), subtopics_served(hits, measure))


_GAIN = (
    "a document gains (1 - alpha)^n for each subtopic that it is relevant to, n relevant documents for it above; subtopics "
    "without any relevant document do not count"
)
_SOURCE = "; TREC's ndeval 4.5, as in ir_measures 0.4.3 (pyndeval)"
_ONE = "ndeval does not divide by its best value at cutoff 1, where it may be above 1"
_CUT = frozenset({"cutoff", "rel", "judged_only"})

_family = partial(
    Family,
    needs="subtopics",
    range="0 to 1",
    convention="a document is relevant to a subtopic or not, from the relevance level; the subtopic is the iteration (column 2) of "
    "TREC qrels. Other measures asked for beside it see the highest grade that any subtopic gave a document",
)

MEASURES = (
    _family(
        name="alpha_nDCG",
        compute=alpha_ndcg,
        takes=_CUT,
        needs_cutoff=True,
        options={"alpha": 0.5},
        bounds={"alpha": (0.0, 1.0)},
        aliases=("\u03b1_nDCG",),
        summary="discounted gain that falls for each subtopic served before, divided by that of the best ranking",
        formula="alpha_nDCG@k = DCG@k of the ranking / DCG@k of the best one, gains discounted by log2(i + 1); "
        + _GAIN,
        source="Clarke et al., Novelty and Diversity, SIGIR 2008" + _SOURCE,
        traps=(
            "the best ranking is found greedily, equal gains by descending document id: a ranking may beat it by a little",
            "alpha = 0 makes it nDCG of the number of subtopics served",
        ),
        elsewhere={"ir_measures": "alpha_nDCG@20, \u03b1_nDCG@20, alpha_nDCG(alpha=0.7)@20", "ndeval": "alpha-nDCG@20"},
    ),
    _family(
        name="alpha_DCG",
        compute=alpha_dcg,
        takes=_CUT,
        needs_cutoff=True,
        options={"alpha": 0.5},
        bounds={"alpha": (0.0, 1.0)},
        aliases=("\u03b1_DCG",),
        summary="discounted gain that falls for each subtopic served before, divided by the best imaginable",
        formula="alpha_DCG@k = DCG@k / (DCG@k of k documents each of which serves every subtopic); " + _GAIN,
        source="Clarke et al., Novelty and Diversity, SIGIR 2008" + _SOURCE,
        traps=(_ONE, "no ranking need be able to reach 1; alpha_nDCG divides by what the labels allow"),
        elsewhere={"ir_measures": "alpha_DCG@20, \u03b1_DCG@20", "ndeval": "alpha-DCG@20"},
    ),
    _family(
        name="ERR_IA",
        compute=err_ia,
        takes=_CUT,
        needs_cutoff=True,
        summary="expected reciprocal rank over subtopics, divided by the best imaginable",
        formula="ERR_IA@k = sum of gains / i over ranks i <= k, divided by that of k documents each of which serves every subtopic; "
        + _GAIN
        + "; alpha = 0.5",
        source="Chapelle et al., CIKM 2009; Agrawal et al., WSDM 2009" + _SOURCE,
        traps=(_ONE, "grades are not used, though ERR itself is a measure of grades"),
        elsewhere={"ir_measures": "ERR_IA@20", "ndeval": "ERR-IA@20"},
    ),
    _family(
        name="nERR_IA",
        compute=normalised_err_ia,
        takes=_CUT,
        needs_cutoff=True,
        summary="expected reciprocal rank over subtopics, divided by that of the best ranking",
        formula="nERR_IA@k = sum of gains / i over ranks i <= k, divided by that of the best ranking; "
        + _GAIN
        + "; alpha = 0.5",
        source="Chapelle et al., CIKM 2009; Agrawal et al., WSDM 2009" + _SOURCE,
        traps=("the best ranking is found greedily: a ranking may beat it by a little",),
        elsewhere={"ir_measures": "nERR_IA@20", "ndeval": "nERR-IA@20"},
    ),
    _family(
        name="NRBP",
        compute=novelty_rbp,
        takes=frozenset({"rel"}),
        options={"alpha": 0.5, "beta": 0.5},
        bounds={"alpha": (0.0, 1.0), "beta": (0.0, 1.0)},
        summary="rank-biased precision over subtopics, divided by the best imaginable",
        formula="NRBP = (1 - (1 - alpha) beta) / S * sum over ranks i of gains * beta^(i-1), S subtopics; " + _GAIN,
        source="Clarke, Kolla & Vechtomova, ICTIR 2009" + _SOURCE,
        traps=("patience beta = 0.5 leaves little beyond rank 5",),
        elsewhere={"ir_measures": "NRBP, NRBP(alpha=0.7,beta=0.8)", "ndeval": "NRBP"},
    ),
    _family(
        name="nNRBP",
        compute=normalised_novelty_rbp,
        takes=frozenset({"rel"}),
        options={"alpha": 0.5, "beta": 0.5},
        bounds={"alpha": (0.0, 1.0), "beta": (0.0, 1.0)},
        summary="rank-biased precision over subtopics, divided by that of the best ranking",
        formula="nNRBP = NRBP of the ranking / NRBP of the best one; " + _GAIN,
        source="Clarke, Kolla & Vechtomova, ICTIR 2009" + _SOURCE,
        traps=("the best ranking is found greedily: a ranking may beat it by a little",),
        elsewhere={"ir_measures": "nNRBP", "ndeval": "nNRBP"},
    ),
    _family(
        name="AP_IA",
        compute=average_precision_ia,
        takes=frozenset({"rel", "judged_only"}),
        aliases=("MAP_IA",),
        summary="average precision, averaged over the subtopics",
        formula="AP_IA = mean over the subtopics with a relevant document of AP on that subtopic's labels",
        source="Agrawal et al., WSDM 2009" + _SOURCE,
        traps=("all subtopics weigh the same, however likely or large",),
        elsewhere={"ir_measures": "AP_IA, MAP_IA", "ndeval": "MAP-IA"},
    ),
    _family(
        name="P_IA",
        compute=precision_ia,
        takes=_CUT,
        needs_cutoff=True,
        summary="precision, averaged over the subtopics",
        formula="P_IA@k = mean over the subtopics with a relevant document of P@k on that subtopic's labels",
        source="Agrawal et al., WSDM 2009" + _SOURCE,
        traps=("divided by k even when fewer documents were retrieved",),
        elsewhere={"ir_measures": "P_IA@20", "ndeval": "P-IA@20"},
    ),
    _family(
        name="StRecall",
        compute=subtopic_recall,
        takes=frozenset({"cutoff", "rel"}),
        needs_cutoff=True,
        summary="the share of the subtopics that the top k serves",
        formula="StRecall@k = subtopics with a relevant document in the top k / subtopics with a relevant document",
        source="Zhai, Cohen & Lafferty, SIGIR 2003" + _SOURCE,
        traps=("one document may serve all subtopics; order does not matter within the top k",),
        elsewhere={"ir_measures": "StRecall@20", "ndeval": "strec@20"},
    ),
)
