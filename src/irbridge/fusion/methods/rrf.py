"""Reciprocal rank fusion: the sum of 1 / (k + rank) over the rankings that have the document; k is 60 in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from irbridge.fusion.base import Entry, Method


def _fuse(entries: Sequence[Entry], k: float) -> float:
    return fsum(1 / (k + entry.rank) for entry in entries)


METHOD = Method(
    "rrf",
    "sum of 1 / (k + rank); rrf/K sets k, 60 by default",
    source="Cormack, Clarke and Buettcher, SIGIR 2009",
    scores=False,
    fuse=_fuse,
    parameter=60,
)
