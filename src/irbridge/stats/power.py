"""What a set of queries could show: the smallest true difference that a paired t test finds four times in five.

Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), chapter 2; for topic sets, Sakai, "Topic set size
design", Information Retrieval Journal 19 (2016), 256-283. The power is exact, by the noncentral t distribution. The spread is
that of the differences seen; the difference itself plays no part, which would only say the p value once more (Hoenig and
Heisey, "The Abuse of Power", The American Statistician 55 (2001), 19-24).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

POWER = 0.8
LEVEL = 0.05


def detectable(standard_error: float, df: int, level: float = LEVEL, power: float = POWER) -> float:
    """The true difference at which a two-sided t test at `level` rejects with probability `power`.

    Args:
        standard_error: of the mean difference.
        df: degrees of freedom, from 1.
        level: of the test.
        power: the probability, above `level`.
    """
    return _noncentrality(df, level, power) * standard_error


@lru_cache(maxsize=256)
def _noncentrality(df: int, level: float, power: float) -> float:
    """By bisection: power grows with the noncentrality."""
    low, high = 0.0, 1.0
    while power_at(high, df, level) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if power_at(middle, df, level) < power else (low, middle)
    return high


def power_at(noncentrality: float, df: int, level: float = LEVEL) -> float:
    """The probability that a two-sided t test rejects: both tails of the noncentral t distribution."""
    from scipy import special

    critical = special.stdtrit(df, 1 - level / 2)
    below, above = special.nctdtr(df, noncentrality, [-critical, critical])
    # So far out in a tail that nothing is left of it, scipy gives NaN.
    return float(1 - np.nan_to_num(above) + np.nan_to_num(below))
