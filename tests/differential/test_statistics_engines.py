"""Our statistics against scipy's, and statsmodels' where that is installed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

from irbridge.stats.bca import bca
from irbridge.stats.corrections import CORRECTIONS
from irbridge.stats.paired import PAIRED_TESTS, paired_result
from irbridge.stats.power import power_at
from irbridge.stats.rank_correlation import tau
from irbridge.stats.units import differences, units

CASES = [(seed, queries) for seed in range(12) for queries in (5, 12, 19, 35, 120)]


def systems(seed: int, queries: int) -> tuple[np.ndarray, np.ndarray]:
    """Two systems by a measure with few values, sums of which are exact, so that there are ties of both kinds; or with many."""
    random = np.random.default_rng([seed, queries])
    a, b = random.uniform(0, 1, (2, queries))
    return (np.round(a * 4) / 4, np.round(b * 8) / 8) if seed % 2 else (a, 0.9 * b)


@pytest.mark.parametrize("seed, queries", CASES)
def test_t(seed: int, queries: int) -> None:
    a, b = systems(seed, queries)
    ours = paired_result(PAIRED_TESTS.get("t"), units(differences(a, b))).p
    assert ours == pytest.approx(stats.ttest_rel(a, b).pvalue, abs=1e-12)


@pytest.mark.parametrize("seed, queries", CASES)
def test_wilcoxon(seed: int, queries: int) -> None:
    found = differences(*systems(seed, queries))
    kept = found[found != 0]
    if len(kept) < 2:
        return
    ours = paired_result(PAIRED_TESTS.get("wilcoxon"), units(found)).p
    if len(kept) > 20:
        expected = stats.wilcoxon(found, zero_method="wilcox", method="approx").pvalue
    elif len(np.unique(np.abs(kept))) == len(kept):
        expected = stats.wilcoxon(kept, method="exact").pvalue
    elif len(kept) > 12:  # scipy's exact way with ties is to permute the signs, which takes too long
        return
    else:
        expected = stats.wilcoxon(kept, method=stats.PermutationMethod(n_resamples=np.inf)).pvalue
    assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed, queries", CASES)
def test_sign_flip(seed: int, queries: int) -> None:
    found = differences(*systems(seed, queries))
    kept = found[found != 0]
    ours = paired_result(PAIRED_TESTS.get("sign-flip"), units(found), seed).p
    exact = len(kept) <= 20
    theirs = stats.permutation_test(
        (kept,), lambda x, axis: np.abs(x.sum(axis=axis)), permutation_type="samples", alternative="greater",
        n_resamples=np.inf if exact and len(kept) <= 12 else 9_999, vectorized=True, rng=np.random.default_rng(seed),
    ).pvalue  # fmt: skip
    # Two samples of 9,999 patterns differ by less than four standard errors of a share.
    assert ours == pytest.approx(theirs, abs=1e-12 if exact and len(kept) <= 12 else 4 * (0.5 / 9_999) ** 0.5)


# Of five, one resample in 26 is the sample in another order: its mean is the same, which scipy does not always see.
@pytest.mark.parametrize("seed, queries", [case for case in CASES if case[1] > 5])
def test_bca_is_scipy_s_where_it_is_not_expanded(seed: int, queries: int) -> None:
    of = units(differences(*systems(seed, queries)))
    of = of if of.upright else of.mirrored()  # the same numbers in the same order, so that the same are drawn
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = stats.bootstrap(
            (of.sums,), np.mean, n_resamples=999, method="BCa", rng=np.random.default_rng(seed)
        ).confidence_interval
    ours = bca(of, seed=seed, resamples=999, expand=False)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_hochberg(seed: int) -> None:
    p = np.random.default_rng(seed).beta(0.4, 1, 25)
    p[3] = p[7]
    assert CORRECTIONS.get("bh").adjust(p.tolist()) == pytest.approx(
        stats.false_discovery_control(p).tolist(), abs=1e-12
    )


@pytest.mark.parametrize("seed", range(20))
def test_tau(seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, 8, (2, 15))
    assert tau(a.tolist(), b.tolist()) == pytest.approx(stats.kendalltau(a, b).statistic, abs=1e-12)


@pytest.mark.may_skip("statsmodels is not among what the tests install")
@pytest.mark.parametrize("ours, theirs", [("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")])
def test_corrections_are_statsmodels_s(ours: str, theirs: str) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    for seed in range(20):
        p = np.random.default_rng(seed).beta(0.4, 1, 25)
        expected = multitest.multipletests(p, method=theirs)[1]
        assert CORRECTIONS.get(ours).adjust(p.tolist()) == pytest.approx(expected.tolist(), abs=1e-12)


@pytest.mark.may_skip("statsmodels is not among what the tests install")
def test_power_is_statsmodels_s() -> None:
    power = pytest.importorskip("statsmodels.stats.power")
    for queries, effect in ((5, 0.9), (34, 0.5), (225, 0.1)):
        expected = power.TTestPower().power(effect, queries, 0.05)
        assert power_at(effect * queries**0.5, queries - 1) == pytest.approx(expected, abs=1e-9)
