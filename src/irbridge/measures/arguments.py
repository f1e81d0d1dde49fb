"""The parameters of a name in ir_measures' way of writing: `rel=2, gains={0:0,1:3}`. A reader of its own, no `eval`."""

from __future__ import annotations

import re

from irbridge.arguments import NUMBER, number
from irbridge.errors import UsageError, shown

Value = bool | int | float | str | dict[int, float]

# As text, which `re` compiles once, when the first name has parameters: few have any, and all measures import this.
_NAME = r"(?a)\s*([A-Za-z_][A-Za-z_0-9]*)\s*=\s*"
_SCALAR = rf"(?a)(?P<word>True|False)\b|(?P<number>{NUMBER})|'(?P<single>[^'\\]*)'|\"(?P<double>[^\"\\]*)\""
_TABLE = r"\{([^{}]*)\}"
_PAIR = rf"(?a)\s*([+-]?[0-9]+)\s*:\s*({NUMBER})\s*"
_END = r"\s*(,|$)\s*"


def _table(name: str, text: str) -> dict[int, float]:
    table: dict[int, float] = {}
    for part in text.split(",") if text.strip() else []:
        pair = re.fullmatch(_PAIR, part)
        if pair is None:
            raise UsageError(
                f"{shown(name)}: '{shown(part.strip())}' is not grade:gain", hint="write the table like {0:0,1:1,2:5}"
            )
        grade = int(pair[1])
        if grade in table:
            raise UsageError(f"{shown(name)}: grade {grade} has two gains")
        table[grade] = float(pair[2])
    return table


def read_arguments(name: str, text: str) -> dict[str, Value]:
    """The parameters in `text`, the inside of the parentheses of the measure `name`.

    Values are numbers, quoted strings, True, False, or a table of whole numbers to numbers.

    Raises:
        UsageError: the text is no list of parameters, or one is given twice.
    """
    found: dict[str, Value] = {}
    rest = text
    while rest.strip():
        key = re.match(_NAME, rest)
        if key is None:
            raise _unreadable(name, rest)
        if key[1] in found:
            raise UsageError(f"{shown(name)}: {key[1]} is given twice")
        value = rest[key.end() :]
        if (scalar := re.match(_SCALAR, value)) is not None:
            found[key[1]] = _value(scalar)
            rest = value[scalar.end() :]
        elif (table := re.match(_TABLE, value)) is not None:
            found[key[1]] = _table(name, table[1])
            rest = value[table.end() :]
        else:
            raise _unreadable(name, rest)
        end = re.match(_END, rest)
        if end is None:
            raise _unreadable(name, rest)
        rest = rest[end.end() :]
    return found


def _value(match: re.Match[str]) -> Value:
    if match["word"]:
        return match["word"] == "True"
    if match["number"]:
        return number(match["number"])
    return match["single"] if match["single"] is not None else match["double"]


def _unreadable(name: str, text: str) -> UsageError:
    return UsageError(
        f"{shown(name)}: cannot read the parameters from '{shown(text.strip(), 30)}' on",
        hint="write them as name=value, such as nDCG(gains={1:1,2:5})@10, RR(rel=2)@10",
    )
