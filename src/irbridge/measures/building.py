"""A measure of ir_measures' dialect from its name and parameters, each checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any

from irbridge.arguments import number
from irbridge.budgets import Budget
from irbridge.conventions import EXPONENTIAL, LINEAR, Gain
from irbridge.errors import UsageError, shown
from irbridge.measures import FAMILIES
from irbridge.measures.arguments import Value as Argument
from irbridge.measures.base import Family, Measure, Value, plain

INT64 = 2**63 - 1


def build(name: str, family: Family, parameters: Mapping[str, Argument], after: str | None = None) -> Measure:
    """A measure of ir_measures' dialect; `after` is what stands after @.

    Raises:
        UsageError: a parameter that the family has not, a value that it does not take, or none where one is needed.
    """
    given = dict(parameters)
    family = _meant(name, family, given)
    budget = None if family.at is not None or "cutoff" in given else Budget.read(after)
    cutoff = None if budget else _placed(name, family, given, after)
    # A budget is a cutoff wherever there can be one.
    _check_parameters(name, family, given, 1 if budget else cutoff)
    gain = LINEAR if "gain" in family.takes else None
    if "gains" in given:
        gain = gain_table(name, given["gains"])
    elif given.get("dcg") == "exp-log2":
        gain = EXPONENTIAL
    rel = given.get("rel")
    return Measure(
        family,
        name,
        "ir_measures",
        cutoff=cutoff,
        rel=rel if isinstance(rel, int) else None,
        gain=gain,
        gain_spelled="gains" in given or "dcg" in given,
        judged_only=given.get("judged_only") is True,
        options=_options(name, family, given),
        budget=budget,
    )


def build_of(family: Family, parameters: Mapping[str, Any]) -> Measure:
    """A measure of a family from parameters as Python has them, under its canonical name.

    Raises:
        UsageError: as `build`; for a family that is not irbridge's own also one whose name is taken.
    """
    if not family.origin and FAMILIES.find(family.name) is not family:
        from irbridge.measures.foreign import vetted

        family = vetted(family)
    measure = build(family.name, family, parameters)
    return replace(measure, asked=str(measure))


def _meant(name: str, family: Family, given: dict[str, Argument]) -> Family:
    """The family that the parameters make of this one; those that are used up are taken out."""
    for parameter, only in family.fixed.items():
        if given.pop(parameter, only) != only:
            raise UsageError(f"{shown(name)}: {parameter} can only be {only!r}")
    if "rel" in given and family.with_rel is not None:
        return FAMILIES.get(family.with_rel)
    for switch, other in family.switches.items():
        value = given.pop(switch, False)
        if not isinstance(value, bool):
            raise UsageError(f"{shown(name)}: {switch} is True or False, not {shown(value)}")
        if value:
            return FAMILIES.get(other)
    return family


def _placed(name: str, family: Family, given: dict[str, Argument], after: str | None) -> int | None:
    """The cutoff; what stands after @ and is none, for this family, becomes the parameter that it is."""
    if family.at is not None and after is not None:
        if family.at in given:
            raise UsageError(f"{shown(name)}: {family.at} is given twice")
        given[family.at] = read_float(name, after)
        return None
    if "cutoff" in given and after is not None:
        raise UsageError(f"{shown(name)} has two cutoffs")
    text = str(given["cutoff"]) if "cutoff" in given else after
    return None if text is None else read_cutoff(name, text)


def _options(name: str, family: Family, given: Mapping[str, Argument]) -> dict[str, Value]:
    options: dict[str, Value] = {}
    for option, default in family.options.items():
        if option in given:
            options.update(option_value(name, family, option, given[option]))
        elif default is None:
            write = f"{family.name}@0.5" if option == family.at else f"{family.name}({option}=...)"
            raise UsageError(f"{shown(name)} needs {option}", hint=f"write it as in {write}")
    return options


def _check_parameters(name: str, family: Family, parameters: Mapping[str, Argument], cutoff: int | None) -> None:
    allowed = [*(family.takes & {"cutoff", "rel", "judged_only"}), *family.options]
    allowed += ["dcg", "gains"] if "gain" in family.takes else []
    for key, value in parameters.items():
        if key not in allowed:
            hint = f"one of: {', '.join(sorted(allowed))}" if allowed else f"write {family.name}"
            if key == "rel" and "gain" in family.takes:
                hint = "say what a grade is worth instead: gains={1:0,2:1} makes grade 1 worthless"
            raise UsageError(f"{shown(name)}: {family.name} has no parameter {shown(key)}", hint=hint)
        if key == "rel" and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= INT64):
            raise UsageError(f"{shown(name)}: rel must be a whole number from 1, not {shown(value)}")
        if key == "judged_only" and not isinstance(value, bool):
            raise UsageError(f"{shown(name)}: judged_only is True or False, not {shown(value)}")
        if key == "dcg" and value not in {"log2", "exp-log2"}:
            raise UsageError(
                f"{shown(name)}: dcg is 'log2' (linear gain) or 'exp-log2' (exponential), not {shown(value)}"
            )
    if "gains" in parameters and "dcg" in parameters:
        raise UsageError(f"{shown(name)}: dcg and gains both say what a grade is worth", hint="give one of them")
    if cutoff is not None and "cutoff" not in family.takes:
        raise UsageError(f"{shown(name)}: {family.name} takes no cutoff", hint=f"write {family.name}")
    if cutoff is None and family.needs_cutoff and family.at is None:
        raise UsageError(f"{shown(name)}: {family.name} needs a cutoff", hint=f"write {shown(name)}@10")


def read_cutoff(name: str, text: str) -> int:
    """A cutoff of the measure `name`.

    Raises:
        UsageError: not a whole number from 1, in digits, that 64 bits hold.
    """
    if not re.fullmatch(r"[1-9]\d*", text, re.ASCII) or len(text) > 19 or int(text) > INT64:
        hint = "separate names by spaces" if "," in text else "write it in digits, without a space, as in nDCG@10"
        hint = "a budget is nDCG@2000tok (tokens) or nDCG@8000chars" if re.fullmatch(r"\d+[a-z]+", text) else hint
        meant = Budget.meant(text)
        if meant is not None and name.endswith(f"@{text}"):
            hint = f"did you mean {shown(name.removesuffix(text))}{meant}? Budgets are in tok and chars"
        raise UsageError(
            f"{shown(name)}: a cutoff must be a whole number from 1, not '{shown(text, 30)}'",
            hint="give at most 2^63 - 1" if text.isdigit() and len(text) > 18 else hint,
        )
    return int(text)


def gain_table(name: str, table: object) -> Gain:
    """A custom gain, or the linear one where the table says nothing.

    Raises:
        UsageError: not a table of grades from 0 to gains that are finite and not negative.
    """
    if table == {}:  # ir_measures prints a table that changes nothing so
        return LINEAR
    if not isinstance(table, dict) or not all(isinstance(grade, int) for grade in table):
        raise UsageError(
            f"{shown(name)}: gains is a table of grades, not {shown(table)}", hint="write it like {0:0,1:1,2:5}"
        )
    for grade in table:
        if not 0 <= grade <= INT64:
            raise UsageError(
                f"{shown(name)}: grade {shown(grade)} cannot have a gain", hint="leave it out: negative grades gain 0"
            )
    return Gain.of(table)


def option_value(name: str, family: Family, option: str, value: object) -> dict[str, Value]:
    """{option: value}, or nothing if that is the default.

    Raises:
        UsageError: not of the kind that the option is: True or False, a number within its bounds, a series of those.
    """
    default = family.options[option]
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise UsageError(f"{shown(name)}: {option} is True or False, not {shown(value)}")
        return {} if value == default else {option: value}
    if isinstance(default, tuple):
        numbers = [read_float(name, part) for part in value.split(",")] if isinstance(value, str) else [value]
        series = tuple(_bounded(name, family, option, number) for number in numbers)
        if option in family.counted and len(series) != len(default):
            raise UsageError(f"{shown(name)}: {option} is {len(default)} numbers, not {len(series)}")
        return {} if series == default else {option: series}
    number = _bounded(name, family, option, value)
    return {} if number == default else {option: number}


def _bounded(name: str, family: Family, option: str, value: object) -> float:
    low, high = family.bound(option)
    whole = option in family.whole
    kind = "a whole number" if whole else "a number"
    said = f" from {plain(low)}" * (low > -inf) + f" to {plain(high)}" * (high < inf)
    fits = not isinstance(value, bool) and isinstance(value, int if whole else int | float)
    if not fits or not isinstance(value, int | float) or not low <= value <= high or abs(value) == inf:
        raise UsageError(f"{shown(name)}: {option} must be {kind}{said}, not {shown(value)}")
    return float(value)


def read_float(name: str, text: str) -> int | float:
    """A number in the name of a measure.

    Raises:
        UsageError: it is none.
    """
    try:
        return number(text)
    except ValueError:
        raise UsageError(f"{shown(name)}: '{shown(text)}' is not a number") from None
