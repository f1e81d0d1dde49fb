"""Sign patterns: how often a random choice of signs gives a sum at least as far from 0 as the one observed.

Where two systems are equal, each difference might as well have had the other sign. Up to 20 differences that are not 0 all
patterns are counted, beyond that a seeded sample of them is drawn.

Sources: Fisher, The Design of Experiments (1935), section 21; Smucker, Allan and Carterette, "A Comparison of Statistical
Significance Tests for Information Retrieval Evaluation", CIKM 2007; for the sample's p value, (1 + hits) / (1 + draws),
which keeps the level: Phipson and Smyth, Statistical Applications in Genetics and Molecular Biology 9 (2010), article 39.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from irbridge.arrays import Floats

#: All 2^20 patterns take a few milliseconds.
EXACT_UP_TO = 20
#: With these the smallest p is 0.0001, and one of 0.05 has a standard error of 0.002.
DRAWS = 9_999
# Sums that differ by rounding alone are equal.
_CLOSE = 1e-9
_BLOCK = 1 << 20


class Flipped(NamedTuple):
    """What sign patterns say.

    Attributes:
        p: two-sided.
        patterns: how many were looked at.
        exact: whether that was all of them.
        least: the smallest p that so many patterns can give.
    """

    p: float
    patterns: int
    exact: bool
    least: float


def flipped(magnitudes: Floats, observed: float, seed: int = 0, draws: int = DRAWS) -> Flipped:
    """The share of sign patterns whose sum of `magnitudes` is at least as far from 0 as `observed`.

    Args:
        magnitudes: at least one number above 0.
        observed: the sum seen; its sign does not matter.
        seed: of the sample.
        draws: the size of the sample.
    """
    ordered = np.sort(np.abs(magnitudes))
    bound = abs(observed) - _CLOSE * float(ordered.sum())
    if len(ordered) <= EXACT_UP_TO:
        # A pattern and its opposite are equally far from 0: the largest one keeps its sign.
        sums = ordered[-1:]
        for magnitude in ordered[:-1]:
            sums = np.concatenate((sums + magnitude, sums - magnitude))
        hits = int((np.abs(sums) >= bound).sum())
        return Flipped(hits / len(sums), 2 * len(sums), exact=True, least=1 / len(sums))
    hits = _drawn(ordered, bound, seed, draws)
    return Flipped((1 + hits) / (1 + draws), draws, exact=False, least=1 / (1 + draws))


def _drawn(magnitudes: Floats, bound: float, seed: int, draws: int) -> int:
    random = np.random.default_rng(seed)
    total, hits, at_once = magnitudes.sum(), 0, max(1, _BLOCK // len(magnitudes))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        positive = random.integers(0, 2, (rows, len(magnitudes)), np.int8)
        sums = 2 * (positive.astype(np.float64) @ magnitudes) - total
        hits += int((np.abs(sums) >= bound).sum())
    return hits
