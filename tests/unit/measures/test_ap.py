from __future__ import annotations

import pytest
from support.hits import value

GRADED = {"a": 1, "b": 2, "c": 3}


def test_precision_at_each_relevant_rank() -> None:
    """Relevant at ranks 1, 3 and 5 of three: (1/1 + 2/3 + 3/5) / 3 = 34/45."""
    assert value("AP", {"a": 1, "b": 1, "c": 1}, "a n b o c") == pytest.approx(34 / 45, abs=1e-15)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("AP", (1 + 2 / 3) / 3),  # trec_eval map 0.5556
        ("map", (1 + 2 / 3) / 3),
        ("AP(rel=2)", (1 / 3) / 2),  # trec_eval -l 2: map 0.1667
        ("AP(rel=3)", 1 / 3),
        ("AP@2", 1 / 3),
        ("AP(judged_only=True)", (1 + 2 / 2) / 3),  # n is gone, c moves to rank 2
    ],
)
def test_levels(name: str, expected: float) -> None:
    assert value(name, GRADED, "a n c") == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", ["AP@1", "map_cut_1", "map@1"])
def test_a_cutoff_does_not_change_the_denominator(name: str) -> None:
    """Three relevant, one found at rank 1: map_cut_1 is 1/3 in trec_eval, where others say 1."""
    assert value(name, {"a": 1, "b": 1, "c": 1}, "a n") == 1 / 3


def test_an_unreachable_label_counts() -> None:
    """zz is in no corpus: the perfect run still has AP 0.5 (pytrec_eval)."""
    assert value("AP", {"a": 1, "zz": 1}, "a") == 0.5


def test_one_relevant_document_makes_it_the_reciprocal_rank() -> None:
    assert value("AP", {"a": 1}, "n m o a") == value("RR", {"a": 1}, "n m o a") == 1 / 4
