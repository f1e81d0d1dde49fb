"""RBP: rank-biased precision of binary or graded labels, and how far unjudged documents could lift it."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone
from irbridge.measures.gains import check_gains, worth_of


def rank_biased_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: (1 - p) * sum of p^(rank - 1) over the relevant documents."""
    persistence = measure.option("p")
    weight = np.power(persistence, hits.rank - 1.0)
    return (1.0 - persistence) * hits.sum(np.where(hits.relevant(measure.level, measure.cutoff), weight, 0.0))


def over_ties(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the mean of RBP over all orders of tied documents."""
    from irbridge.measures import tie_means

    persistence = measure.option("p")
    weights = np.power(persistence, np.arange(float(tie_means.deepest(hits))))
    gains = hits.relevant(measure.level).astype(np.float64)
    return (1.0 - persistence) * tie_means.summed(hits, gains, weights, measure.cutoff)


def graded_rank_biased_precision(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: the same of gains, scaled down by the query's highest one (trec_eval 10's m_rbp.c).

    Raises:
        InputError, UsageError: gains that no double can sum.
    """
    check_gains(hits.qrels, measure)
    persistence = measure.option("p")
    top = np.zeros(hits.queries)
    np.maximum.at(top, hits.qrels.query_of, worth_of(hits.qrels.grades, measure))
    values = worth_of(hits.grade, measure) * np.power(persistence, hits.rank - 1.0)
    return (1.0 - persistence) * hits.sum(values) / np.maximum(top, 1.0)


def residual(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: what unjudged documents, retrieved or not, could add to RBP (trec_eval 10's m_rbp_resid.c)."""
    persistence = measure.option("p")
    judged = hits.grade >= 0
    settled = (1.0 - persistence) * hits.sum(np.where(judged, np.power(persistence, hits.rank - 1.0), 0.0))
    return np.where(hits.retrieved > hits.sum(judged), 1.0 - settled, 0.0)


_SOURCE = "Moffat & Zobel, ACM TOIS 27(1), 2008; "
_ONE = {"p": (0.0, 1.0)}

MEASURES = (
    Family(
        name="RBP",
        compute=rank_biased_precision,
        extremes=monotone,
        unreturned="nothing",
        expected=over_ties,
        takes=frozenset({"cutoff", "rel"}),
        options={"p": 0.8},
        bounds=_ONE,
        summary="rank-biased precision of relevant documents: a reader goes on to the next rank with probability p",
        formula="RBP(p) = (1 - p) * sum over relevant documents at rank i <= k of p^(i-1)",
        range="0 to 1; at most 1 - p^R",
        convention="binary, from the relevance level; rbp (trec_eval's) is the graded one with p = 0.9",
        source=_SOURCE + "ir_measures 0.4.3 (cwl_eval's RBP)",
        traps=(
            "RBP and rbp differ by letter case, default p (0.8 and 0.9) and gain (binary and graded)",
            "cwl_eval looks at 1,000 documents and scales the weights to add up to 1 over them, which matters for p near 1",
            "ir_measures computes it where rel is spelled out, and refuses a cutoff",
        ),
        elsewhere={"ir_measures": "RBP(p=0.8,rel=1)", "trec_eval": "rbp.p=0.8 in 10.0, for binary labels"},
    ),
    Family(
        name="rbp",
        compute=graded_rank_biased_precision,
        takes=frozenset({"gain"}),
        options={"p": 0.9},
        bounds=_ONE,
        trec_eval={"rbp": ()},
        summary="rank-biased precision of graded gains, scaled by the query's highest gain",
        formula="rbp = (1 - p) * sum over ranks i of gain(grade) * p^(i-1), gains divided by the query's highest where that is "
        "above 1",
        range="0 to 1",
        convention="the relevance level does not apply; unjudged documents and negative grades gain 0",
        source=_SOURCE + "trec_eval m_rbp.c of 10.0",
        traps=(
            "every query has a scale of its own: a query whose best label is 1 treats it like another query's 3",
            "trec_eval 10.0 finds the highest gain by a variable that it never sets; builds may differ",
            "RBP(p, rel) of ir_measures is binary and has p = 0.8",
        ),
        elsewhere={"trec_eval": "rbp, rbp.p=0.8,1=0.5 (10.0)"},
    ),
    Family(
        name="rbp_resid",
        compute=residual,
        options={"p": 0.9},
        bounds=_ONE,
        trec_eval={"rbp_resid": ()},
        by_grade=False,
        summary="how far RBP could rise if every unjudged document were fully relevant",
        formula="rbp_resid = p^n + (1 - p) * sum over unjudged ranks i of p^(i-1), n documents retrieved; 0 where all are judged",
        range="0 to 1",
        convention="a negative grade is unjudged; the ranks after the end of the ranking count as unjudged",
        source=_SOURCE + "trec_eval m_rbp_resid.c of 10.0",
        traps=(
            "0 where every retrieved document is judged, though the ranks beyond the end are open then too",
            "grades do not matter: graded gains leave it as it is",
        ),
        elsewhere={"trec_eval": "rbp_resid, rbp_resid.p=0.8 (10.0)"},
    ),
)
