"""Sum: the lowest score becomes 0, and all add up to 1. Where all are equal each becomes 1 / their number."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from irbridge.fusion.base import Normalisation


def _normalise(scores: Sequence[float]) -> list[float]:
    low = min(scores)
    # In units of the largest, so that no sum of doubles is too large to be one.
    largest = max(abs(score) for score in scores) or 1.0
    above = [score / largest - low / largest for score in scores]
    total = fsum(above)
    return [each / total for each in above] if total else [1 / len(scores)] * len(scores)


NORMALISATION = Normalisation(
    "sum",
    "(score - lowest) / the sum of these over the ranking",
    source='Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001',
    normalise=_normalise,
)
