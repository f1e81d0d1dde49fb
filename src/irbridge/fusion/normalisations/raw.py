"""None: the scores as they are, for systems that score alike."""

from __future__ import annotations

from irbridge.fusion.base import Normalisation

NORMALISATION = Normalisation(
    "none",
    "scores as they are, for systems that score alike",
    source="Fox and Shaw, TREC-2 (1994)",
    normalise=list,
)
