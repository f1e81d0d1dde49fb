"""How a run is turned into numbers, as data: every choice that engines make differently, and named presets of them.

What each engine does is listed with its source in spec/conventions.md. No function anywhere has a default of its own
for these: it is given a `Convention`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from irbridge.errors import UnknownName, UsageError, shown
from irbridge.registry import nearest

Precision = Literal["float32", "float64"]
Ties = Literal["docid-desc", "docid-asc", "given"]
Missing = Literal["zero", "skip", "error"]
NoPositives = Literal["zero", "exclude"]
Duplicates = Literal["error", "first", "last"]
SelfRetrieval = Literal["keep", "drop"]


@dataclass(frozen=True)
class Gain:
    """What a grade is worth in nDCG: `linear` (the grade), `exp` (2^grade - 1), or `custom` by a table.

    Negative grades are worth 0. A grade that a custom table does not name is worth itself, as in trec_eval.
    """

    kind: Literal["linear", "exp", "custom"]
    table: tuple[tuple[int, float], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Gain:
        """`linear`, `exp` or `0=0,1=1,2=5`.

        Raises:
            UsageError: neither a known word nor a table.
        """
        word = text.strip().lower()
        if word == "linear":
            return LINEAR
        if word in {"exp", "exponential"}:
            return EXPONENTIAL
        try:
            pairs = [part.split("=") for part in text.split(",")]
            return cls.of({int(grade): float(gain) for grade, gain in pairs})
        except ValueError:
            raise UsageError(
                f"'{shown(text)}' is not a gain", hint="linear, exp, or a table such as 0=0,1=1,2=5"
            ) from None

    @classmethod
    def of(cls, table: Mapping[int, float]) -> Gain:
        """A custom table {grade: gain}. Gains must be finite and not negative."""
        for grade, gain in table.items():
            if type(grade) is not int or not isinstance(gain, int | float):
                raise UsageError(
                    f"{shown(grade)}={shown(gain)} is no grade and gain", hint="a table maps whole numbers to numbers"
                )
            if not 0 <= gain < float("inf"):
                raise UsageError(f"the gain of grade {grade} is {gain}; gains are finite and not negative")
        return cls("custom", tuple(sorted((int(grade), float(gain)) for grade, gain in table.items())))

    def __str__(self) -> str:
        if self.kind == "custom":
            return ",".join(f"{grade}={int(gain) if gain == int(gain) else gain!r}" for grade, gain in self.table)
        return "exponential" if self.kind == "exp" else "linear"


_CHANGED = " (changed)"
#: Levels and depths beyond this mean nothing that a double can tell apart.
LARGEST = 2**53
LINEAR = Gain("linear")
EXPONENTIAL = Gain("exp")


@dataclass(frozen=True)
class Convention:
    """One way of evaluating. Every field is a knob of `irbridge score`.

    Attributes:
        name: the preset's name; a changed preset is called `name (changed)`.
        precision: scores are compared as this type.
        ties: equal scores are ordered by document id (code points) or as the source gave them.
        missing: a judged query that the run does not answer scores 0, is left out, or is an error.
        no_positives: a query without a relevant label scores 0 and counts, or is left out and reported.
        duplicates: a document twice in one ranking is an error, or its first or last row counts.
        self_retrieval: a document whose id is the query's id is kept or dropped.
        rel: the lowest grade that binary measures count as relevant, where the measure does not say.
        depth: only that many top documents are looked at, or None for all.
        gain: replaces the gain of nDCG names that do not spell one, or None to leave them alone.
        judged_only: unjudged documents are taken out of the ranking first.
        level_cuts_gain: grades below `rel` gain nothing in nDCG (ranx's `-l`).
    """

    name: str
    precision: Precision = "float64"
    ties: Ties = "docid-desc"
    missing: Missing = "zero"
    no_positives: NoPositives = "zero"
    duplicates: Duplicates = "error"
    self_retrieval: SelfRetrieval = "keep"
    rel: int = 1
    depth: int | None = None
    gain: Gain | None = None
    judged_only: bool = False
    level_cuts_gain: bool = False
    summary: str = field(default="", compare=False)

    def changed(self, **knobs: Any) -> Convention:
        """This convention with the knobs that are not None set; its name says that it was changed.

        Raises:
            UsageError: a value that the knob does not take.
        """
        unknown = next((knob for knob in knobs if knob not in KNOBS), None)
        if unknown is not None:
            raise UnknownName(
                "knob of a convention", unknown, nearest(unknown, list(KNOBS)), hint=f"one of: {', '.join(KNOBS)}"
            )
        wanted = {knob: value for knob, value in knobs.items() if value is not None}
        for knob, value in wanted.items():
            if knob in CHOICES and value not in CHOICES[knob]:
                raise UsageError(f"{knob} cannot be {value!r}", hint=f"one of: {', '.join(CHOICES[knob])}")
            if knob in {"rel", "depth"} and not (type(value) is int and 1 <= value <= LARGEST):
                raise UsageError(f"{knob} must be a whole number from 1 to 2**53, not {shown(value)}")
            if knob == "gain" and not isinstance(value, Gain):
                raise UsageError(f"gain cannot be {shown(value)}", hint="linear, exp, or a table such as 0=0,1=1,2=5")
        different = {knob: value for knob, value in wanted.items() if getattr(self, knob) != value}
        if not different:
            return self
        return replace(self, name=changed_name(self.name), **different)

    def describe(self) -> str:
        """The knobs in words, shortest useful form, for one line on a screen."""
        ties = {"docid-desc": "docid descending", "docid-asc": "docid ascending", "given": "as given"}[self.ties]
        missing = {
            "zero": "missing queries score 0",
            "skip": "missing queries skipped",
            "error": "missing queries refused",
        }
        said = [f"ties {ties}", f"scores as {self.precision}", missing[self.missing]]
        if self.no_positives == "exclude":
            said.append("queries without a relevant label left out")
        if self.gain is not None:
            said.insert(0, f"gain {self.gain}")
        if self.rel != 1:
            said.append(f"relevant from grade {self.rel}")
        if self.depth is not None:
            said.append(f"top {self.depth:,} only")
        if self.judged_only:
            said.append("judged documents only")
        if self.self_retrieval == "drop":
            said.append("the query's own document dropped")
        if self.duplicates != "error":
            said.append(f"{self.duplicates} of repeated documents counts")
        return " · ".join(said)

    def as_dict(self) -> dict[str, Any]:
        """All knobs by name, JSON values only."""
        knobs = {name: getattr(self, name) for name in ("name", *KNOBS)}
        knobs["gain"] = None if self.gain is None else str(self.gain)
        return knobs


def changed_name(name: str) -> str:
    """What a convention is called once a knob of it was changed."""
    return name if name.endswith(_CHANGED) else f"{name}{_CHANGED}"


KNOBS = (
    "precision", "ties", "missing", "no_positives", "duplicates", "self_retrieval",
    "rel", "depth", "gain", "judged_only", "level_cuts_gain",
)  # fmt: skip
CHOICES: dict[str, tuple[str, ...]] = {
    "precision": get_args(Precision),
    "ties": get_args(Ties),
    "missing": get_args(Missing),
    "no_positives": get_args(NoPositives),
    "duplicates": get_args(Duplicates),
    "self_retrieval": get_args(SelfRetrieval),
}

PRESETS: dict[str, Convention] = {
    preset.name: preset
    for preset in (
        Convention(
            "retrieval-eval",
            ties="given",
            no_positives="exclude",
            duplicates="first",
            summary="the judgments specification, version 1: rankings as given, queries without positives left out",
        ),
        Convention(
            "trec_eval-9",
            precision="float32",
            missing="skip",
            summary="trec_eval 9.0.8: scores as float32, ties by document id descending, missing queries skipped",
        ),
        Convention(
            "trec_eval-10",
            missing="error",
            summary="trec_eval 10.0: scores as double, ties by document id descending, a missing query is an error",
        ),
        Convention(
            "beir",
            precision="float32",
            missing="skip",
            duplicates="last",
            self_retrieval="drop",
            summary="BEIR 2.2 EvaluateRetrieval: pytrec_eval's order, the query's own document dropped, missing skipped",
        ),
        Convention(
            "ir_measures",
            precision="float32",
            summary="ir_measures 0.4.3 by its pytrec_eval provider: means over all judged queries, missing ones score 0",
        ),
        Convention(
            "ranx",
            ties="given",
            missing="error",
            level_cuts_gain=True,
            summary="ranx 0.3: scores as double, ties as given, a missing query is an error, the level cuts gains too",
        ),
    )
}


def get_convention(name: str) -> Convention:
    """A preset by name.

    Raises:
        UnknownName: with the nearest names.
    """
    if name not in PRESETS:
        raise UnknownName("convention", name, nearest(name, list(PRESETS)), hint=f"one of: {', '.join(PRESETS)}")
    return PRESETS[name]
