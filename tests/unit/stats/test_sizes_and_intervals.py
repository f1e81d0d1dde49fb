"""Effect size, power, and intervals of a mean difference."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbridge.stats.bca import bca
from irbridge.stats.bounds import ENOUGH, bounds
from irbridge.stats.effect_size import effect_size, small_sample
from irbridge.stats.power import detectable, power_at
from irbridge.stats.units import units

SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]  # mean 1.58, s = 1.2300 (test_paired)


def test_effect_size() -> None:
    found = effect_size(np.array(SLEEP))
    assert found is not None
    # t / sqrt(n) = 4.0621 / sqrt(10); times Gamma(4.5) / (sqrt(4.5) Gamma(4)) = 11.6317284 / (2.1213203 * 6) = 0.9138752.
    assert found.d_z == pytest.approx(4.0621 / math.sqrt(10), abs=2e-5)
    assert found.g_z == pytest.approx(4.0621 / math.sqrt(10) * 0.9138752, abs=2e-5)


def test_the_small_sample_factor() -> None:
    # Gamma(1) / Gamma(1/2) = 1 / sqrt(pi); Gamma(3/2) / (sqrt(3/2) Gamma(1)) = sqrt(pi) / 2 / sqrt(3/2).
    assert small_sample(2) == pytest.approx(1 / math.sqrt(math.pi), abs=1e-14)
    assert small_sample(3) == pytest.approx(math.sqrt(math.pi / 6), abs=1e-14)
    # Hedges 1981, page 114: about 1 - 3 / (4 df - 1), the closer the more there are.
    off = [abs(small_sample(df) - (1 - 3 / (4 * df - 1))) for df in range(2, 400)]
    assert off[0] < 0.008
    assert off == sorted(off, reverse=True)
    assert small_sample(1) == 0.0


@pytest.mark.parametrize("values", [[], [1.0], [0.0, 0.0], [0.3, 0.3, 0.3]])
def test_no_spread_no_effect_size(values: list[float]) -> None:
    assert effect_size(np.array(values)) is None


def test_power_is_gpower_s() -> None:
    # G*Power, t tests, difference between two dependent means, two tails, dz = 0.5, alpha 0.05, power 0.8: 34 pairs,
    # noncentrality 2.9154759, actual power 0.8077775.
    assert power_at(0.5 * math.sqrt(34), 33) == pytest.approx(0.8077775, abs=1e-6)
    assert detectable(1 / math.sqrt(34), 33) < 0.5 < detectable(1 / math.sqrt(33), 32)


def test_what_can_be_shown_is_what_is_found_four_times_in_five() -> None:
    for df in (1, 4, 30, 5000):
        assert power_at(detectable(1.0, df), df) == pytest.approx(0.8, abs=1e-9)
    # Of many queries: z(0.975) + z(0.8) = 1.959964 + 0.841621 standard errors.
    assert detectable(1.0, 10**7) == pytest.approx(2.801585, abs=1e-4)
    assert detectable(2.5, 30) == pytest.approx(2.5 * detectable(1.0, 30), abs=1e-12)
    assert power_at(0.0, 20) == pytest.approx(0.05, abs=1e-12)


def test_of_few_units_the_interval_is_student_s() -> None:
    # R: t.test(extra ~ group, data = sleep, paired = TRUE): 95 percent confidence interval 0.7001142 to 2.4598858.
    found = bounds(units(np.array(SLEEP)))
    assert found is not None
    assert found[:2] == pytest.approx((0.7001142, 2.4598858), abs=1e-7)
    assert found.method == "t"


def test_of_enough_units_it_is_the_bootstrap_s() -> None:
    values = np.random.default_rng(5).normal(0.1, 0.2, ENOUGH)
    found = bounds(units(values))
    assert found is not None
    assert found.method == "bca"
    assert found[:2] == bca(units(values))
    assert found.low < values.mean() < found.high


def test_of_enough_units_few_of_which_differ_it_is_the_wider_of_both() -> None:
    values = np.random.default_rng(5).normal(0.1, 0.2, 2 * ENOUGH)
    values[ENOUGH - 1 :] = 0.0
    of = units(values)
    found, drawn = bounds(of), bca(of)
    assert found is not None
    assert drawn is not None
    error = values.std(ddof=1) / math.sqrt(len(values))
    # Student's t with 99 degrees of freedom at 0.975 is 1.984217.
    assert found.method == "wider"
    assert found.low == pytest.approx(min(values.mean() - 1.984217 * error, drawn[0]), abs=1e-8)
    assert found.high == pytest.approx(max(values.mean() + 1.984217 * error, drawn[1]), abs=1e-8)
    values[ENOUGH - 1] = 0.1
    other = bounds(units(values))
    assert other is not None
    assert other.method == "bca"


def test_the_expanded_interval_is_wider() -> None:
    of = units(np.array(SLEEP))
    plain, expanded = bca(of, expand=False), bca(of)
    assert plain is not None
    assert expanded is not None
    assert expanded[0] < plain[0] < 1.58 < plain[1] < expanded[1]


def test_clusters_are_drawn_whole() -> None:
    # Two kinds of clusters, all of one sign inside: the spread is between clusters, sqrt(10) times that of 200 free queries.
    values = np.repeat(np.array([0.2, -0.2] * 10), 10)
    clusters = [str(number // 10) for number in range(200)]
    free, tied = bca(units(values)), bca(units(values, clusters))
    assert free is not None
    assert tied is not None
    assert (tied[1] - tied[0]) / (free[1] - free[0]) == pytest.approx(math.sqrt(10), rel=0.15)


@pytest.mark.parametrize("values", [[], [1.0], [0.0] * 60, [0.25] * 60])
def test_no_spread_no_interval(values: list[float]) -> None:
    assert bounds(units(np.array(values))) is None
    assert bca(units(np.array(values))) is None
