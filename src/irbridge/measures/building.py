"""A measure of ir_measures' dialect from its name and parameters, each checked."""

from __future__ import annotations

import re
from collections.abc import Mapping

from irbridge.arguments import number
from irbridge.conventions import EXPONENTIAL, LINEAR, Gain
from irbridge.errors import UsageError, shown
from irbridge.measures import FAMILIES, absent
from irbridge.measures.arguments import Value
from irbridge.measures.base import Family, Measure
from irbridge.measures.spellings import not_yet

INT64 = 2**63 - 1


def build(name: str, family: Family, parameters: Mapping[str, Value], cutoff: int | None = None) -> Measure:
    """A measure of ir_measures' dialect.

    Raises:
        UsageError: a parameter that the family has not, a value that it does not take, or no cutoff where one is needed.
    """
    if "cutoff" in parameters:
        if cutoff is not None:
            raise UsageError(f"{shown(name)} has two cutoffs")
        cutoff = read_cutoff(name, str(parameters["cutoff"]))
    if "rel" in parameters and family.with_rel is not None:
        family = FAMILIES.get(family.with_rel)
    _check_parameters(name, family, parameters, cutoff)
    gain = LINEAR if "gain" in family.takes else None
    if "gains" in parameters:
        gain = gain_table(name, parameters["gains"])
    elif parameters.get("dcg") == "exp-log2":
        gain = EXPONENTIAL
    rel = parameters.get("rel")
    options: dict[str, float] = {}
    for option in family.options:
        if option in parameters:
            options.update(option_value(name, family, option, parameters[option]))
    return Measure(
        family,
        name,
        "ir_measures",
        cutoff=cutoff,
        rel=rel if isinstance(rel, int) else None,
        gain=gain,
        gain_spelled="gains" in parameters or "dcg" in parameters,
        judged_only=parameters.get("judged_only") is True,
        options=options,
    )


def _check_parameters(name: str, family: Family, parameters: Mapping[str, Value], cutoff: int | None) -> None:
    allowed = [*(family.takes & {"cutoff", "rel", "judged_only"}), *family.options]
    allowed += ["dcg", "gains"] if "gain" in family.takes else []
    for key, value in parameters.items():
        if (family.name, key) in absent.PARAMETERS:
            if value is not False:
                raise not_yet(name, absent.PARAMETERS[family.name, key])
        elif key not in allowed:
            hint = f"one of: {', '.join(sorted(allowed))}" if allowed else f"write {family.name}"
            if key == "rel" and "gain" in family.takes:
                hint = "say what a grade is worth instead: gains={1:0,2:1} makes grade 1 worthless"
            raise UsageError(f"{shown(name)}: {family.name} has no parameter {shown(key)}", hint=hint)
        elif key == "rel" and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= INT64):
            raise UsageError(f"{shown(name)}: rel must be a whole number from 1, not {shown(value)}")
        elif key == "judged_only" and not isinstance(value, bool):
            raise UsageError(f"{shown(name)}: judged_only is True or False, not {shown(value)}")
        elif key == "dcg" and value not in {"log2", "exp-log2"}:
            raise UsageError(
                f"{shown(name)}: dcg is 'log2' (linear gain) or 'exp-log2' (exponential), not {shown(value)}"
            )
    if "gains" in parameters and "dcg" in parameters:
        raise UsageError(f"{shown(name)}: dcg and gains both say what a grade is worth", hint="give one of them")
    if cutoff is not None and "cutoff" not in family.takes:
        raise UsageError(f"{shown(name)}: {family.name} takes no cutoff", hint=f"write {family.name}")
    if cutoff is None and family.needs_cutoff:
        raise UsageError(f"{shown(name)}: {family.name} needs a cutoff", hint=f"write {shown(name)}@10")


def read_cutoff(name: str, text: str) -> int:
    """A cutoff of the measure `name`.

    Raises:
        UsageError: not a whole number from 1, in digits, that 64 bits hold.
    """
    if not re.fullmatch(r"[1-9]\d*", text, re.ASCII) or len(text) > 19 or int(text) > INT64:
        hint = "separate names by spaces" if "," in text else "write it in digits, without a space, as in nDCG@10"
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


def option_value(name: str, family: Family, option: str, value: object) -> dict[str, float]:
    """{option: value}, or nothing if that is the default.

    Raises:
        UsageError: not a finite number from 0.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise UsageError(f"{shown(name)}: {option} must be a number from 0, not {shown(value)}")
    return {} if value == family.options[option] else {option: float(value)}


def read_float(name: str, text: str) -> int | float:
    """A number in the name of a measure.

    Raises:
        UsageError: it is none.
    """
    try:
        return number(text)
    except ValueError:
        raise UsageError(f"{shown(name)}: '{shown(text)}' is not a number") from None
