"""How alike two orders of systems are: Kendall's tau-b, and tau-ap, which cares most about the best systems.

Sources: Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945), 239-251 (tau-b); Yilmaz, Aslam and
Robertson, "A new rank correlation coefficient for information retrieval", SIGIR 2008, equation 2 (tau-ap).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irbridge.arrays import Ints
from irbridge.stats.units import EQUAL_WITHIN


def _signs(values: Sequence[float]) -> Ints:
    """int64 of shape (n, n): 1 where the row's value is above the column's, -1 where below, 0 where equal within 1e-12."""
    column = np.asarray(values, np.float64)
    apart = column[:, None] - column[None, :]
    return np.where(np.abs(apart) <= EQUAL_WITHIN, 0, np.sign(apart)).astype(np.int64)


def tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau-b of values of the same systems, from -1 to 1; None where one side ties them all, or there is one."""
    one, other = _signs(first), _signs(second)
    below = np.sqrt(float((one != 0).sum()) * float((other != 0).sum()))
    return None if below == 0 else float((one * other).sum() / below)


def tau_ap(estimated: Sequence[float], true: Sequence[float]) -> float | None:
    """The AP correlation of the estimated order with the true one, from -1 to 1; it is not symmetric.

    For each system but the best estimated one: the share of those estimated above it that truly are; the mean of the shares,
    stretched to -1..1.

    Returns:
        None for fewer than two systems, and where two are equal on either side, on which it is not defined.
    """
    if len(estimated) < 2:
        return None
    one, other = _signs(estimated), _signs(true)
    off_diagonal = ~np.eye(len(estimated), dtype=bool)
    if (one[off_diagonal] == 0).any() or (other[off_diagonal] == 0).any():
        return None
    order = np.argsort(-np.asarray(estimated, np.float64), kind="stable")
    truly_above = other[np.ix_(order, order)] > 0
    shares = [truly_above[:place, place].mean() for place in range(1, len(order))]
    return float(2 * np.mean(shares) - 1)
