"""The BCa bootstrap interval of a mean difference: bias-corrected, accelerated, and expanded.

Sources: Efron, "Better Bootstrap Confidence Intervals", JASA 82 (1987), 171-185; Efron and Tibshirani, An Introduction to the
Bootstrap (1993), section 14.3. A bootstrap of n units is too narrow by sqrt((n - 1) / n) and has the normal's tails where
Student's are due: the quantiles are widened as in Hesterberg, "What Teachers Should Know About the Bootstrap", The American
Statistician 69 (2015), 371-386 (the expanded interval; `CI.bca(expand = TRUE)` of his R package `resample`).
"""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Floats
from irbridge.stats.interval import CONFIDENCE
from irbridge.stats.units import EQUAL_WITHIN, Units, standard_error

#: Enough for the ends of a 95% interval to move in the third digit only when the seed changes.
RESAMPLES = 10_000
_BLOCK = 1 << 20


def bca(
    of: Units, confidence: float = CONFIDENCE, seed: int = 0, resamples: int = RESAMPLES, *, expand: bool = True
) -> tuple[float, float] | None:
    """The interval of the mean difference over queries; whole units are drawn, so that clusters stay together.

    Args:
        of: the differences.
        confidence: such as 0.95.
        seed: of the draws.
        resamples: how many.
        expand: widen the quantiles; without it this is `scipy.stats.bootstrap(method="BCa")`.

    Returns:
        (low, high), or None where there is no spread to draw from.
    """
    if standard_error(of) is None:
        return None
    if not of.upright:
        found = bca(of.mirrored(), confidence, seed, resamples, expand=expand)
        return None if found is None else (-found[1], -found[0])
    means = _resampled(of, seed, resamples)
    at = _quantiles(of, means, confidence, expand=expand)
    if not np.isfinite(at).all():
        return None
    low, high = np.quantile(means, at).tolist()
    return low, high


def _resampled(of: Units, seed: int, resamples: int) -> Floats:
    random = np.random.default_rng(seed)
    count = len(of.sums)
    found = np.empty(resamples)
    at_once = max(1, _BLOCK // count)
    for start in range(0, resamples, at_once):
        drawn = random.integers(0, count, (min(at_once, resamples - start), count))
        sizes = of.sizes[drawn].sum(axis=1) if of.clustered else count
        found[start : start + len(drawn)] = of.sums[drawn].sum(axis=1) / sizes
    return found


def _quantiles(of: Units, means: Floats, confidence: float, *, expand: bool) -> Floats:
    """Which quantiles of the resampled means are the ends."""
    from scipy import special

    mean, count = of.mean, len(of.sums)
    # A resample that is the sample in another order has its mean, whatever rounding says.
    below = ((means < mean - EQUAL_WITHIN).sum() + (means <= mean + EQUAL_WITHIN).sum()) / (2 * len(means))
    bias = special.ndtri(below)
    without = (of.sums.sum() - of.sums) / (of.sizes.sum() - of.sizes)
    off = without.mean() - without
    acceleration = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    usual = special.stdtrit(count - 1, tails) * np.sqrt(count / (count - 1)) if expand else special.ndtri(tails)
    moved = bias + usual
    return np.asarray(special.ndtr(bias + moved / (1 - acceleration * moved)), np.float64)
