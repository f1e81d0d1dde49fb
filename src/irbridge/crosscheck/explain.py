"""Which convention gives a number that somebody published: all of them are tried, the simplest that do come first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from irbridge.conventions import get_convention
from irbridge.crosscheck.claim import Claim, read_claim
from irbridge.crosscheck.native import HeldRun, Native
from irbridge.crosscheck.readings import BASE, Reading, readings
from irbridge.errors import IrbridgeError
from irbridge.inputs import qrels_of
from irbridge.measures.base import Measure

__all__ = ["Explanation", "Reading", "explain"]

_KEPT = 20
_NEAREST = 3


@dataclass(frozen=True)
class Explanation:
    """What a published number can be.

    Attributes:
        reproductions: readings that print as the number, the simplest first; at most 20, `more` counts the rest.
        nearest: simple readings that do not, nearest first.
        engines: what each engine reports on this run, by its name; None where it would refuse the run.
    """

    claim: Claim
    reproductions: list[Reading]
    nearest: list[Reading]
    engines: dict[str, float | None]
    more: int = 0

    @property
    def found(self) -> bool:
        return bool(self.reproductions)

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
        }


def explain(claim: str, qrels: Any, run: Any) -> Explanation:
    """Search conventions and formulas for those that give a published number.

    The run is read into memory whole; see `crosscheck`.

    Args:
        claim: a measure and its number, "ndcg@10=0.4321". The name may be in any dialect, or as people write it; the number
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
        max(0, len(exact) - _KEPT),
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
            found[name] = native.scores([measure], convention).aggregate(0)
        except IrbridgeError:
            found[name] = None
    return found
