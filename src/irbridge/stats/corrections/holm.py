"""Holm's step-down correction: the i-th smallest of m p values times m - i + 1, never below the one before."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.stats.corrections.base import Correction


def _adjust(values: Sequence[float]) -> list[float]:
    adjusted = [0.0] * len(values)
    highest = 0.0
    for step, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, values[place] * (len(values) - step)))
        adjusted[place] = highest
    return adjusted


CORRECTION = Correction(
    "holm",
    "step-down; valid however the comparisons depend on each other",
    controls="the probability of one false difference or more among all comparisons",
    source='Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6 (1979), 65-70',
    adjust=_adjust,
)
