"""NumQ, NumRet, NumRel, NumRelRet, num_nonrel_judged_ret: counts, added up over the queries."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.hits import Hits
from irbridge.measures.base import Family, Measure
from irbridge.measures.extremes import monotone


def num_queries(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: 1 for every judged query, so that the sum counts those that an evaluation covers."""
    return np.ones(hits.queries, np.float64)


def num_retrieved(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: documents in its ranking (trec_eval's m_num_ret.c)."""
    return hits.retrieved.astype(np.float64)


def num_relevant(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: labels at the relevance level, answered or not (trec_eval's m_num_rel.c)."""
    return hits.count_labels(measure.level).astype(np.float64)


def num_relevant_retrieved(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: relevant documents in its ranking (trec_eval's m_num_rel_ret.c)."""
    return hits.sum(hits.relevant(measure.level))


def all_relevant(hits: Hits, measure: Measure) -> float | None:
    """How many labels are above 0 in all, where the convention sums those (trec_eval -c, m_num_rel.c), else None."""
    return float((hits.qrels.grades > 0).sum()) if measure.relevant_total == "positive" else None


def num_judged_nonrelevant_retrieved(hits: Hits, measure: Measure) -> Floats:
    """float64 per query: retrieved documents judged not relevant (trec_eval's m_num_nonrel_judged_ret.c)."""
    return hits.sum((hits.grade >= 0) & ~hits.relevant(measure.level))


_RANGE = "whole numbers from 0; the aggregate is the sum over the queries"

MEASURES = (
    Family(
        name="NumQ",
        compute=num_queries,
        ordered=False,
        total=True,
        trec_eval={"num_q": ()},
        summary="how many queries the aggregates are over",
        formula="NumQ = 1 per query that counts",
        range="1 per query; the aggregate is the sum",
        convention="--missing decides whether a query that the run does not answer counts (trec_eval: -c)",
        source="trec_eval m_num_q.c",
        traps=("ir_measures leaves unanswered queries out of NumQ, though its means are over all judged queries",),
        elsewhere={"trec_eval": "num_q", "ir_measures": "NumQ"},
    ),
    Family(
        name="NumRet",
        compute=num_retrieved,
        ordered=False,
        total=True,
        with_rel="NumRelRet",
        trec_eval={"num_ret": ()},
        summary="how many documents were retrieved",
        formula="NumRet = documents in the ranking",
        range=_RANGE,
        convention="counted after --depth and --judged-only; NumRet(rel=N) is ir_measures' way to write NumRelRet(rel=N)",
        source="trec_eval m_num_ret.c",
        traps=("rankings of queries without judgments are not counted",),
        elsewhere={"trec_eval": "num_ret", "ir_measures": "NumRet"},
    ),
    Family(
        name="NumRel",
        compute=num_relevant,
        ordered=False,
        takes=frozenset({"rel"}),
        total=True,
        overall=all_relevant,
        knobs=frozenset({"relevant_total"}),
        trec_eval={"num_rel": ()},
        summary="how many relevant documents there are",
        formula="NumRel = labels with a grade of rel or more",
        range=_RANGE,
        convention="a matter of the judgments alone: an unanswered query that counts brings its relevant documents along",
        source="trec_eval m_num_rel.c",
        traps=(
            "trec_eval -c prints a total of all grades above 0, whatever -l says; so do its conventions here (--relevant-total)",
        ),
        elsewhere={"trec_eval": "num_rel", "ir_measures": "NumRel"},
    ),
    Family(
        name="NumRelRet",
        compute=num_relevant_retrieved,
        extremes=monotone,
        unreturned="nothing",
        ordered=False,
        takes=frozenset({"rel"}),
        total=True,
        trec_eval={"num_rel_ret": ()},
        summary="how many relevant documents were retrieved",
        formula="NumRelRet = documents in the ranking with a grade of rel or more",
        range=_RANGE,
        convention="counted after --depth",
        source="trec_eval m_num_rel_ret.c",
        traps=("ir_measures prints it as NumRet(rel=1)",),
        elsewhere={
            "trec_eval": "num_rel_ret",
            "ir_measures": "NumRelRet, NumRet(rel=1)",
            "ranx": "hits (mean, not sum)",
        },
    ),
    Family(
        name="num_nonrel_judged_ret",
        compute=num_judged_nonrelevant_retrieved,
        ordered=False,
        takes=frozenset({"rel"}),
        total=True,
        trec_eval={"num_nonrel_judged_ret": ()},
        summary="how many retrieved documents were judged not relevant",
        formula="num_nonrel_judged_ret = documents in the ranking with a grade from 0 up to, not including, rel",
        range=_RANGE,
        convention="counted after --depth; unjudged documents and negative grades are not counted",
        source="trec_eval m_num_nonrel_judged_ret.c",
        traps=("what is neither this nor NumRelRet was not judged",),
        elsewhere={"trec_eval": "num_nonrel_judged_ret"},
    ),
)
