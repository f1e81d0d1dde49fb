"""The parameters of a name in ir_measures' way of writing: `rel=2, gains={0:0,1:3}`. A reader of its own, no `eval`."""

from __future__ import annotations

import re

from irbridge.errors import UsageError, shown

Value = bool | int | float | str | dict[int, float]

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_NAME = re.compile(r"\s*([A-Za-z_][A-Za-z_0-9]*)\s*=\s*", re.ASCII)
_SCALAR = re.compile(
    rf"(?P<word>True|False)\b|(?P<number>{_NUMBER})|'(?P<single>[^'\\]*)'|\"(?P<double>[^\"\\]*)\"", re.ASCII
)
_TABLE = re.compile(r"\{([^{}]*)\}")
_PAIR = re.compile(rf"\s*([+-]?\d+)\s*:\s*({_NUMBER})\s*", re.ASCII)
_END = re.compile(r"\s*(,|$)\s*")


def number(text: str) -> int | float:
    """A whole number where it is written as one, else a float.

    Raises:
        ValueError: it is neither.
    """
    if re.fullmatch(_NUMBER, text, re.ASCII) is None:
        raise ValueError(text)
    return int(text) if re.fullmatch(r"[+-]?\d+", text, re.ASCII) else float(text)


def _table(name: str, text: str) -> dict[int, float]:
    table: dict[int, float] = {}
    for part in text.split(",") if text.strip() else []:
        pair = _PAIR.fullmatch(part)
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
    position = 0
    while text[position:].strip():
        key = _NAME.match(text, position)
        if key is None:
            raise _unreadable(name, text[position:])
        if key[1] in found:
            raise UsageError(f"{shown(name)}: {key[1]} is given twice")
        scalar = _SCALAR.match(text, key.end())
        table = None if scalar else _TABLE.match(text, key.end())
        if scalar is not None:
            found[key[1]] = _value(scalar)
            position = scalar.end()
        elif table is not None:
            found[key[1]] = _table(name, table[1])
            position = table.end()
        else:
            raise _unreadable(name, text[position:])
        end = _END.match(text, position)
        if end is None:
            raise _unreadable(name, text[position:])
        position = end.end()
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
