"""Paired tests on data whose answers are published.

SLEEP: Student 1908 after Cushny and Peebles 1905, the hours of sleep gained by two drugs; the differences of ten patients. Their
mean is 1.58, s = 1.23, t = 4.06 (his page 21); to four digits t = 4.0621 and p = 0.002833 with 9 degrees of freedom (`t.test` on
R's data set `sleep`).
DARWIN: the fifteen pairs of maize of Fisher 1935, section 21, in eighths of an inch; of 32,768 sign patterns 863 give a sum of
314 or more, so that p = 2 * 863 / 32768 (his 5.267 per cent). Wilcoxon on them: p = 0.041259765625 (documentation of
`scipy.stats.wilcoxon`), which is 1352 / 32768.
"""

from __future__ import annotations

import numpy as np
import pytest

from irbridge.stats.flips import EXACT_UP_TO, flipped
from irbridge.stats.paired import PAIRED_TESTS, PairedResult, paired_result
from irbridge.stats.units import units

SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def result(name: str, values: list[float], clusters: list[str] | None = None, seed: int = 0) -> PairedResult:
    return paired_result(PAIRED_TESTS.get(name), units(np.array(values, float), clusters), seed)


def test_t() -> None:
    assert result("t", SLEEP).p == pytest.approx(0.002833, abs=5e-7)


def test_t_of_clusters() -> None:
    # Mean 1, standard error sqrt(0.75), 2 degrees of freedom (test_units): t = 1.1547, and with two degrees of freedom
    # p = 1 - t / sqrt(2 + t^2) = 1 - sqrt(0.4).
    found = result("t", [1, -1, 3, 1], ["a", "b", "a", "c"])
    assert found.p == pytest.approx(1 - 0.4**0.5, abs=1e-12)


def test_sign_flip_is_fisher_s() -> None:
    found = result("sign-flip", DARWIN)
    assert found.p == 2 * 863 / 32768
    assert found.how == "all 32,768 sign patterns"
    assert found.least == 2 / 32768


def test_sign_flip_by_hand() -> None:
    # 1, 2, 3: sums of all patterns are +-6, +-4, +-2, 0, 0: two of eight are as far from 0 as 6, four as 4.
    assert result("sign-flip", [1, 2, 3]).p == 2 / 8
    assert result("sign-flip", [-1, 2, 3]).p == 4 / 8
    # Queries without a difference change nothing.
    assert result("sign-flip", [0, 1, 2, 0, 3]).p == 2 / 8


def test_sign_flip_flips_clusters_whole() -> None:
    # Sums of the clusters 4, -1, 1: |4 + 0| of patterns +-6, +-4, +-4, +-2: six of eight are at least 4.
    assert result("sign-flip", [1, -1, 3, 1], ["a", "b", "a", "c"]).p == 6 / 8


def test_sign_flip_beyond_20_is_a_seeded_sample() -> None:
    values = [0.3 - 0.01 * number for number in range(EXACT_UP_TO + 5)]
    found = result("sign-flip", values, seed=7)
    assert found == result("sign-flip", values, seed=7)
    assert found.how == "9,999 sign patterns, seed 7"
    assert found.least == 1 / 10_000
    other = result("sign-flip", values, seed=8)
    assert found.p is not None
    assert other.p is not None
    assert found.p != other.p or found.p == found.least
    assert found.p == pytest.approx(other.p, abs=0.02)


def test_a_sample_never_gives_0_and_agrees_with_all_patterns() -> None:
    values = np.array(DARWIN, float)
    exact = flipped(values, values.sum())
    large = np.concatenate([values, np.full(EXACT_UP_TO - len(values) + 1, 1e-9)])
    assert flipped(large, large.sum()).p == pytest.approx(exact.p, abs=0.01)
    assert flipped(np.ones(100), 100.0, draws=99).p == 1 / 100


def test_wilcoxon() -> None:
    found = result("wilcoxon", DARWIN)
    assert found.p == 0.041259765625
    assert found.how == "exact"


def test_wilcoxon_leaves_zeros_out_and_shares_ranks() -> None:
    # 2, -1, 1, 0: ranks of 1, 1, 2 are 1.5, 1.5, 3; the signed sum is 3. Patterns: |+-1.5 +-1.5 +-3|: 6, 3, 3, 0, twice each:
    # six of eight are at least 3.
    found = result("wilcoxon", [2, -1, 1, 0])
    assert found.p == 6 / 8
    assert found.how == "exact, 1 differences of 0 left out"


@pytest.mark.parametrize("name", ["t", "sign-flip", "wilcoxon"])
def test_what_cannot_be_tested_says_why(name: str) -> None:
    assert result(name, [0.0] * 7) == PairedResult(None, why="the difference is 0 on all 7 queries")
    assert result(name, [0.4]) == PairedResult(None, why="a test needs at least two queries")
    assert result(name, [1, 2], ["a", "a"]).why == "a test needs at least two clusters"


def test_t_says_why_it_has_nothing_to_divide_by() -> None:
    found = result("t", [0.1] * 8)
    assert found.p is None
    assert "no spread" in found.why


def test_wilcoxon_refuses_clusters() -> None:
    found = result("wilcoxon", [1, -1, 3, 1], ["a", "b", "a", "c"])
    assert found.p is None
    assert "nothing about clusters" in found.why
