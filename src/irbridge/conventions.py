"""How a run is turned into numbers, as data: every choice that engines make differently, and named presets of them.

What each engine does is listed with its source in spec/conventions.md. No function anywhere has a default of its own
for these: it is given a `Convention`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, get_args

from irbridge.arguments import LARGEST, flag, number, whole, whole_number
from irbridge.errors import UsageError, quoted, shown
from irbridge.registry import one_of

Precision = Literal["float32", "float64"]
Ties = Literal["docid-desc", "docid-asc", "given"]
Missing = Literal["zero", "skip", "error"]
NoPositives = Literal["zero", "exclude"]
Duplicates = Literal["error", "first", "last"]
SelfRetrieval = Literal["keep", "drop"]
Tied = Literal["ordered", "best", "worst", "expected"]
Unjudged = Literal["usual", "worst", "best", "bounds"]
RecallPoints = Literal["round", "up"]
RelevantTotal = Literal["level", "positive"]

#: What may rule where a run's rank column contradicts its scores: in a conversion, not in scoring.
ORDERS = ("score", "rank")


class Gain(NamedTuple):
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
        table: dict[int, float] = {}
        try:
            for part in text.split(","):
                grade, gain = part.split("=")
                if (key := whole_number(grade)) in table:
                    raise UsageError(f"grade {key} has two gains in '{shown(text)}'", hint="give each grade one")
                table[key] = float(number(gain))
        except (ValueError, OverflowError):
            raise UsageError(
                f"'{shown(text)}' is not a gain", hint="linear, exp, or a table such as 0=0,1=1,2=5"
            ) from None
        return cls.of(table)

    @classmethod
    def of(cls, table: Mapping[int, float]) -> Gain:
        """A custom table {grade: gain}.

        Raises:
            UsageError: a key is no grade (an int within 2**53), or a gain no number that is finite and not negative.
        """
        for grade, gain in table.items():
            if type(grade) is not int or isinstance(gain, bool) or not isinstance(gain, int | float):
                raise UsageError(
                    f"{shown(grade, 40)}={shown(gain, 40)} is no grade and gain",
                    hint="a table maps whole numbers to numbers",
                )
            if abs(grade) > LARGEST:
                raise UsageError(f"grade {shown(grade, 40)} is out of range", hint="grades lie within 2**53")
            if not 0 <= gain <= sys.float_info.max:
                raise UsageError(f"the gain of grade {grade} is {shown(gain, 40)}; gains are finite and not negative")
        return cls("custom", tuple(sorted((int(grade), float(gain)) for grade, gain in table.items())))

    def __str__(self) -> str:
        if self.kind == "custom":
            return ",".join(f"{grade}={int(gain) if gain == int(gain) else gain!r}" for grade, gain in self.table)
        return "exponential" if self.kind == "exp" else "linear"


CHOICES: dict[str, tuple[str, ...]] = {
    "precision": get_args(Precision),
    "ties": get_args(Ties),
    "missing": get_args(Missing),
    "no_positives": get_args(NoPositives),
    "duplicates": get_args(Duplicates),
    "self_retrieval": get_args(SelfRetrieval),
    "tied": get_args(Tied),
    "unjudged": get_args(Unjudged),
    "recall_points": get_args(RecallPoints),
    "relevant_total": get_args(RelevantTotal),
}

_CHANGED = " (changed)"
LINEAR = Gain("linear")
EXPONENTIAL = Gain("exp")


@dataclass(frozen=True)
class Convention:
    """One way of evaluating. Every field is a knob of `irbridge score`; a value that its knob does not take is a UsageError.

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
        tied: equal scores count in the order that `ties` gives them, in the one that is best or worst for the run, or as
            the mean over all their orders.
        unjudged: documents without a label count as each measure has them, as they are worst or best for the measure over all
            grades that they may have, or as usual with both beside.
        unjudged_grade: the highest grade that they may have, or None for the highest one that the labels have, at least 1.
        recall_points: how many relevant documents a share of R is in interpolated precision: the nearest whole number, or
            the integer part of share * R + 0.9.
        relevant_total: the sum of NumRel is over grades from `rel` like its queries, or, where missing queries score 0,
            over all grades above 0 (trec_eval's -c).
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
    tied: Tied = "ordered"
    unjudged: Unjudged = "usual"
    unjudged_grade: int | None = None
    recall_points: RecallPoints = "round"
    relevant_total: RelevantTotal = "level"
    summary: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for knob, choices in CHOICES.items():
            one_of(f"value of {knob}", getattr(self, knob), choices)
        whole("rel", self.rel)
        if self.depth is not None:
            whole("depth", self.depth)
        if self.unjudged_grade is not None:
            whole("unjudged_grade", self.unjudged_grade)
        if self.gain is not None and not isinstance(self.gain, Gain):
            raise UsageError(
                f"gain cannot be {quoted(self.gain, 40)}", hint="linear, exp, or a table such as 0=0,1=1,2=5"
            )
        flag("judged_only", self.judged_only)
        flag("level_cuts_gain", self.level_cuts_gain)

    def changed(self, **knobs: Any) -> Convention:
        """This convention with the knobs that are not None set; its name says that it was changed.

        Raises:
            UsageError: a value that the knob does not take.
        """
        for knob in knobs:
            one_of("knob of a convention", knob, KNOBS)
        # Made in any case: what equals the old value (1 and True) need not be a value that the knob takes.
        made = replace(self, **{knob: value for knob, value in knobs.items() if value is not None})
        return self if made == self else replace(made, name=changed_name(self.name))

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
        if self.tied != "ordered":
            said.append({"best": "ties at their best", "worst": "ties at their worst"}.get(self.tied, "mean over ties"))
        if self.unjudged != "usual":
            kind = {"bounds": "bounds over the grades of unjudged documents"}.get(self.unjudged)
            said.append(kind or f"unjudged documents at their {self.unjudged}")
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
    "rel", "depth", "gain", "judged_only", "level_cuts_gain", "tied", "unjudged", "unjudged_grade",
    "recall_points", "relevant_total",
)  # fmt: skip
# Of these, the ones that matter only to families that say so.
FAMILY_KNOBS = frozenset({"recall_points", "relevant_total"})
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
            recall_points="up",
            relevant_total="positive",
            summary="trec_eval 9.0.8: scores as float32, ties by document id descending, missing queries skipped",
        ),
        Convention(
            "trec_eval-10",
            missing="error",
            relevant_total="positive",
            summary="trec_eval 10.0: scores as double, ties by document id descending, a missing query is an error",
        ),
        Convention(
            "beir",
            precision="float32",
            missing="skip",
            duplicates="last",
            self_retrieval="drop",
            recall_points="up",
            summary="BEIR 2.2 EvaluateRetrieval: pytrec_eval's order, the query's own document dropped, missing skipped",
        ),
        Convention(
            "ir_measures",
            precision="float32",
            recall_points="up",
            summary="ir_measures 0.4.3 by its pytrec_eval provider: means over all judged queries, missing ones score 0",
        ),
        Convention(
            "msmarco",
            ties="given",
            no_positives="exclude",
            summary="MS MARCO's script: rankings as given, means over all queries with a relevant passage, missing ones score 0",
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
        UsageError: the name is no text.
    """
    return PRESETS[one_of("convention", name, list(PRESETS))]
