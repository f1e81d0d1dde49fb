"""The interval of a mean difference: Student's where there are few units, the bootstrap's where there are enough of them.

With few units the bootstrap is too sure of itself: of 20 queries half of which tie, 95% BCa intervals hold the truth nine times
in ten, Student's as often as they say; of 50 and more, skewed differences are better served by the bootstrap. Units that tie
say little of the spread: where there are enough units but few that differ, either of the two may be too short, Student's where all
differences point one way, the bootstrap's where they do not, and each end is the one that is farther out. The simulations of the
tests show all of it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from irbridge.stats.bca import RESAMPLES, bca
from irbridge.stats.interval import CONFIDENCE
from irbridge.stats.units import Units, standard_error

#: From so many units on, the interval is the bootstrap's.
ENOUGH = 50


class Bounds(NamedTuple):
    """An interval and where it comes from: Student's t, the BCa bootstrap, or of both the ends that are farther out."""

    low: float
    high: float
    method: Literal["t", "bca", "wider"]


def bounds(of: Units, confidence: float = CONFIDENCE, seed: int = 0, resamples: int = RESAMPLES) -> Bounds | None:
    """The interval of the mean difference; None where there is no spread, or one unit only."""
    error = standard_error(of)
    if error is None:
        return None
    drawn = bca(of, confidence, seed, resamples) if len(of.sums) >= ENOUGH else None
    if drawn is not None and np.count_nonzero(of.sums) >= ENOUGH:
        return Bounds(*drawn, "bca")
    from scipy import special

    half = float(special.stdtrit(len(of.sums) - 1, (1 + confidence) / 2)) * error
    low, high = of.mean - half, of.mean + half
    if drawn is None:
        return Bounds(low, high, "t")
    return Bounds(min(low, drawn[0]), max(high, drawn[1]), "wider")
