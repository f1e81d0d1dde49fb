"""Every way to compute a measure of one name on one run: orders, gains, formulas, levels, and which queries count."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irbridge.arrays import Bools, Floats
from irbridge.conventions import EXPONENTIAL, Convention, Gain
from irbridge.crosscheck.causes import EMPTY, Cause, settings_of
from irbridge.crosscheck.native import Native
from irbridge.crosscheck.variants import Variant, variants
from irbridge.errors import IrbridgeError
from irbridge.hits import Hits
from irbridge.measures import FAMILIES
from irbridge.measures.base import Measure
from irbridge.qrels import Qrels

# Where deviations are counted from: trec_eval's formulas over all judged queries, scores as they are.
BASE = Convention("plain", duplicates="first")
_DEVIATIONS = 3
_CUTOFFS = (1, 3, 5, 10, 20, 50, 100, 1000)
_LEVELS = 10


@dataclass(frozen=True)
class Reading:
    """One way to compute a measure of that name, and what it gives.

    Attributes:
        value: the aggregate.
        deviations: what it does otherwise than trec_eval's formula over all judged queries; empty for just that.
        measure: the measure, in canonical spelling.
        queries: over how many queries.
        asks: the measure that irbridge computes for this value, or None where it is none of its measures.
    """

    value: float
    deviations: tuple[Cause, ...]
    measure: str
    queries: int
    asks: str | None

    @property
    def words(self) -> str:
        """The deviations as clauses."""
        return ", ".join(cause.words for cause in self.deviations)

    @property
    def weight(self) -> int:
        """How far-fetched it is: one for each deviation, and one more for a slip in the cutoff or for judged-only."""
        return _weight(self.deviations)

    @property
    def settings(self) -> str:
        """What to give `irbridge score` for this value; empty where it has no such formula, or where it needs nothing."""
        if self.asks is None:
            return ""
        flags = settings_of([cause for cause in self.deviations if cause.knob is not None])
        name = [f"-m {shlex.quote(self.asks)}"] if self.asks != self.measure else []
        return " ".join([*name, *([flags] if flags else [])])

    def as_dict(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "measure": self.measure,
            "deviations": [{"name": cause.name, "words": cause.words} for cause in self.deviations],
            "asks": self.asks,
            "settings": self.settings,
            "queries": self.queries,
        }


def _weight(deviations: Sequence[Cause]) -> int:
    slips = ("cutoff", "judged_only")
    return sum(
        2 if (cause.value.code if isinstance(cause.value, Variant) else cause.name).startswith(slips) else 1
        for cause in deviations
    )


def readings(native: Native, measure: Measure) -> Iterator[Reading]:
    """Every reading of a measure up to a weight of three."""
    orders = list(_orders(native))
    shapes = list(_shapes(native.qrels, measure))
    for (order, hits), (shape, meant, convention) in itertools.product(orders, shapes):
        if _weight((*order, *shape)) > _DEVIATIONS:
            continue
        try:
            values = _values(hits, meant, convention)
        except IrbridgeError:  # a gain beyond a double: nobody's number
            continue
        ours = FAMILIES.find(meant.family.name) is meant.family and not any(cause.name == "order" for cause in order)
        for mask, counted in _masks(native, hits, meant.resolved(convention).level):
            asks = str(meant) if ours and EMPTY not in mask else None
            if _weight((*order, *shape, *mask)) <= _DEVIATIONS and counted.any():
                own = values[counted]
                value = meant.family.aggregate(own)
                yield Reading(value, (*shape, *order, *mask), str(measure), int(counted.sum()), asks)


def _values(hits: Hits, measure: Measure, convention: Convention) -> Floats:
    resolved = measure.resolved(convention)
    return resolved.family.compute(hits.judged if resolved.judged_only else hits, resolved)


def _orders(native: Native) -> Iterator[tuple[tuple[Cause, ...], Hits]]:
    """Every different order of the run: ties, precision, repeats, the query's own document, the rank column."""
    repeated = any(len(set(ranking.doc_ids)) < len(ranking.doc_ids) for ranking in native.held)
    itself = any(ranking.query_id in ranking.doc_ids for ranking in native.held)
    options: dict[str, tuple[Any, ...]] = {
        "ties": ("docid-desc", "docid-asc", "given"),
        "precision": ("float64", "float32"),
        "duplicates": ("first", "last") if repeated else ("first",),
        "self_retrieval": ("keep", "drop") if itself else ("keep",),
    }
    chosen = [dict(zip(options, values, strict=True)) for values in itertools.product(*options.values())]
    seen: set[tuple[bytes, bytes, bytes]] = set()
    places: list[tuple[tuple[Cause, ...], Hits]] = []
    for knobs in chosen:
        causes = tuple(Cause(knob, knob, value) for knob, value in knobs.items() if value != getattr(BASE, knob))
        places.append((causes, native.judged(replace(BASE, **knobs)).hits))
    ranked = native.held.by_rank()
    if ranked is not None:
        column = Variant(
            "rank-column", "ordered by the rank column, not by score", frozenset(), lambda measure: measure
        )
        ties = replace(BASE, ties="given")
        places.append(((Cause("order", None, column),), Native(native.qrels, ranked).judged(ties).hits))
    for causes, hits in sorted(places, key=lambda place: len(place[0])):
        key = (hits.label.tobytes(), hits.rank.tobytes(), hits.retrieved.tobytes())
        if key not in seen:
            seen.add(key)
            yield causes, hits


