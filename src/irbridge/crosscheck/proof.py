"""The search for why two engines differ, and the proof.

A cause is believed only if irbridge, computing under the changed convention, gives the other engine's value on every
query and its mean. What the engine is known to do is tried first, then any single cause, then pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from irbridge.conventions import Convention
from irbridge.crosscheck.causes import EMPTY, Cause, applied, settings_of
from irbridge.crosscheck.native import Native
from irbridge.errors import IrbridgeError
from irbridge.measures.base import Measure
from irbridge.scores import Scores

_EXACT = 1e-9


@dataclass(frozen=True)
class Target:
    """The other engine's numbers: values by query, its mean where it has one, and how exact they are."""

    values: Mapping[str, float]
    mean: float | None = None
    tolerance: float = _EXACT


@dataclass(frozen=True)
class Held:
    """Two engines' values of one measure, held against each other.

    Attributes:
        equal: how many queries agree within the tolerance; of these, `rounded` only because of it.
        differ: ids of queries that both answer, differently; in our order.
        ours_only, theirs_only: ids of queries that only one of them counts.
        means_agree: the aggregates agree, or there is none to compare.
    """

    equal: int
    rounded: int
    differ: list[str]
    ours_only: list[str]
    theirs_only: list[str]
    means_agree: bool

    @property
    def agrees(self) -> bool:
        return not (self.differ or self.ours_only or self.theirs_only) and self.means_agree

    @property
    def queries(self) -> set[str]:
        """All queries where something differs."""
        return {*self.differ, *self.ours_only, *self.theirs_only}


def hold(scores: Scores, target: Target) -> Held:
    """Our scores of one measure against another engine's."""
    ours = dict(zip(scores.query_ids, scores.values[0].tolist(), strict=True))
    theirs = target.values
    gaps = {query_id: abs(value - theirs[query_id]) for query_id, value in ours.items() if query_id in theirs}
    differ = [query_id for query_id, gap in gaps.items() if not gap <= target.tolerance]
    mean = scores.aggregate(0)
    agree = target.mean is None or mean is None or abs(mean - target.mean) <= max(target.tolerance, 1e-12 * abs(mean))
    return Held(
        equal=len(gaps) - len(differ),
        rounded=sum(_EXACT < gap <= target.tolerance for gap in gaps.values()),
        differ=differ,
        ours_only=[query_id for query_id in ours if query_id not in theirs],
        theirs_only=[query_id for query_id in theirs if query_id not in ours],
        means_agree=agree,
    )


@dataclass(frozen=True)
class Proof:
    """Changes under which irbridge gives the other engine's numbers, every one of them.

    Attributes:
        causes: as few as suffice.
        convention: the convention with the changes made.
        queries: on how many queries that was proven.
        mean: our aggregate under it.
    """

    causes: tuple[Cause, ...]
    convention: Convention
    queries: int
    mean: float | None

    @property
    def words(self) -> str:
        """What happens, as clauses."""
        return "; ".join(cause.words for cause in self.causes)

    @property
    def settings(self) -> str:
        """The flags that ask irbridge for it; empty where one of the causes has none."""
        return settings_of(self.causes)


@dataclass
class Search:
    """The search for a measure's explanation against one engine."""

    native: Native
    measure: Measure
    base: Convention
    target: Target
    suspects: set[str] = field(default_factory=set)
    _narrow: Native | None = None

    def __post_init__(self) -> None:
        # Most causes fail on the queries that differ, which are often few: they are tried there first.
        if 0 < len(self.suspects) <= len(self.target.values) // 2:
            self._narrow = self.native.only(self.suspects)

    def _scores(self, native: Native, changes: Sequence[Cause]) -> Scores | None:
        measure, convention = applied(changes, self.measure, self.base)
        try:
            return native.scores([measure], convention, without_empty=EMPTY in changes)
        except IrbridgeError:  # this convention refuses the run, so it is not the engine's
            return None

    def proven(self, changes: Sequence[Cause]) -> Scores | None:
        """Our scores under the changes if they are the engine's, else None."""
        if self._narrow is not None:
            near = {query_id: value for query_id, value in self.target.values.items() if query_id in self.suspects}
            scores = self._scores(self._narrow, changes)
            if scores is None or not hold(scores, replace(self.target, values=near, mean=None)).agrees:
                return None
        scores = self._scores(self.native, changes)
        return scores if scores is not None and hold(scores, self.target).agrees else None

    def minimal(self, changes: tuple[Cause, ...]) -> tuple[Cause, ...]:
        """The changes without those that are not needed."""
        for change in changes:
            fewer = tuple(other for other in changes if other is not change)
            if fewer and self.proven(fewer) is not None:
                changes = fewer
        return changes

    def run(self, own: list[Cause], others: list[Cause]) -> Proof | None:
        """Try what the engine is known to do, alone, in pairs and together; then all other causes, alone and in pairs."""
        for changes in _orders(own, [cause for cause in others if cause not in own]):
            if self.proven(changes) is not None:
                changes = self.minimal(changes)
                scores = self._scores(self.native, changes)
                if scores is not None:
                    return Proof(changes, scores.convention, len(scores.query_ids), scores.aggregate(0))
        return None


def _orders(own: list[Cause], others: list[Cause]) -> Iterator[tuple[Cause, ...]]:
    yield from ((cause,) for cause in own)
    yield from _pairs(own)
    if len(own) > 2:
        yield tuple(own)
    yield from ((cause,) for cause in others)
    yield from _pairs(own, others)
    yield from _pairs(others)


def _pairs(first: list[Cause], second: list[Cause] | None = None) -> Iterator[tuple[Cause, ...]]:
    pairs = itertools.combinations(first, 2) if second is None else itertools.product(first, second)
    return ((one, two) for one, two in pairs if one.name != two.name)
