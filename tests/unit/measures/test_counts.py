from __future__ import annotations

import pytest
from support.hits import value, values

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
