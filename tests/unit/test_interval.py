from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import irbridge
from irbridge.errors import InputError
from irbridge.stats.interval import interval, summarize, t_quantile


def test_quantiles_of_the_printed_table() -> None:
    # Student's table as every textbook prints it (NIST/SEMATECH e-Handbook 1.3.6.7.2, two-sided 95%).
    printed = {1: 12.706, 2: 4.303, 3: 3.182, 10: 2.228, 30: 2.042, 100: 1.984, 1000: 1.962}
    assert {df: round(t_quantile(0.975, df), 3) for df in printed} == printed


def test_quantile_in_closed_form() -> None:
    # df 1 is the Cauchy distribution, df 2 has t = sqrt(2) (2p - 1) / sqrt(1 - (2p - 1)^2).
    assert t_quantile(0.975, 1) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-13)
    assert t_quantile(0.975, 2) == pytest.approx(math.sqrt(2) * 0.95 / math.sqrt(1 - 0.95**2), rel=1e-13)


@pytest.mark.parametrize("probability", [0.5, 0.75, 0.95, 0.975, 0.995, 0.9995])
def test_quantiles_equal_scipy(probability: float) -> None:
    worst = max(abs(t_quantile(probability, df) - stats.t.ppf(probability, df)) for df in range(1, 2001))
    assert worst < 1e-9


@pytest.mark.parametrize("df", [2001, 10_000, 1_000_000])
def test_quantiles_of_many_degrees_of_freedom(df: int) -> None:
    assert t_quantile(0.975, df) == pytest.approx(stats.t.ppf(0.975, df), abs=1e-12)


@pytest.mark.parametrize("probability, df", [(0.4, 3), (0.99999, 3), (0.975, 0)])
def test_quantile_refuses_what_it_cannot_do(probability: float, df: int) -> None:
    with pytest.raises(ValueError, match="t_quantile takes"):
        t_quantile(probability, df)


def test_summary_of_three_samples() -> None:
    # mean 0.8; deviations 0, 0.2, -0.2: variance 0.08 / 2, stdev 0.2; half width 4.302652729696 * 0.2 / sqrt(3).
    half = 4.302652729696 * 0.2 / math.sqrt(3)
    found = summarize([0.8, 1.0, 0.6])
    assert (found.value, found.n, found.stdev, found.deterministic) == (0.8, 3, 0.2, False)
    assert found.ci == pytest.approx((0.8 - half, 0.8 + half), abs=1e-11)
    assert found.ci is not None
    assert found.ci[1] > 1  # not clamped to a measure's range


def test_one_sample_has_no_interval() -> None:
    assert summarize([0.7]) == (0.7, 1, None, None, False)


def test_equal_samples_have_an_interval_of_width_zero() -> None:
    assert summarize([0.5, 0.5]) == (0.5, 2, 0.0, (0.5, 0.5), False)


def test_values_are_rounded_to_twelve_decimals() -> None:
    assert summarize([0, 0, 1]).value == 0.333333333333


@pytest.mark.parametrize("samples", [[], [0.5, float("nan")], [float("inf")], [0.5, "high"], [None]])
def test_refused_samples(samples: list[object]) -> None:
    with pytest.raises(InputError):
        summarize(samples)  # type: ignore[arg-type]


def test_the_error_names_the_sample() -> None:
    with pytest.raises(InputError, match="sample 1 is not a finite number"):
        summarize([0.5, float("nan")])


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=40), st.floats(-100, 100))
def test_a_shift_of_all_samples_shifts_the_interval(samples: list[float], by: float) -> None:
    before, after = summarize(samples), summarize([sample + by for sample in samples])
    assert before.ci is not None
    assert after.ci is not None
    assert after.value == pytest.approx(before.value + by, abs=1e-9)
    assert after.ci[0] == pytest.approx(before.ci[0] + by, abs=1e-7)
    assert after.ci[0] <= after.value <= after.ci[1]


@given(st.floats(0.01, 10), st.integers(2, 500))
def test_more_samples_of_the_same_spread_narrow_the_interval(stdev: float, n: int) -> None:
    low, high = interval(0.0, stdev, n)
    less, more = interval(0.0, stdev, n + 1)
    assert low < less < more < high


def test_it_is_public_and_needs_no_scipy() -> None:
    assert irbridge.summarize is summarize
    code = "import irbridge, sys; irbridge.summarize([1, 2, 3]); print('scipy' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
