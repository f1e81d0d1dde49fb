"""Which convention gives a number that somebody published: all of them are tried, the simplest that do come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from irbridge.conventions import get_convention
from irbridge.crosscheck.claim import Claim, read_claim
from irbridge.crosscheck.native import HeldRun, Native
from irbridge.crosscheck.readings import BASE, Reading, readings
from irbridge.errors import IrbridgeError
from irbridge.evaluate import convention_of
from irbridge.inputs import qrels_of
from irbridge.measures.base import Measure
from irbridge.wording import worded

__all__ = ["Chance", "Explanation", "Own", "Reading", "explain"]

_KEPT = 20
_NEAREST = 3
# How far around a number its neighbours are looked at, in halves of its last digit; and how many readings a neighbour has to
# be met by on average for a match to say little.
_BESIDE = 11
_BY_CHANCE = 0.5


@dataclass(frozen=True)
class Own:
    """What `irbridge score -m MEASURE` says, under the convention that it takes without being told.

    Attributes:
        measure: the name as in the claim, or the one that is meant by it.
        convention: the preset's name.
        value: the aggregate.
        difference: `value` less the claim.
    """

    measure: str
    convention: str
    value: float
    difference: float


@dataclass(frozen=True)
class Chance:
    """How little a match says: a number of few digits is met by readings that have nothing to do with it.

    Attributes:
        tried: readings that were computed.
        matching: of these, how many print as the number.
        values: how many different values these have.
        beside: how many different values a number of as many digits right beside it is met by, on average.
        closest: of the values that print as the number the one that is nearest to it; None where there is none.
    """

    tried: int
    matching: int
    values: int
    beside: float
    closest: float | None = None

    @property
    def likely(self) -> bool:
        """Whether a match may well be one by chance."""
        return self.matching > 0 and (self.values > 1 or self.beside >= _BY_CHANCE)


@dataclass(frozen=True, repr=False)
class Explanation:
    """What a published number can be.

    Attributes:
        reproductions: readings that print as the number, the simplest first; at most 20, `more` counts the rest.
        nearest: simple readings that do not, nearest first.
        engines: what each engine reports on this run, by its name; None where it would refuse the run.
        own: irbridge's own number; None where it would refuse the run.
        chance: how many readings were tried, and how many would meet any such number.
    """

    claim: Claim
    reproductions: list[Reading]
    nearest: list[Reading]
    engines: dict[str, float | None]
    own: Own | None
    chance: Chance
    more: int = 0

    def __repr__(self) -> str:
        """What a person wants to see of it: the claim and the simplest reading that gives it, or the nearest."""
        first = next(iter(self.reproductions), None)
        if first is not None:
            others = len(self.reproductions) - 1 + self.more
            more = worded(" ({n} other {way|ways})", others) if others else ""
            verb = "may be" if self.chance.likely else "is"
            return f"<{self.claim.text} {verb} {first.measure}: {first.words or 'plain'}{more}>"
        near = [f"{reading.value:.4f} {reading.words or 'plain'}" for reading in self.nearest[:1]]
        return f"<{self.claim.text} is nothing that irbridge computes; nearest {near[0] if near else 'nothing'}>"

    @property
    def found(self) -> bool:
        return bool(self.reproductions) or self.meant

    @property
    def meant(self) -> bool:
        """Whether it is irbridge's own number."""
        return self.own is not None and self.claim.meets(self.own.value)

    def as_dict(self) -> dict[str, Any]:
        return {
            "claim": self.claim.text,
            "measure": str(self.claim.measure),
            "value": self.claim.value,
            "tolerance": self.claim.tolerance,
            "found": self.found,
            "reproductions": [reading.as_dict() for reading in self.reproductions],
            "more": self.more,
            "nearest": [reading.as_dict() for reading in self.nearest],
            "engines": self.engines,
            "irbridge": None if self.own is None else asdict(self.own),
            "chance": {**asdict(self.chance), "likely": self.chance.likely},
        }


