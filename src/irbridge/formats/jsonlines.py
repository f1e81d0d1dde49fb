"""Strict reading of JSON Lines: one object a line, `//` comments and blank lines skipped.

Strict means that nothing is guessed: NaN, a key given twice, a lone surrogate and numbers out of range are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import line_blocks
from irbridge.wording import misread

_TYPES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
}
# What may stand between a key and its colon.
_APART = re.compile(r'"[ \t\r\n]+:')
_SPACES = " \t\r\n"


def records(source: Source, reading: Reading) -> Iterator[str]:
    """The lines that hold records; `reading.line` is the number of each."""
    for first, lines in line_blocks(source):
        yield from records_among(lines, first, reading)


def records_among(lines: Iterable[str], first: int, reading: Reading) -> Iterator[str]:
    """The same of some lines, the first of which is number `first`."""
    for number, line in enumerate(lines, first):
        if line.startswith("{"):
            reading.line = number
            yield line
            continue
        start = line.lstrip()
        if start and not start.startswith("//"):
            reading.line = number
            yield line


def single_keyed(line: str, keys: int) -> bool:
    """Whether a record that decoded to `keys` keys, those of objects inside it counted, certainly has no key twice.

    Every key is followed by a colon, at once or after white space. Where there are as many colons as keys, none is left for a
    key given twice, nor for a string. Where keys have it at once, there are at least as many `":` as keys, and more if a key
    was given twice (or a string holds `":`, which tells nothing). That holds for many records too.
    """
    if line.count(":") == keys:
        return True
    if line.count('":') != keys:
        return False
    # One character is looked for many times faster than two.
    apart = any(space in line and f"{space}:" in line for space in _SPACES)
    return not (apart and _APART.search(line))


def _keys(value: Any) -> int:
    """How many keys a decoded value has, with those of all that is inside."""
    if isinstance(value, dict):
        return len(value) + sum(_keys(part) for part in value.values() if isinstance(part, dict | list))
    return sum(_keys(part) for part in value if isinstance(part, dict | list))


def decoder() -> Callable[[str], dict[str, Any] | str]:
    """A function from a line to its object, or to the reason why it is none."""
    import msgspec

    decode = msgspec.json.Decoder().decode

    def strict(line: str) -> dict[str, Any] | str:
        try:
            value = decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            return explained(line) or _unpaired(line) or str(error)
        if not isinstance(value, dict):
            return f"an object is needed, not {_TYPES.get(type(value), 'null')}"
        try:
            sure = single_keyed(line, _keys(value))
        except RecursionError:
            sure = False
        reason = None if sure else explained(line)
        return value if reason is None else reason

    return strict


def explained(line: str) -> str | None:
    """Why `line` is not strict JSON, or None if it is."""
    found = fault(line)
    if isinstance(found, json.JSONDecodeError):
        return misread(found)
    if isinstance(found, RecursionError):
        return "it is nested too deeply"
    return None if found is None else str(found)


def fault(text: str) -> ValueError | RecursionError | None:
    """What reading `text` as strict JSON raises."""
    try:
        json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        return error
    return None


def written(line: str, name: str) -> str:
    """The number that a member of the object in `line` is, if it has a point or an exponent, as it is written there.

    A double says less than its text: 1e-400 becomes 0.0, and 1.0000000000000000001 becomes 1.0.
    """
    return str(json.loads(line, parse_float=str)[name])


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        again = next(key for position, key in enumerate(keys) if key in keys[:position])
        raise ValueError(f"the key {json.dumps(again)} is given twice")
    return found


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _unpaired(line: str) -> str | None:
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return "it holds half of a surrogate pair (like \\ud800), which has no UTF-8 form"
    return None
