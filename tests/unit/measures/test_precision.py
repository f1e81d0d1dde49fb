from __future__ import annotations

import pytest
from support.hits import value, values

LABELS = {"a": 1, "b": 0, "c": 2, "d": -1}


@pytest.mark.parametrize(
    "name, expected",
    [
        ("P@1", 1.0),  # a
        ("P@2", 1 / 2),  # a, n
        ("P@3", 2 / 3),  # a, n, c
        ("P@4", 2 / 4),  # a, n, c, d; a negative grade is not relevant
        ("P@10", 2 / 10),  # m_P.c divides by the cutoff where fewer were retrieved
        ("P_3", 2 / 3),
        ("precision@3", 2 / 3),
        ("P(rel=2)@3", 1 / 3),  # c alone
        ("P(rel=3)@3", 0.0),
        ("P(judged_only=True)@2", 2 / 2),  # n leaves, c moves up; d would leave too (form_res_rels.c)
        ("P(judged_only=True)@3", 2 / 3),
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "a n c d") == expected


def test_a_short_ranking_is_divided_by_k() -> None:
    """Two documents, one relevant: P_5 is 0.2 in trec_eval 9.0.8 and 10.0 (set_P is 0.5)."""
    assert value("P@5", {"a": 1}, "a n") == 0.2


def test_a_negative_grade_keeps_its_rank_unless_only_judged_documents_count() -> None:
    """trec_eval: D1 -1 above D2 1 gives P_1 0, with -J 1."""
    labels = {"D1": -1, "D2": 1}
    assert value("P@1", labels, "D1 D2") == 0.0
    assert value("P@1", labels, "D1 D2", judged_only=True) == 1.0


def test_unanswered_and_unrelated_queries_are_0() -> None:
    assert values("P@2", {"x": {"a": 1}, "y": {"a": 1}, "z": {"a": 0}}, {"y": [], "z": ["a"]}) == {
        "x": 0,
        "y": 0,
        "z": 0,
    }


def test_a_cutoff_as_large_as_64_bits_allow() -> None:
    assert value(f"P@{2**63 - 1}", {"a": 1}, "a") == pytest.approx(2**-63)
