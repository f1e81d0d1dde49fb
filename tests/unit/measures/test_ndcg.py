from __future__ import annotations

import math
import time

import pytest
from support.hits import value, values

from irbridge.conventions import EXPONENTIAL, LINEAR, Gain
from irbridge.errors import InputError, UsageError

# usnistgov/trec_eval issue 35's shape; values by trec_eval 9.0.8 and 10.0 (also given as sums).
GRADED = {"a": 1, "b": 2, "c": 3}
RANKING = "a n c"
LOG3 = math.log2(3)


@pytest.mark.parametrize(
    "name, expected",
    [
        ("nDCG", (1 + 3 / 2) / (3 + 2 / LOG3 + 1 / 2)),  # trec_eval ndcg 0.5250
        ("ndcg", 2.5 / (3.5 + 2 / LOG3)),
        ("nDCG@2", 1 / (3 + 2 / LOG3)),  # ndcg_cut.2 0.2346: the ideal is cut too
        ("ndcg_cut_2", 1 / (3 + 2 / LOG3)),
        ("nDCG(dcg='exp-log2')", (1 + 7 / 2) / (7 + 3 / LOG3 + 1 / 2)),  # ndcg.1=1,2=3,3=7 0.4791
        ("ndcg@2", 1 / (7 + 3 / LOG3)),  # ranx ndcg_burges@2 0.11245
        ("ndcg@3", 4.5 / (7.5 + 3 / LOG3)),
        ("ndcg.1=1,2=3,3=7", 4.5 / (7.5 + 3 / LOG3)),
        ("ndcg.1=3,2=9", (3 + 3 / 2) / (9 + 3 / LOG3 + 3 / 2)),  # trec_eval 0.3631: grade 3 stays 3, b is best
        ("nDCG(gains={1:3,2:9})@2", 3 / (9 + 3 / LOG3)),
        ("nDCG(gains={0:0,1:0,2:0,3:0})", 0.0),
        ("nDCG(judged_only=True)", (1 + 3 / LOG3) / (3.5 + 2 / LOG3)),
    ],
)
def test_gains_and_cutoffs(name: str, expected: float) -> None:
    assert value(name, GRADED, RANKING) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    "knobs, name, shown",
    [
        ({}, "ndcg", 0.5250),
        ({}, "ndcg_cut.2", 0.2346),
        ({"depth": 2}, "ndcg", 0.2100),  # -M 2: the ranking is cut, the ideal is not
        ({"rel": 2}, "ndcg", 0.5250),  # -l 2 changes nothing
        ({"rel": 2, "level_cuts_gain": True}, "ndcg", 0.3520),  # ranx ndcg-l2
        ({"gain": EXPONENTIAL}, "ndcg", 0.4791),
    ],
)
def test_numbers_that_other_engines_print(knobs: dict[str, object], name: str, shown: float) -> None:
    assert round(value(name, GRADED, RANKING, **knobs), 4) == shown


def test_a_level_that_cuts_gains_makes_grade_1_worth_nothing() -> None:
    """(0 + 3/2) / (3 + 2/log2(3))"""
    knobs = {"rel": 2, "level_cuts_gain": True}
    assert value("nDCG", GRADED, RANKING, **knobs) == pytest.approx(1.5 / (3 + 2 / LOG3), abs=1e-15)


@pytest.mark.parametrize(
    "labels, ranking, expected",
    [
        ({"r": 1, "s": 1}, "r n", 1 / (1 + 1 / LOG3)),  # 0.6131; not 1, though nothing better was returned
        ({"r": 1}, "n r", 1 / LOG3),  # 0.6309: rank 2 is not rank 1
        ({"r": 1}, "n m r", 1 / 2),
        ({"r": 3, "s": 1}, "s r", (1 + 3 / LOG3) / (3 + 1 / LOG3)),  # grades on both sides of the fraction
        ({"D1": -1, "D2": 1}, "D1 D2", 1 / LOG3),  # trec_eval: a negative grade gains 0, not -1
        ({"D1": -2, "D2": -1}, "D1 D2", 0.0),
        ({"a": 0}, "a", 0.0),
        ({"a": 1}, "", 0.0),
    ],
)
def test_what_wrong_formulas_get_wrong(labels: dict[str, int], ranking: str, expected: float) -> None:
    for name in ("nDCG@10", "nDCG"):
        assert value(name, labels, ranking) == pytest.approx(expected, abs=1e-15)


def test_a_convention_replaces_only_a_gain_that_the_name_does_not_spell() -> None:
    linear, exponential = value("nDCG@3", GRADED, RANKING), value("ndcg@3", GRADED, RANKING)
    assert value("nDCG@3", GRADED, RANKING, gain=EXPONENTIAL) == exponential
    assert value("ndcg@3", GRADED, RANKING, gain=LINEAR) == linear
    assert value("nDCG(dcg='log2')@3", GRADED, RANKING, gain=EXPONENTIAL) == linear
    assert value("ndcg.3=3", GRADED, RANKING, gain=EXPONENTIAL) == linear


def test_gains_less_than_one_apart_are_ordered_as_numbers() -> None:
    """The best order is c, b, a: (0.1 + 0.3/2) / (0.3 + 0.2/log2(3) + 0.1/2)."""
    expected = 0.25 / (0.35 + 0.2 / LOG3)
    assert value("nDCG(gains={1:0.1,2:0.2,3:0.3})", GRADED, RANKING) == pytest.approx(expected, abs=1e-15)


def test_a_gain_for_grade_0_is_for_judged_documents_alone() -> None:
    """(5 + 5/2) / (5 + 5/log2(3)): b is judged 0, n is not judged."""
    labels = {"a": 1, "b": 0}
    expected = 7.5 / (5 + 5 / LOG3)
    assert value("nDCG(gains={0:5,1:5})", labels, "a n b") == pytest.approx(expected, abs=1e-15)


# ------------------------------------------------------------------------------------------------------- extreme grades


def test_huge_grades_are_quick_and_finite() -> None:
    started = time.perf_counter()
    assert value("nDCG@10", {"a": 10**9, "b": 2**53}, "b a") == 1.0
    assert time.perf_counter() - started < 1


def test_exponential_gain_to_the_edge() -> None:
    assert value("ndcg@10", {"a": 1000, "b": 1000}, "a b") == 1.0


@pytest.mark.parametrize("grade", [1001, 2000, 2**53])
def test_exponential_gain_beyond_a_double_is_refused(grade: int) -> None:
    with pytest.raises(InputError, match=rf"ndcg@10.*grade {grade} \(query x\)") as error:
        values("ndcg@10", {"w": {"a": 1}, "x": {"b": grade}}, {"w": ["a"]})
    assert error.value.hint is not None
    assert "linear" in error.value.hint


def test_custom_gains_beyond_a_double_are_refused() -> None:
    with pytest.raises(UsageError, match="too large"):
        value("nDCG@10", GRADED, RANKING, gain=Gain.of({1: 1e308}))


def test_grades_below_the_edge_of_a_double_do_not_lose_their_order() -> None:
    """2^60 - 1 and 2^60 are one double, so the quotient is exactly 1; no NaN, no infinity."""
    assert value("ndcg@1", {"a": 60, "b": 1}, "a b") == 1.0
