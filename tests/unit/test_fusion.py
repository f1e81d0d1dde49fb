"""Fusion by hand, from the formulas of the papers."""

from __future__ import annotations

import math

import pytest

from irbridge.fusion import METHODS, NORMALISATIONS, Entry


def fused(name: str, *entries: tuple[int, float], parameter: float = 60) -> float:
    return METHODS.get(name).fuse([Entry(*entry) for entry in entries], parameter)


def test_methods() -> None:
    assert fused("rrf", (1, 9.0), (3, 7.0)) == 1 / 61 + 1 / 63
    assert fused("rrf", (1, 9.0), parameter=0) == 1.0
    assert fused("combsum", (1, 0.75), (3, 0.5)) == 1.25
    assert fused("combmnz", (1, 0.75), (3, 0.5)) == 2.5
    assert fused("combmnz", (1, 0.75)) == 0.75


@pytest.mark.parametrize(
    "name, scores, expected",
    [
        ("minmax", [5.0, 3.0, 1.0], [1.0, 0.5, 0.0]),
        ("minmax", [2.0, 2.0], [1.0, 1.0]),
        ("minmax", [-1.0], [1.0]),
        ("sum", [5.0, 3.0, 1.0], [4 / 6, 2 / 6, 0.0]),
        ("sum", [2.0, 2.0], [0.5, 0.5]),
        # Mean 3, squares off it 4, 0, 4: divisor 3 gives sqrt(8/3).
        ("zmuv", [5.0, 3.0, 1.0], [2 / math.sqrt(8 / 3), 0.0, -2 / math.sqrt(8 / 3)]),
        ("zmuv", [2.0, 2.0], [0.0, 0.0]),
        ("rank", [9.0, 1.0, 0.5, 0.1], [1.0, 0.75, 0.5, 0.25]),
        ("none", [5.0, -3.0], [5.0, -3.0]),
    ],
)
def test_normalisations(name: str, scores: list[float], expected: list[float]) -> None:
    assert NORMALISATIONS.get(name).normalise(scores) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name", NORMALISATIONS.names())
@pytest.mark.parametrize("scores", [[1.7e308, -1.7e308], [5e-324, 0.0], [0.0], [1e308, 1e308]])
def test_extreme_scores_stay_finite(name: str, scores: list[float]) -> None:
    assert all(map(math.isfinite, NORMALISATIONS.get(name).normalise(scores)))
