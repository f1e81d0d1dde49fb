"""Sum: the lowest score becomes 0, and all add up to 1. Where all are equal each becomes 1 / their number."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from irbridge.fusion.base import Normalisation, scaled


def _normalise(scores: Sequence[float]) -> list[float]:
    smaller = scaled(scores)
    low = min(smaller)
    above = [score - low for score in smaller]
    total = fsum(above)
    return [each / total for each in above] if total else [1 / len(scores)] * len(scores)


NORMALISATION = Normalisation(
    "sum",
    "(score - lowest) / the sum of these over the ranking",
    source='Montague and Aslam, "Relevance Score Normalization for Metasearch", CIKM 2001',
    normalise=_normalise,
)
