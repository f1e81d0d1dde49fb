"""Gate expressions: text -> `Gate`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from irbridge.arguments import NUMBER
from irbridge.errors import IrbridgeError, UsageError, quoted, shown
from irbridge.gates import FORMS
from irbridge.gates.base import Form, Gate
from irbridge.registry import nearest

_NUMBER = re.compile(NUMBER)
_DIGITS = 400
_LONGEST = 2000


def parse(expression: str | tuple[Any, ...] | Gate) -> Gate:
    """A gate from its expression, or from its parts, (nDCG @ 10, 0.8); a `Gate` passes through.

    Raises:
        UsageError: it has none of the known forms, or its bound is no finite decimal number.
    """
    if isinstance(expression, Gate):
        return expression
    if isinstance(expression, tuple):
        expression = ":".join(map(str, expression))
    if not isinstance(expression, str):
        raise UsageError(f"a gate is a text such as recall@5:0.8, not {quoted(expression)}")
    said = f"gate '{shown(expression)}'"
    if len(expression) > _LONGEST:
        raise UsageError(f"{said}: longer than {_LONGEST:,} characters")
    parts = split(expression)
    form = _form(parts)
    if form is None or len(parts) != form.size:
        expected = "<metric>:<threshold>" if form is None else form.syntax
        examples = ", ".join(each.example for each in FORMS)
        raise UsageError(f"{said}: expected {expected}", hint=f"write it like one of {examples}")
    measure = parts[form.place]
    if not measure or measure != measure.strip():
        raise UsageError(f"{said}: names no metric", hint=f"write it like {form.example}, without spaces")
    if form.names and measure not in form.names:
        near = nearest(measure, list(form.names))
        ask = f"; did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(
            f"{said}: '{shown(measure)}' is none of its names{ask}", hint=f"one of: {', '.join(form.names)}"
        )
    bound = _bound(parts[-1], said)
    if not form.signed and parts[-1].startswith(("+", "-")):
        raise UsageError(
            f"{said}: '{shown(parts[-1])}' has a sign, and {form.syntax} takes none",
            hint=f"write it like {form.example}",
        )
    return Gate(expression, form, measure, bound)


def parse_all(expressions: Iterable[str | tuple[Any, ...] | Gate]) -> tuple[Gate, ...]:
    """Gates from expressions, in their order.

    Raises:
        UsageError: as `parse`.
    """
    if isinstance(expressions, str):
        expressions = [expressions]
    return tuple(map(parse, expressions))


def split(expression: str) -> list[str]:
    """The parts between colons; a colon inside parentheses belongs to the measure: `nDCG(gains={1:1,2:5})@10:0.6`."""
    parts, depth = [""], 0
    for character in expression:
        depth += (character in "({") - (character in ")}")
        if character == ":" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _form(parts: Sequence[str]) -> Form | None:
    # Third parties' forms are looked for only where none of ours is meant.
    for forms in (FORMS.builtin(), FORMS):
        for form in forms:
            if form.claims(parts):
                return form
    return None


def _bound(text: str, said: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise UsageError(f"{said}: '{shown(text)}' is not a number", hint="write a decimal number such as 0.8")
    if not math.isfinite(float(text)):
        raise UsageError(f"{said}: '{shown(text)}' is not a finite number")
    # Beyond this no double is told from 0, and decimals of any exponent cannot be compared.
    if len(text) > _DIGITS or _power(text) > _DIGITS:
        raise UsageError(f"{said}: '{shown(text, 40)}' is no number of a usable size", hint="write one such as 0.8")
    return Decimal(text)


def _power(text: str) -> int:
    """How many places a number is away from 1; of one that decimals cannot hold, more than any."""
    try:
        return abs(Decimal(text).adjusted())
    except ArithmeticError:
        return _DIGITS + 1


def measures_named(gates: Iterable[Gate]) -> list[str]:
    """The measures to compute where nobody says which: those of the gates, where one is not the specification's.

    Empty where all are: then the specification's six at one k stand in a report, whichever of them a gate names.
    """
    from irbridge.measures.names import parse as parse_measures

    names: list[str] = []
    dialects: set[str] = set()
    for gate in gates:
        try:
            found = parse_measures(gate.measure)
        except IrbridgeError:
            continue  # what is no measure of ours may stand in the report all the same
        if len(found) == 1 and gate.measure not in names:
            names.append(gate.measure)
            dialects.add(found[0].dialect)
    return names if dialects - {"spec"} else []
