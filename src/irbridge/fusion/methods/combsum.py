"""CombSUM: the sum of the normalised scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from irbridge.fusion.base import Entry, Method


def _fuse(entries: Sequence[Entry], parameter: float) -> float:
    return fsum(entry.score for entry in entries)


METHOD = Method(
    "combsum",
    "sum of the normalised scores",
    source="Fox and Shaw, TREC-2 (1994)",
    scores=True,
    fuse=_fuse,
)
