"""Rank: of n documents the one at rank r becomes 1 - (r - 1) / n. Needs no scores."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.fusion.base import Normalisation


def _normalise(scores: Sequence[float]) -> list[float]:
    return [1 - place / len(scores) for place in range(len(scores))]


NORMALISATION = Normalisation(
    "rank",
    "1 - (rank - 1) / documents in the ranking",
    source='Lee, "Analyses of Multiple Evidence Combination", SIGIR 1997',
    normalise=_normalise,
    scores=False,
)
