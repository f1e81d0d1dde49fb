"""RBO, overlap, and correlations of orders, worked out by hand from their papers' formulas."""

from __future__ import annotations

import pytest

from irbridge.stats.rank_correlation import tau, tau_ap
from irbridge.stats.rbo import common_by_depth, overlap, rbo


def test_rbo_by_hand() -> None:
    # abc and acd: common 1, 1, 2 at depths 1, 2, 3. (0.1 / 0.9) (0.9 * 1 + 0.81 / 2 + 0.729 * 2 / 3) + 2 / 3 * 0.729
    # = 1.791 / 9 + 0.486 = 0.685 (Webber, Moffat and Zobel 2010, equation 32 with s = l is equation 23).
    assert common_by_depth("abc", "acd").tolist() == [1, 1, 2]
    assert rbo("abc", "acd", 0.9) == pytest.approx(0.685, abs=1e-12)
    assert rbo("acd", "abc", 0.9) == pytest.approx(0.685, abs=1e-12)


def test_rbo_of_lists_of_two_lengths() -> None:
    # S = ab, L = xab, p = 1/2: common 0, 1, 2; s = 2, l = 3, X_s = 1, X_l = 2. First sum: 0 + 1/2 * 1/4 + 2/3 * 1/8 = 5/24;
    # second: X_s (3 - 2) / (2 * 3) / 8 = 1/48; tail: ((2 - 1) / 3 + 1/2) / 8 = 5/48. In all 10/48 + 1/48 + 5/48 = 1/3.
    assert rbo("ab", "xab", 0.5) == pytest.approx(1 / 3, abs=1e-12)
    # A list and its own beginning agree in all that was seen.
    assert rbo("abcdef", "abc", 0.8) == pytest.approx(1, abs=1e-12)


def test_rbo_at_the_edges() -> None:
    assert rbo("", "") is None
    assert rbo("", "ab") == 0.0
    assert rbo("ab", "cd") == 0.0
    assert rbo(
        [str(number) for number in range(3000)], [str(number) for number in range(3000)], 0.999
    ) == pytest.approx(1)


def test_overlap() -> None:
    assert overlap("abcd", "bxay", 1) == 0.0
    assert overlap("abcd", "bxay", 2) == 0.5
    assert overlap("abcd", "bxay", 10) == 0.2


def test_a_swap_at_the_top_costs_more_than_one_at_the_bottom() -> None:
    # Truly A > B > C > D. One pair of six is swapped: tau = 1 - 2/6. B A C D: shares 0, 1, 1, tau-ap = 2 * 2/3 - 1 = 1/3.
    # A B D C: shares 1, 1, 2/3, tau-ap = 2 * 8/9 - 1 = 7/9 (Yilmaz, Aslam and Robertson 2008, equation 2).
    true = [0.4, 0.3, 0.2, 0.1]
    top, bottom = [0.3, 0.4, 0.2, 0.1], [0.4, 0.3, 0.1, 0.2]
    assert tau(top, true) == tau(bottom, true) == pytest.approx(2 / 3, abs=1e-12)
    assert tau_ap(top, true) == pytest.approx(1 / 3, abs=1e-12)
    assert tau_ap(bottom, true) == pytest.approx(7 / 9, abs=1e-12)


def test_ties() -> None:
    # tau-b of 1, 2, 2 and 1, 2, 3: two of three pairs agree, one is tied on one side: 2 / sqrt(2 * 3).
    assert tau([1, 2, 2], [1, 2, 3]) == pytest.approx(2 / 6**0.5, abs=1e-12)
    assert tau_ap([1, 2, 2], [1, 2, 3]) is None
    assert tau_ap([1, 2, 3], [1, 2, 2]) is None
    assert tau([1, 1], [1, 2]) is None
    assert tau([1], [1]) is tau_ap([1], [1]) is None


def test_the_ends() -> None:
    assert tau([3, 2, 1], [30, 20, 10]) == tau_ap([3, 2, 1], [30, 20, 10]) == 1
    assert tau([1, 2, 3], [30, 20, 10]) == tau_ap([1, 2, 3], [30, 20, 10]) == -1
