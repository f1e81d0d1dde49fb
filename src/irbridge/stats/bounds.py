"""The interval of a mean difference: Student's where there are few units, the bootstrap's where there are enough of them.

With few units the bootstrap is too sure of itself: of 20 queries half of which tie, 95% BCa intervals hold the truth nine times
in ten, Student's as often as they say; of 50 and more, skewed differences are better served by the bootstrap. The
simulations of the tests show both.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from irbridge.stats.bca import RESAMPLES, bca
from irbridge.stats.interval import CONFIDENCE
from irbridge.stats.units import Units, standard_error

#: From so many units on, the interval is the bootstrap's.
ENOUGH = 50


class Bounds(NamedTuple):
    """An interval and where it comes from."""

    low: float
    high: float
    method: Literal["t", "bca"]


def bounds(of: Units, confidence: float = CONFIDENCE, seed: int = 0, resamples: int = RESAMPLES) -> Bounds | None:
    """The interval of the mean difference; None where there is no spread, or one unit only."""
    error = standard_error(of)
    if error is None:
        return None
    if len(of.sums) >= ENOUGH:
        found = bca(of, confidence, seed, resamples)
        if found is not None:
            return Bounds(*found, "bca")
    from scipy import special

    half = float(special.stdtrit(len(of.sums) - 1, (1 + confidence) / 2)) * error
    return Bounds(of.mean - half, of.mean + half, "t")
