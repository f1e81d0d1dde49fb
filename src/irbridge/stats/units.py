"""Paired differences as the tests see them: units that are independent of each other, each a query or a cluster of them.

Everything that is computed of them is the same for every order of the queries, and the mirror image when the systems
change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from irbridge.arrays import Floats, Ints

#: Values closer than this are equal: measures are sums of doubles, and reports hold 12 decimals.
EQUAL_WITHIN = 1e-12


class Record(NamedTuple):
    """On how many queries a system is better, equal and worse."""

    wins: int
    ties: int
    losses: int


class Units(NamedTuple):
    """Differences by independent unit.

    Attributes:
        sums: float64 per unit, the sum of the differences of its queries.
        sizes: int64 per unit, how many queries it has; all 1 where nothing is clustered.
        clustered: whether units are clusters.
    """

    sums: Floats
    sizes: Ints
    clustered: bool = False

    @property
    def queries(self) -> int:
        """How many queries there are."""
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        """The mean difference over queries."""
        return fsum(self.sums.tolist()) / self.queries

    def mirrored(self) -> Units:
        """The same with the systems in each other's place."""
        return units_in_order(-self.sums, self.sizes, clustered=self.clustered)

    @property
    def upright(self) -> bool:
        """Whether this, and not its mirror image, is the one of the two that computations are made on."""
        other = self.mirrored().sums
        apart = np.flatnonzero(self.sums != other)
        return not len(apart) or bool(self.sums[apart[0]] > other[apart[0]])


def differences(values: Floats, baseline: Floats) -> Floats:
    """float64 per query: `values` less `baseline`, 0 where they are equal within 1e-12."""
    found = np.asarray(values, np.float64) - np.asarray(baseline, np.float64)
    return np.where(np.abs(found) <= EQUAL_WITHIN, 0.0, found)


def record(found: Floats) -> Record:
    """Wins, ties and losses of differences."""
    return Record(int((found > 0).sum()), int((found == 0).sum()), int((found < 0).sum()))


def units(found: Floats, clusters: Sequence[str] | None = None) -> Units:
    """Units of differences.

    Args:
        found: a difference per query.
        clusters: the cluster of each query; None: each query is a unit of its own.
    """
    if clusters is None:
        return units_in_order(found, np.ones(len(found), np.int64))
    number = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    of = np.array([number[name] for name in clusters], np.int64)
    # Exact sums: the same in any order of the queries.
    sums = np.array([fsum(found[of == place].tolist()) for place in range(len(number))], np.float64)
    return units_in_order(sums, np.bincount(of, minlength=len(number)), clustered=True)


def units_in_order(sums: Floats, sizes: Ints, *, clustered: bool = False) -> Units:
    """Units in the one order in which they are always computed with."""
    order = np.lexsort((sizes, sums))
    # -0.0 would be another number to whoever compares bytes.
    return Units(sums[order] + 0.0, sizes[order], clustered)


def standard_error(of: Units) -> float | None:
    """The standard error of the mean difference; robust to what queries of a cluster have in common.

    Without clusters it is s / sqrt(n). Source: Liang and Zeger, Biometrika 73 (1986), as in Cameron and Miller, "A
    Practitioner's Guide to Cluster-Robust Inference", Journal of Human Resources 50 (2015), 317-372, equation 11 with the
    finite-sample factor G / (G - 1), for a regression on a constant.

    Returns:
        None for fewer than two units, and where all differences are one and the same, so that there is no spread.
    """
    count = len(of.sums)
    if count < 2:
        return None
    off = of.sums - of.sizes * of.mean
    found = float(np.sqrt(count / (count - 1) * (off**2).sum()) / of.queries)
    return None if found <= EQUAL_WITHIN * max(1.0, abs(of.mean)) else found
