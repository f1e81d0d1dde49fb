"""Why two numbers differ: a table of single changes to a convention or a formula, and the search that proves one.

A cause is believed only if irbridge, computing under the changed convention, gives the other engine's value on every
query and its mean. What the engine is known to do is tried first, then any single cause, then pairs.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from irbridge.conventions import CHOICES, EXPONENTIAL, KNOBS, LINEAR, Convention, Gain
from irbridge.crosscheck.native import Native
from irbridge.crosscheck.variants import Variant, variant, variants
from irbridge.errors import IrbridgeError
from irbridge.evaluate import Scores
from irbridge.measures.base import Measure

_EXACT = 1e-9
# Levels beyond this many are not tried; real scales have fewer.
_LEVELS = 10


@dataclass(frozen=True)
class Cause:
    """One change.

    Attributes:
        name: the kind: "ties", "precision", "gain", "missing", ..., or "formula".
        knob: the convention's field, or None for a formula.
        value: the field's value, or the `Variant`.
    """

    name: str
    knob: str | None
    value: Any

    @property
    def words(self) -> str:
        """What happens, as a clause."""
        if isinstance(self.value, Variant):
            return self.value.words
        said = _WORDS.get(self.knob or "", {}).get(self.value)
        if said is not None:
            return said
        if self.knob == "gain":
            return f"gain {self.value or 'as the name says'}"
        if self.knob == "depth":
            return "the whole ranking counts" if self.value is None else f"only the top {self.value:,} documents count"
        return f"relevant from grade {self.value}"

    @property
    def setting(self) -> str:
        """How to ask irbridge for it: a flag of the command line, or the name and value of a field where there is none."""
        if isinstance(self.value, Variant):
            return ""
        if self.knob in {"no_positives", "level_cuts_gain"} or self.value is None or (self.knob, self.value) == ("duplicates", "last"):
            return f"{self.knob}={self.value}"
        if self.knob == "judged_only":
            return "--judged-only" if self.value else "no --judged-only"
        shown = {"exponential": "exp"}.get(str(self.value), str(self.value))
        return f"--{(self.knob or '').replace('_', '-')} {shown}"


_WORDS: dict[str, dict[Any, str]] = {
    "ties": {
        "docid-desc": "ties broken by docid descending",
        "docid-asc": "ties broken by docid ascending",
        "given": "ties left in the order given",
    },
    "precision": {"float32": "scores compared as float32", "float64": "scores compared as double"},
    "missing": {"zero": "missing queries score 0", "skip": "missing queries skipped"},
    "no_positives": {
        "zero": "queries without a relevant label score 0",
        "exclude": "queries without a relevant label left out",
    },
    "self_retrieval": {"drop": "the query's own document dropped", "keep": "the query's own document kept"},
    "duplicates": {"first": "the first of repeated documents counts", "last": "the last of repeated documents counts"},
    "judged_only": {True: "judged documents only", False: "unjudged documents kept"},
    "level_cuts_gain": {True: "grades below the level gain nothing", False: "the level leaves gains alone"},
}


# -------------------------------------------------------------------------------------------------------------- table


def causes(measure: Measure, base: Convention, top_grade: int) -> list[Cause]:
    """Every single change that could matter to this measure, the likeliest first."""
    gains: tuple[Gain | None, ...] = (LINEAR, EXPONENTIAL) if measure.gain is not None and not measure.gain_spelled else ()
    options: dict[str, Sequence[Any]] = {
        "ties": CHOICES["ties"],
        "precision": CHOICES["precision"],
        "gain": gains,
        "missing": ("zero", "skip"),
        "self_retrieval": CHOICES["self_retrieval"],
        "duplicates": ("first", "last") if base.duplicates != "error" else (),
        "no_positives": CHOICES["no_positives"],
        "rel": range(1, min(top_grade, _LEVELS) + 1) if "rel" in measure.family.takes and measure.rel is None else (),
        "depth": (None,),
        "judged_only": (False, True),
        "level_cuts_gain": (False, True) if measure.gain is not None and base.rel > 1 else (),
    }
    found = [
        Cause(knob, knob, value)
        for knob, values in options.items()
        for value in values
        if value != getattr(base, knob) and not (knob == "gain" and base.gain is None and value == measure.gain)
    ]
    return found + [Cause("formula", None, other) for other in variants(measure)]


def known(measure: Measure, base: Convention, engine: Convention, formula: str | None) -> list[Cause]:
    """What an engine is known to do differently from `base`."""
    found: list[Cause] = []
    for knob in KNOBS:
        theirs = getattr(engine, knob)
        if theirs == getattr(base, knob) or knob == "rel":  # the level is handed to the engine
            continue
        if knob == "gain" and (measure.gain is None or measure.gain_spelled or theirs is None):
            continue
        if knob in {"judged_only", "level_cuts_gain"} or (knob, base.duplicates) == ("duplicates", "error"):
            continue  # handed to it too; and without repeats there is nothing to choose
        found.append(Cause(knob, knob, theirs))
    own = variant(formula) if formula else None
    if own is not None:
        found.append(Cause("formula", None, own))
    return found


def applied(changes: Sequence[Cause], measure: Measure, base: Convention) -> tuple[Measure, Convention]:
    """The measure and the convention with the changes made."""
    knobs = {change.knob: change.value for change in changes if change.knob is not None}
    convention = replace(base, name=base.name.rstrip("*") + "*", **knobs) if knobs else base
    for change in changes:
        if isinstance(change.value, Variant):
            measure = change.value.rewrite(measure) or measure
    return measure, convention


# -------------------------------------------------------------------------------------------------------------- proof


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
class Explanation:
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
        """How to ask irbridge for it."""
        return " ".join(cause.setting for cause in self.causes if cause.setting)


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
            return native.scores([measure], convention)
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

    def run(self, own: list[Cause], others: list[Cause]) -> Explanation | None:
        """Try what the engine is known to do, alone, in pairs and together; then all other causes, alone and in pairs."""
        for changes in _orders(own, [cause for cause in others if cause not in own]):
            if self.proven(changes) is not None:
                changes = self.minimal(changes)
                scores = self._scores(self.native, changes)
                if scores is not None:
                    return Explanation(changes, scores.convention, len(scores.query_ids), scores.aggregate(0))
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
