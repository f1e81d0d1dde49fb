"""CombMNZ: the sum of the normalised scores times the number of rankings that have the document."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from irbridge.fusion.base import Entry, Method


def _fuse(entries: Sequence[Entry], parameter: float) -> float:
    return len(entries) * fsum(entry.score for entry in entries)


METHOD = Method(
    "combmnz",
    "sum of the normalised scores times the number of rankings that have it",
    source="Fox and Shaw, TREC-2 (1994)",
    scores=True,
    fuse=_fuse,
)
