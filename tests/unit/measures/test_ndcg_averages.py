from __future__ import annotations

import math

import pytest
from support.hits import value

LOG3 = math.log2(3)
GRADED = {"a": 1, "b": 2, "c": 3}
# Ideal DCG of c, b, a at ranks 1, 2, 3.
BEST = [3, 3 + 2 / LOG3, 3 + 2 / LOG3 + 1 / 2]


def test_at_each_document_with_gain() -> None:
    """a at 1: 1/3; c at 3: 2.5/BEST[2]; b is not retrieved and has the end's nDCG."""
    end = 2.5 / BEST[2]
    assert value("ndcg_rel", GRADED, "a n c") == pytest.approx((1 / 3 + end + end) / 3, abs=1e-15)


def test_at_each_change_of_gain() -> None:
    """The best ranking changes gain after ranks 1, 2 and 3; DCG there is 1, 1 and 2.5."""
    assert value("Rndcg", GRADED, "a n c") == pytest.approx((1 / 3 + 1 / BEST[1] + 2.5 / BEST[2]) / 3, abs=1e-15)


@pytest.mark.parametrize("tail, points", [("", 3), (" m", 3), (" m o", 4), (" m o x", 4)])
def test_the_end_of_a_long_ranking_is_one_more_point(tail: str, points: int) -> None:
    """m_Rndcg.c: the loop that ends at the first rank without gain has taken that rank with it."""
    end = 2.5 / BEST[2]
    expected = (1 / 3 + 1 / BEST[1] + end + (end if points == 4 else 0)) / points
    assert value("Rndcg", GRADED, "a n c" + tail) == pytest.approx(expected, abs=1e-15)


def test_a_change_of_grade_without_a_change_of_gain_is_no_point() -> None:
    """Grades 1 and 2 both gain 2: one point, after rank 2."""
    expected = (2 / LOG3) / (2 + 2 / LOG3)
    assert value("Rndcg.1=2", {"a": 1, "b": 2}, "n a") == pytest.approx(expected, abs=1e-15)


def test_a_short_ranking_is_read_at_its_end() -> None:
    assert value("Rndcg", GRADED, "c") == pytest.approx((1 + 3 / BEST[1] + 3 / BEST[2]) / 3, abs=1e-15)
    assert value("ndcg_rel", GRADED, "c") == pytest.approx((1 + 2 * 3 / BEST[2]) / 3, abs=1e-15)


def test_the_level_only_asks_whether_anything_is_relevant() -> None:
    assert value("Rndcg", GRADED, "a n c", rel=4) == 0.0
    assert value("Rndcg", GRADED, "a n c", rel=3) == value("Rndcg", GRADED, "a n c")
    assert value("ndcg_rel", GRADED, "a n c", rel=4) > 0
