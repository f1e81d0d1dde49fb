"""What fusion works with: a document's entries in the rankings that have it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import frexp, ldexp
from typing import NamedTuple


class Entry(NamedTuple):
    """A document in one ranking: its rank, from 1, and its score after normalisation."""

    rank: int
    score: float


@dataclass(frozen=True, eq=False)
class Method:
    """One way of fusing.

    Attributes:
        scores: it looks at scores, not only at ranks.
        fuse: (a document's entries, one for each ranking that has it; the parameter) -> its score. Sums are exact, so that
            the order of the rankings does not matter.
        parameter: what may stand behind the name as in `rrf/60`, and its default; None where there is none.
    """

    name: str
    summary: str
    source: str
    scores: bool
    fuse: Callable[[Sequence[Entry], float], float]
    parameter: float | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Normalisation:
    """One way of making the scores of different systems comparable, a ranking at a time.

    Attributes:
        scores: it needs scores; otherwise the ranks do.
        normalise: the scores of one ranking, at least one, best first -> theirs after it.
    """

    name: str
    summary: str
    source: str
    normalise: Callable[[Sequence[float]], list[float]]
    scores: bool = True
    aliases: tuple[str, ...] = ()


def scaled(scores: Sequence[float]) -> list[float]:
    """The scores times the power of two that brings the largest below 1: no digit changes, and no sum is too large."""
    _, exponent = frexp(max(abs(score) for score in scores))
    return [ldexp(score, -exponent) for score in scores]
