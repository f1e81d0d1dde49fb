"""Error bars of a mean: the Student-t interval, without scipy.

`scipy.stats` costs a second to import, more than scoring a collection, so the t quantile is computed here: exactly for
few degrees of freedom, by its normal expansion for many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from irbridge.errors import InputError

CONFIDENCE = 0.95
#: Reports hold numbers to this many decimals (the judgments specification, version 1).
DECIMALS = 12

# Up to here the distribution is summed term by term; above it the expansion's error is below 1e-12.
_EXACT_UP_TO = 400


class Measurement(NamedTuple):
    """A value measured by repeated samples, as a report holds it: rounded to 1e-12.

    Attributes:
        value: the mean of the samples.
        n: how many samples there are.
        stdev: the sample standard deviation (divisor n - 1), or None for one sample.
        ci: the 95% Student-t interval of the mean, not clamped to the measure's range, or None for one sample.
        deterministic: whether another run would give the same value; samples say it does not.
    """

    value: float
    n: int
    stdev: float | None = None
    ci: tuple[float, float] | None = None
    deterministic: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As a report's `metrics` have it; what there is none of is left out."""
        made: dict[str, Any] = {"value": self.value, "n": self.n, "deterministic": self.deterministic}
        if self.stdev is not None:
            made["stdev"] = self.stdev
        if self.ci is not None:
            made["ci"] = list(self.ci)
        return made


def summarize(samples: Iterable[float]) -> Measurement:
    """The mean of samples with its error bars.

    One sample has no interval at all, rather than one of width zero, which would claim certainty.

    Raises:
        InputError: no sample, or one that is no finite number.
    """
    values: list[float] = []
    for number, sample in enumerate(samples):
        try:
            values.append(float(sample))
        except (TypeError, ValueError):
            values.append(math.nan)
        if not math.isfinite(values[-1]):
            raise InputError(f"sample {number} is not a finite number", path="samples", text=repr(sample))
    if not values:
        raise InputError("there is no sample to summarise", path="samples", hint="give at least one")
    try:
        mean = math.fsum(values) / len(values)
        squares = math.fsum((value - mean) ** 2 for value in values)
    except OverflowError:
        raise InputError("the samples are too large to be added up", path="samples") from None
    if len(values) == 1:
        return Measurement(round(mean, DECIMALS), 1)
    stdev = math.sqrt(squares / (len(values) - 1))
    low, high = interval(mean, stdev, len(values))
    return Measurement(
        round(mean, DECIMALS), len(values), round(stdev, DECIMALS), (round(low, DECIMALS), round(high, DECIMALS))
    )


def interval(mean: float, stdev: float, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The Student-t interval of a mean of `n` >= 2 samples with sample standard deviation `stdev`; not clamped."""
    half = t_quantile((1 + confidence) / 2, n - 1) * stdev / math.sqrt(n)
    return mean - half, mean + half


@lru_cache(maxsize=256)
def t_quantile(probability: float, df: int) -> float:
    """The value that a Student-t variable with `df` degrees of freedom stays below with `probability`.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4 (the distribution as a finite
    sum) and 26.7.5 (its expansion around the normal quantile).

    Args:
        probability: from 0.5 to 0.9999, which is where the absolute error stays below 1e-9.
        df: degrees of freedom, at least 1.

    Raises:
        ValueError: an argument out of its range.
    """
    if not 0.5 <= probability <= 0.9999 or df < 1:
        raise ValueError(f"t_quantile takes a probability from 0.5 to 0.9999 and df >= 1, not {probability} and {df}")
    normal = _normal_quantile(probability)
    if df > _EXACT_UP_TO:
        return _expanded(normal, df)
    # The distribution is concave right of 0 and the normal quantile lies left of t's, so that Newton's steps from there
    # only ever go up, towards the solution, and stop by themselves at the last bit.
    log_peak = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(df * math.pi)
    found = normal
    for _ in range(100):
        density = math.exp(log_peak - (df + 1) / 2 * math.log1p(found * found / df))
        step = (probability - 0.5 - _central(found, df) / 2) / density
        found += step
        if step <= 1e-15 * found:
            break
    return found


def _central(t: float, df: int) -> float:
    """The probability of lying between -t and t: a finite sum of positive terms."""
    theta = math.atan(t / math.sqrt(df))
    cosine = math.cos(theta)
    square = cosine * cosine
    odd = df % 2 == 1
    term = cosine if odd else 1.0
    terms = [] if df == 1 else [term]
    # Each term is the one before times cos^2 times (j - 1) / j, for j = 3, 5, ... where df is odd, 2, 4, ... where even.
    for j in range(3 if odd else 2, df - 1, 2):
        term *= square * (j - 1) / j
        terms.append(term)
    total = math.sin(theta) * math.fsum(terms)
    return 2 / math.pi * (theta + total) if odd else total


def _expanded(z: float, df: int) -> float:
    """The first five terms of the expansion in 1/df; the first one left out is of order df^-5."""
    square = z * z
    powers = (
        (square + 1) * z / 4,
        ((5 * square + 16) * square + 3) * z / 96,
        (((3 * square + 19) * square + 17) * square - 15) * z / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) * z / 92160,
    )
    return z + math.fsum(power / df**order for order, power in enumerate(powers, 1))


def _normal_quantile(probability: float) -> float:
    # Newton again, from 0: the normal distribution is concave there too. The upper tail keeps its digits in erfc.
    found = 0.0
    for _ in range(100):
        above = math.erfc(found / math.sqrt(2)) / 2 - (1 - probability)
        step = above / (math.exp(-found * found / 2) / math.sqrt(2 * math.pi))
        found += step
        if step <= 1e-16 + 1e-15 * found:
            break
    return found
