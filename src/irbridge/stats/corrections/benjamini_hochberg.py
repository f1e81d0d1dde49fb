"""Benjamini and Hochberg's correction: the i-th smallest of m p values times m / i, never above the one after."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.stats.corrections.base import Correction


def _adjust(values: Sequence[float]) -> list[float]:
    adjusted = [1.0] * len(values)
    lowest = 1.0
    order = sorted(range(len(values)), key=values.__getitem__)
    for rank, place in zip(range(len(values), 0, -1), reversed(order), strict=True):
        lowest = min(lowest, values[place] * len(values) / rank)
        adjusted[place] = lowest
    return adjusted


CORRECTION = Correction(
    "bh",
    "step-up; for looking at many comparisons some of which may be wrong",
    controls="the expected share of false ones among the differences called, for independent or positively dependent comparisons",
    source='Benjamini and Hochberg, "Controlling the False Discovery Rate", Journal of the Royal Statistical Society B 57 (1995), 289-300',
    adjust=_adjust,
    aliases=("benjamini-hochberg", "fdr", "fdr_bh"),
)
