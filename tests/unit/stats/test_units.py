"""Differences, their record and their standard error, worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from irbridge.stats.units import differences, record, standard_error, units


def test_differences_within_rounding_are_ties() -> None:
    found = differences(np.array([0.1 + 0.2, 0.5, 0.25]), np.array([0.3, 0.25, 0.5]))
    assert found.tolist() == [0.0, 0.25, -0.25]
    assert record(found) == (1, 1, 1)
    assert record(found)._fields == ("wins", "ties", "losses")


def test_the_standard_error_of_queries_is_s_over_root_n() -> None:
    # 1, 2, 3, 4: mean 2.5, squares off it 2.25 + 0.25 + 0.25 + 2.25 = 5, s^2 = 5/3, s^2 / 4 = 5/12.
    of = units(np.array([4.0, 1.0, 3.0, 2.0]))
    assert of.mean == 2.5
    assert standard_error(of) == pytest.approx(math.sqrt(5 / 12), abs=1e-15)


def test_the_standard_error_of_clusters() -> None:
    # Clusters a: 1, 3; b: -1; c: 1. Mean 1. Off it in sum: 4 - 2 = 2, -1 - 1 = -2, 0. sqrt(3/2 * 8) / 4 = sqrt(0.75).
    of = units(np.array([1.0, -1.0, 3.0, 1.0]), ["a", "b", "a", "c"])
    assert of.queries == 4
    assert sorted(of.sizes.tolist()) == [1, 1, 2]
    assert of.mean == 1.0
    assert standard_error(of) == pytest.approx(math.sqrt(0.75), abs=1e-15)


@pytest.mark.parametrize("values", [[], [0.3], [0.0, 0.0], [0.1, 0.1, 0.1], [-0.7] * 9])
def test_no_spread_no_standard_error(values: list[float]) -> None:
    assert standard_error(units(np.array(values))) is None


def test_a_cluster_per_query_is_no_clustering() -> None:
    values = np.array([0.1, -0.2, 0.4, 0.3])
    assert standard_error(units(values, list("abcd"))) == standard_error(units(values))
