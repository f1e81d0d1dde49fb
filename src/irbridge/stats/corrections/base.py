"""What a correction is: it makes the p values of a family larger, so that what they promise holds for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Correction:
    """One correction.

    Attributes:
        controls: what stays below the level.
        adjust: p values -> adjusted ones in the same order, each from its p value to 1.
    """

    name: str
    summary: str
    controls: str
    source: str
    adjust: Callable[[Sequence[float]], list[float]]
    aliases: tuple[str, ...] = ()