def _shapes(qrels: Qrels, measure: Measure) -> Iterator[tuple[tuple[Cause, ...], Measure, Convention]]:
    """Gains, formulas, cutoffs, levels and judged-only: (deviations, the measure meant, a convention)."""
    top = int(qrels.grades.max())
    for gain, formula in itertools.product(_gains(measure, top, qrels), _formulas(measure)):
        for level, judged_only in itertools.product(_levels(measure, top, qrels), (False, True)):
            if judged_only and "judged_only" not in measure.family.takes:
                continue
            causes: list[Cause] = []
            knobs: dict[str, Any] = {}
            if gain is not None:
                causes.append(Cause("gain", "gain", gain))
                knobs["gain"] = gain
            if formula is not None:
                causes.append(Cause("formula", None, formula))
            if level > 1:
                causes.append(Cause("rel", "rel", level))
                knobs["rel"] = level
                if measure.gain is not None:
                    causes.append(Cause("level_cuts_gain", "level_cuts_gain", True))
                    knobs["level_cuts_gain"] = True
            if judged_only:
                causes.append(Cause("judged_only", "judged_only", True))
                knobs["judged_only"] = True
            meant = measure if formula is None else formula.rewrite(measure)
            if meant is not None and len(causes) <= _DEVIATIONS:
                yield tuple(causes), meant, replace(BASE, **knobs)


def _gains(measure: Measure, top: int, qrels: Qrels) -> list[Gain | None]:
    if measure.gain is None or measure.gain_spelled or top <= 1:
        return [None]
    grades = [int(grade) for grade in np.unique(qrels.grades) if grade >= 1]
    return [None, EXPONENTIAL, Gain.of(dict.fromkeys(grades, 1.0))]


def _levels(measure: Measure, top: int, qrels: Qrels) -> list[int]:
    if measure.rel is not None or not ("rel" in measure.family.takes or measure.gain is not None):
        return [1]
    return [1, *[int(grade) for grade in np.unique(qrels.grades) if 1 < grade <= top][:_LEVELS]]


def _formulas(measure: Measure) -> list[Variant | None]:
    found: list[Variant | None] = [None, *variants(measure)]
    if "cutoff" in measure.family.takes:
        near = (measure.cutoff - 1, measure.cutoff + 1) if measure.cutoff is not None else ()
        for k in dict.fromkeys((*_CUTOFFS, *near)):
            if k >= 1 and k != measure.cutoff:
                words = f"cutoff {k}" + ("" if measure.cutoff is None else f" in place of {measure.cutoff}")
                found.append(Variant(f"cutoff-{k}", words, frozenset(), _cut_at(k)))
    return found


def _cut_at(k: int) -> Callable[[Measure], Measure]:
    return lambda measure: replace(measure, cutoff=k)


def _masks(native: Native, hits: Hits, level: int) -> Iterator[tuple[tuple[Cause, ...], Bools]]:
    """Which queries count: without those that are missing, or have nothing relevant, where there are any."""
    positives = hits.count_labels(level) > 0
    skipped = Cause("missing", "missing", "skip")
    excluded = Cause("no_positives", "no_positives", "exclude")
    by_answer: list[tuple[tuple[Cause, ...], Bools]] = [((), np.ones(hits.queries, np.bool_))]
    if not hits.answered.all():
        by_answer.append(((skipped,), hits.answered))
    filled = native.filled(hits.answered)
    if not np.array_equal(filled, hits.answered):
        by_answer.append(((skipped, EMPTY), filled))
    yield from by_answer
    if not positives.all():
        yield from (((*causes, excluded), counted & positives) for causes, counted in by_answer)
