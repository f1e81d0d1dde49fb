from __future__ import annotations

import pytest
from support.hits import value, values

import irbridge
from irbridge.measures.names import parse

QRELS = {"x": {"a": 1, "b": 2, "c": 0, "d": -1}, "y": {"a": 3}}
RUN = {"x": ["a", "n", "c", "d"]}


@pytest.mark.parametrize(
    "name, x, y",
    [
        ("NumQ", 1, 1),
        ("num_q", 1, 1),
        ("NumRet", 4, 0),
        ("num_ret", 4, 0),
        ("NumRel", 2, 1),  # trec_eval -c counts the relevant documents of an unanswered query
        ("NumRel(rel=2)", 1, 1),
        ("num_rel", 2, 1),
        ("NumRelRet", 1, 0),
        ("NumRelRet(rel=2)", 0, 0),
        ("NumRet(rel=1)", 1, 0),  # ir_measures' way to write it
        ("num_rel_ret", 1, 0),
        ("num_nonrel_judged_ret", 1, 0),  # c; d is negative and so unjudged
        ("num_nonrel_judged_ret(rel=2)", 2, 0),
    ],
)
def test_counted_by_hand(name: str, x: int, y: int) -> None:
    assert values(name, QRELS, RUN) == {"x": x, "y": y}


def test_a_convention_s_level_does_not_turn_retrieved_into_relevant() -> None:
    assert value("NumRet", QRELS["x"], "a n c d", rel=2) == 4
    assert value("NumRelRet", QRELS["x"], "a n c d", rel=2) == 0


def test_judged_only_shortens_the_ranking() -> None:
    """form_res_rels.c with -J: unjudged documents and negative grades are gone."""
    assert value("NumRet", QRELS["x"], "a n c d", judged_only=True) == 2


def test_the_aggregate_is_a_sum() -> None:
    assert all(measure.family.total for measure in parse("NumQ NumRet NumRel NumRelRet"))
    assert not any(measure.family.total for measure in parse("P@1 AP SetF"))


def test_trec_eval_s_sum_of_relevant_documents_under_c() -> None:
    """-c -l 2 prints 3 for all (a, b and y's a are above 0) where the queries have 1 and 1 (m_num_rel.c)."""
    run = {"x": {"a": 1.0}}
    under = {"convention": "trec_eval-9", "rel": 2}
    scores = irbridge.score(QRELS, run, "num_rel", missing="zero", **under)
    assert (scores.of("num_rel"), scores.aggregates()) == ({"x": 1, "y": 1}, {"num_rel": 3})
    assert irbridge.score(QRELS, run, "num_rel", **under).aggregates() == {"num_rel": 1}  # without -c: x alone
    level = irbridge.score(QRELS, run, "num_rel", missing="zero", relevant_total="level", **under)
    assert level.aggregates() == {"num_rel": 2}
