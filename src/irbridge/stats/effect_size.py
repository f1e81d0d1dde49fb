"""Effect size of paired differences: their mean in units of their own standard deviation.

Sources: d_z is Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), section 2.3.5. On few queries it is too
large by the factor that Hedges, "Distribution Theory for Glass's Estimator of Effect Size and Related Estimators", Journal of
Educational Statistics 6 (1981), 107-128, gives exactly; d_z times that factor is g_z.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from irbridge.arrays import Floats
from irbridge.stats.units import EQUAL_WITHIN


class EffectSize(NamedTuple):
    """Both forms."""

    d_z: float
    g_z: float


def effect_size(found: Floats) -> EffectSize | None:
    """The effect size of differences; None for fewer than two queries, or where all differ by the same."""
    if len(found) < 2:
        return None
    ordered = np.sort(found)
    stdev = float(ordered.std(ddof=1))
    if stdev <= EQUAL_WITHIN * max(1.0, float(np.abs(ordered).max())):
        return None
    d_z = float(ordered.mean()) / stdev
    return EffectSize(d_z, d_z * small_sample(len(found) - 1))


def small_sample(df: int) -> float:
    """Hedges' factor: Gamma(df / 2) / (sqrt(df / 2) Gamma((df - 1) / 2)), about 1 - 3 / (4 df - 1); 0 for df 1."""
    if df < 2:
        return 0.0
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
