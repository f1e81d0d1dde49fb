"""ZMUV: mean 0 and variance 1 over the ranking (divisor n). Where all are equal they become 0."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from irbridge.fusion.base import Normalisation, scaled


def _normalise(scores: Sequence[float]) -> list[float]:
    if min(scores) == max(scores):
        return [0.0] * len(scores)
    smaller = scaled(scores)
    mean = fsum(smaller) / len(smaller)
    spread = sqrt(fsum((each - mean) ** 2 for each in smaller) / len(smaller))
    return [(each - mean) / spread if spread else 0.0 for each in smaller]


NORMALISATION = Normalisation(
    "zmuv",
    "(score - mean) / standard deviation; a document may lose by being returned",
    source='Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001',
    normalise=_normalise,
    aliases=("z-score",),
)
