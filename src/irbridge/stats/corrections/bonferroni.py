"""Bonferroni's correction: every one of m p values times m."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.stats.corrections.base import Correction


def _adjust(values: Sequence[float]) -> list[float]:
    return [min(1.0, value * len(values)) for value in values]


CORRECTION = Correction(
    "bonferroni",
    "times their number; Holm's is never worse and often better",
    controls="the probability of one false difference or more among all comparisons",
    source='Dunn, "Multiple Comparisons Among Means", Journal of the American Statistical Association 56 (1961), 52-64',
    adjust=_adjust,
)
