"""Min-max: the best score becomes 1, the worst 0.

Where all are equal they become 1: a document that was returned is worth more than one that was not, which gets nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.fusion.base import Normalisation, scaled


def _normalise(scores: Sequence[float]) -> list[float]:
    low, high = min(scores), max(scores)
    if high == low:
        return [1.0] * len(scores)
    smaller = scaled(scores)
    low, high = min(smaller), max(smaller)
    return [(score - low) / (high - low) for score in smaller]


NORMALISATION = Normalisation(
    "minmax",
    "(score - lowest) / (highest - lowest)",
    source='Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997',
    normalise=_normalise,
    aliases=("min-max",),
)
