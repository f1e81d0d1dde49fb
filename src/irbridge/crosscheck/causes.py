"""Why two numbers of one measure may differ: a table of single changes to a convention or a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from irbridge.conventions import CHOICES, EXPONENTIAL, FAMILY_KNOBS, KNOBS, LINEAR, Convention, Gain, changed_name
from irbridge.crosscheck.variants import Variant, variant, variants
from irbridge.measures.base import Measure

# Levels beyond this many are not tried; real scales have fewer.
_LEVELS = 10


@dataclass(frozen=True)
class Cause:
    """One change.

    Attributes:
        name: the kind: "ties", "precision", "gain", "missing", ..., "formula", or "empty".
        knob: the convention's field, or None for what is none.
        value: the field's value, or the `Variant`; words for "empty".
    """

    name: str
    knob: str | None
    value: Any

    @property
    def words(self) -> str:
        """What happens, as a clause."""
        if isinstance(self.value, Variant):
            return self.value.words
        if self.knob is None:
            return str(self.value)
        said = _WORDS.get(self.knob or "", {}).get(self.value)
        if said is not None:
            return said
        if self.knob == "gain":
            if self.value is None:
                return "the gain that the name says"
            binary = self.value.table and all(worth == 1 for _, worth in self.value.table)
            return "binary gain" if binary else f"{self.value} gain"
        if self.knob == "depth":
            return "the whole ranking counts" if self.value is None else f"only the top {self.value:,} documents count"
        return f"relevant from grade {self.value}"

    @property
    def setting(self) -> str:
        """The flag of `irbridge score` for it; of a flag to leave out, "no --flag"; empty where there is none."""
        if self.knob is None:
            return ""
        flag = f"--{self.knob.replace('_', '-')}"
        if self.value is None or self.value is False:
            return f"no {flag}"
        if self.value is True:
            return flag
        return f"{flag} {'exp' if self.value == EXPONENTIAL else self.value}"


#: A query whose ranking holds no document: irbridge counts it as answered, an engine that is run without it cannot.
EMPTY = Cause("empty", None, "an empty ranking counts as a missing query")


def settings_of(changes: Sequence[Cause]) -> str:
    """The flags for all of these; empty where one is among them that has no flag, such as a formula."""
    if any(change.knob is None for change in changes):
        return ""
    return " ".join(change.setting for change in changes)


_WORDS: dict[str, dict[Any, str]] = {
    "ties": {
        "docid-desc": "ties broken by docid descending",
        "docid-asc": "ties broken by docid ascending",
        "given": "ties left in the order given",
    },
    "precision": {"float32": "scores compared as float32", "float64": "scores compared as double"},
    "missing": {
        "zero": "missing queries score 0",
        "skip": "missing queries skipped",
        "error": "missing queries refused",
    },
    "no_positives": {
        "zero": "queries without a relevant label score 0",
        "exclude": "queries without a relevant label left out",
    },
    "self_retrieval": {"drop": "the query's own document dropped", "keep": "the query's own document kept"},
    "duplicates": {
        "first": "the first of repeated documents counts",
        "last": "the last of repeated documents counts",
        "error": "repeated documents refused",
    },
    "tied": {
        "ordered": "ties in one order",
        "best": "ties in the order that is best for the run",
        "worst": "ties in the order that is worst for the run",
        "expected": "the mean over all orders of ties",
    },
    "unjudged": {
        "usual": "unjudged documents as each measure has them",
        "best": "unjudged documents at their best",
        "worst": "unjudged documents at their worst",
        "bounds": "bounds over unjudged documents",
    },
    "unjudged_grade": {None: "unjudged documents of no higher grade than the labels"},
    "recall_points": {"round": "shares of R rounded to whole documents", "up": "shares of R as int(x R + 0.9)"},
    "relevant_total": {
        "level": "the sum of NumRel from the relevance level",
        "positive": "the sum of NumRel over everything judged above 0",
    },
    "judged_only": {True: "judged documents only", False: "unjudged documents kept"},
    "level_cuts_gain": {True: "grades below the level gain nothing", False: "the level leaves gains alone"},
}


# -------------------------------------------------------------------------------------------------------------- table


def causes(measure: Measure, base: Convention, top_grade: int) -> list[Cause]:
    """Every single change that could matter to this measure, the likeliest first."""
    gains: tuple[Gain | None, ...] = (
        (LINEAR, EXPONENTIAL) if measure.gain is not None and not measure.gain_spelled else ()
    )
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
        "recall_points": CHOICES["recall_points"] if "recall_points" in measure.family.knobs else (),
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
        if knob in FAMILY_KNOBS and knob not in measure.family.knobs:
            continue
        if knob == "judged_only" or (knob, base.duplicates) == ("duplicates", "error"):
            continue  # handed to it too; and without repeats there is nothing to choose
        if knob == "level_cuts_gain" and (measure.gain is None or base.rel == 1):
            continue
        found.append(Cause(knob, knob, theirs))
    own = variant(formula) if formula else None
    if own is not None:
        found.append(Cause("formula", None, own))
    return found


def applied(changes: Sequence[Cause], measure: Measure, base: Convention) -> tuple[Measure, Convention]:
    """The measure and the convention with the changes made."""
    knobs = {change.knob: change.value for change in changes if change.knob is not None}
    convention = replace(base, name=changed_name(base.name), **knobs) if knobs else base
    for change in changes:
        if isinstance(change.value, Variant):
            measure = change.value.rewrite(measure) or measure
    return measure, convention