def explain(claim: str | tuple[Any, Any], qrels: Any, run: Any) -> Explanation:
    """Search conventions and formulas for those that give a published number.

    The run is read into memory whole; see `crosscheck`.

    Args:
        claim: a measure and its number, "ndcg@10=0.4321", or (nDCG @ 10, 0.4321) with a measure object. The name may be in any dialect, or as people write it; the number
            counts as precisely as it is printed, in percent where it is above 1.
        qrels: judgments, as `crosscheck` takes them.
        run: a run, likewise.

    Raises:
        IrbridgeError: the claim cannot be read, or an input cannot be used.
    """
    wanted = read_claim(claim)
    table = qrels_of(qrels)
    held = HeldRun.read(table, run)
    native = Native(table, held)
    native.judged(BASE)  # an input that cannot be scored at all says so here
    tried = sorted(readings(native, wanted.measure), key=lambda reading: reading.weight)
    exact = _simplest([reading for reading in tried if wanted.meets(reading.value)])
    return Explanation(
        wanted,
        exact[:_KEPT],
        _nearest(wanted, [reading for reading in tried if not wanted.meets(reading.value)]),
        _engines(native, wanted.measure),
        _own(native, wanted),
        _chance(wanted, tried),
        max(0, len(exact) - _KEPT),
    )


def _own(native: Native, claim: Claim) -> Own | None:
    convention = convention_of(None, [claim.named])
    try:
        value = native.scores([claim.named], convention).aggregate(0)
    except IrbridgeError:
        return None
    return None if value is None else Own(claim.named.asked, convention.name, value, value - claim.value)


def _chance(claim: Claim, tried: Sequence[Reading]) -> Chance:
    matching = [reading.value for reading in tried if claim.meets(reading.value)]
    # Readings that are one number up to the last bits are one value.
    values = {round(reading.value, 12) for reading in tried}
    near = [
        value for value in values if abs(value - claim.value) <= _BESIDE * claim.tolerance and not claim.meets(value)
    ]
    return Chance(
        len(tried),
        len(matching),
        len({round(value, 12) for value in matching}),
        len(near) / (_BESIDE - 1),
        min(matching, key=lambda value: abs(value - claim.value), default=None),
    )


def _simplest(found: Sequence[Reading]) -> list[Reading]:
    """Without those that only add a deviation to one that is there."""
    kept: list[Reading] = []
    for reading in found:
        if not any(set(known.deviations) <= set(reading.deviations) for known in kept):
            kept.append(reading)
    return kept


def _nearest(claim: Claim, others: Sequence[Reading]) -> list[Reading]:
    """The nearest plain readings, one for each value, the simplest of it."""
    by_value: dict[float, Reading] = {}
    for reading in others:
        if reading.weight <= 1 or (reading.weight == 2 and all(cause.knob for cause in reading.deviations)):
            by_value.setdefault(round(reading.value, 6), reading)
    ranked = sorted(by_value.values(), key=lambda reading: (abs(reading.value - claim.value), reading.weight))
    return ranked[:_NEAREST]


# ------------------------------------------------------------------------------------------------------------- engines


def _engines(native: Native, measure: Measure) -> dict[str, float | None]:
    """What the usual engines report for the measure, computed under their conventions (see spec/conventions.md)."""
    trec_9, trec_10, beir = (get_convention(name) for name in ("trec_eval-9", "trec_eval-10", "beir"))
    ours = get_convention("ir_measures").changed(duplicates="last")
    if measure.family.name == "RR" and measure.cutoff is not None:
        ours = ours.changed(ties="docid-asc", precision="float64")  # by its msmarco provider
    if measure.family.name in {"RR", "Success"}:
        beir = beir.changed(ties="given", precision="float64", missing="zero", self_retrieval="keep")
    wanted = {
        "trec_eval 9": trec_9,
        "trec_eval 9 -c": trec_9.changed(missing="zero"),
        "trec_eval 10": trec_10,
        "trec_eval 10 -c": trec_10.changed(missing="zero"),
        "ir_measures": ours,
    }
    if measure.family.name in {"nDCG", "AP", "R", "P", "RR", "Success"} and measure.cutoff is not None:
        wanted["BEIR"] = beir
    found: dict[str, float | None] = {}
    for name, convention in wanted.items():
        try:
            # A file of trec_eval cannot hold an empty ranking; a dict can.
            in_file = name.startswith("trec_eval")
            found[name] = native.scores([measure], convention, without_empty=in_file).aggregate(0)
        except IrbridgeError:
            found[name] = None
    return found
