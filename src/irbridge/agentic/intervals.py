"""How much so many tasks can tell: intervals beside the promotion gate, which decide nothing.

The unit is the task: its trials and lifecycles are much the same, so they are drawn together. A ratio of sums is the mean
of its linearised values, R + (x - R y) / mean(y) (Cochran, Sampling Techniques, 3rd ed. 1977, section 6.4), and a mean has
the interval that all means have here. Where all tasks agree there is no spread to see; then the exact binomial limit
bounds the share of tasks that might not (Clopper and Pearson, Biometrika 26 (1934), 404-413).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from irbridge.agentic.records import Record

if TYPE_CHECKING:
    from irbridge.arrays import Floats

#: Ends are held to so many decimals, so that reports are equal where libraries differ in the last bits.
DECIMALS = 6

Verdict = Literal["yes", "no", "cannot_tell"]
Method = Literal["t", "bca", "wider", "exact"]


class Interval(Record, frozen=True):
    """An interval, where it comes from, and whether it lies on one side of what was asked.

    Attributes:
        tasks: how many tasks it rests on.
        method: `t`, `bca` or `wider` as in irbridge's comparisons of systems, `exact` where all tasks agree; null for none.
    """

    low: float | None
    high: float | None
    method: Method | None
    tasks: int
    verdict: Verdict


def ratio_interval(
    over: Sequence[int], under: Sequence[int], tasks: Sequence[str], asked: Fraction, confidence: float, seed: int
) -> Interval:
    """Of 1 - sum(over) / sum(under), a reduction, each pair of counts belonging to a task; held against `asked`."""
    if not sum(under) > 0:
        return _unknown(len(set(tasks)))
    return _interval(1 - _linearised(_floats(over), _floats(under)), tasks, asked, confidence, seed)


def share_interval(
    part: Sequence[int], whole: Sequence[int], tasks: Sequence[str], asked: Fraction, confidence: float, seed: int
) -> Interval:
    """Of sum(part) / sum(whole), a share; tasks of which nothing was asked do not count."""
    rows = [row for row in zip(part, whole, tasks, strict=True) if row[1]]
    if not rows:
        return _unknown(0)
    found = _linearised(_floats([row[0] for row in rows]), _floats([row[1] for row in rows]))
    return _interval(found, [row[2] for row in rows], asked, confidence, seed, within=(0.0, 1.0))


def difference_interval(
    values: Sequence[int], baseline: Sequence[int], tasks: Sequence[str], confidence: float, seed: int
) -> Interval:
    """Of mean(values) - mean(baseline), each 0 or 1; held against 0."""
    if not tasks:
        return _unknown(0)
    found = _floats(values) - _floats(baseline)
    return _interval(found, tasks, Fraction(0), confidence, seed, within=(-1.0, 1.0))


def _floats(values: Sequence[int]) -> Floats:
    import numpy as np

    return np.array(values, np.float64)


def _linearised(over: Floats, under: Floats) -> Floats:
    ratio = over.sum() / under.sum()
    found: Floats = ratio + (over - ratio * under) / under.mean()
    return found


def _interval(
    values: Floats,
    owners: Sequence[str],
    asked: Fraction,
    confidence: float,
    seed: int,
    within: tuple[float, float] | None = None,
) -> Interval:
    from irbridge.stats.bounds import bounds
    from irbridge.stats.units import units

    of = units(values, owners)
    tasks = len(of.sums)
    found = bounds(of, confidence, seed)
    method: Method
    if found is not None:
        low, high, method = found
    elif within is not None and tasks > 1:
        # So many tasks without an exception: exceptions may be so frequent at the most, and as far off as can be.
        share = 1 - ((1 - confidence) / 2) ** (1 / tasks)
        low, high = of.mean - share * (of.mean - within[0]), of.mean + share * (within[1] - of.mean)
        method = "exact"
    else:
        return _unknown(tasks)
    if within is not None:
        low, high = max(low, within[0]), min(high, within[1])
    low, high = round(low, DECIMALS) + 0.0, round(high, DECIMALS) + 0.0
    verdict: Verdict = "yes" if low >= asked else "no" if high < asked else "cannot_tell"
    return Interval(low=low, high=high, method=method, tasks=tasks, verdict=verdict)


def _unknown(tasks: int) -> Interval:
    return Interval(low=None, high=None, method=None, tasks=tasks, verdict="cannot_tell")
