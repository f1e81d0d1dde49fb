from __future__ import annotations

import math

import pytest
from support.hits import value

LOG3 = math.log2(3)
GRADED = {"a": 1, "b": 2, "c": 3}


def test_binary_discount_by_the_waste_above() -> None:
    """Relevant at ranks 1 and 3 with one other between: (1/log2(2) + 1/log2(3)) / 3."""
    assert value("binG", GRADED, "a n c") == pytest.approx((1 + 1 / LOG3) / 3, abs=1e-15)


def test_the_level_reaches_bing_alone() -> None:
    """-l 2: c alone counts, two others above it: 1/log2(4) of R = 2."""
    assert value("binG(rel=2)", GRADED, "a n c") == pytest.approx((1 / 2) / 2, abs=1e-15)
    assert value("G", GRADED, "a n c", rel=2) == value("G", GRADED, "a n c")


def test_graded_gain_by_the_lag_behind_the_best() -> None:
    """The best order costs 3, 5, 6 (c, b, a). a: 1 / log2(2 + 3 - 1), c: 3 / log2(2 + 6 - 4); of 6 in all."""
    assert value("G", GRADED, "a n c") == pytest.approx((1 / 2 + 3 / 2) / 6, abs=1e-15)


def test_a_rank_beyond_the_labels_costs_1() -> None:
    """One label of grade 1: the ranks cost 1 each. At rank 3: 1 / log2(2 + 3 - 1)."""
    assert value("G", {"a": 1}, "n m a") == pytest.approx(1 / 2, abs=1e-15)


def test_gains() -> None:
    """Gains 9 for grade 2, 3 for grade 1: b, a best. a at 1: 3 / log2(2 + 9 - 3), b at 2: 9 / log2(2 + 12 - 12)."""
    expected = (3 / 3 + 9 / 1) / 12
    assert value("G.1=3,2=9", {"a": 1, "b": 2}, "a b") == pytest.approx(expected, abs=1e-15)


def test_the_best_ranking_is_1() -> None:
    assert value("G", GRADED, "c b a n") == value("binG", GRADED, "c b a n") == 1.0
