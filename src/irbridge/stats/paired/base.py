"""What a paired test is, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from irbridge.stats.units import Units


class PairedResult(NamedTuple):
    """What a test says of two systems.

    Attributes:
        p: two-sided, from 0 to 1; None where the test cannot be made.
        how: how it was made, in words; empty where there is one way only.
        why: why there is no p.
        least: the smallest p that it could have given on so many units; None where there is no limit.
    """

    p: float | None
    how: str = ""
    why: str = ""
    least: float | None = None


@dataclass(frozen=True, eq=False)
class PairedTest:
    """One way of testing that two systems are equal, on differences of the same queries.

    Attributes:
        null: what is tested, and what is assumed.
        clusters: it can be made on clusters of queries.
        test: (units, seed) -> what it says; of at least two units, not all of them 0.
    """

    name: str
    summary: str
    null: str
    source: str
    test: Callable[[Units, int], PairedResult]
    clusters: bool = False
    aliases: tuple[str, ...] = ()


def paired_result(test: PairedTest, of: Units, seed: int = 0) -> PairedResult:
    """What `test` says; where nothing can be said, why."""
    count, things = len(of.sums), "clusters" if of.clustered else "queries"
    if count < 2:
        return PairedResult(None, why=f"a test needs at least two {things}")
    if not of.sums.any():
        return PairedResult(None, why=f"the difference is 0 on all {count:,} {things}")
    if of.clustered and not test.clusters:
        return PairedResult(None, why=f"{test.name} takes queries to be independent; it says nothing about clusters")
    # Two-sided: the systems in each other's place give the same p to the last bit.
    return test.test(of if of.upright else of.mirrored(), seed)
