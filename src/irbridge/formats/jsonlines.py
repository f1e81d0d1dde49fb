"""Strict reading of JSON Lines: one object a line, `//` comments and blank lines skipped.

Strict means that nothing is guessed: NaN, a key given twice, a lone surrogate and numbers out of range are refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from irbridge.reading import Reading
from irbridge.textio import Source, line_blocks

_TYPES = {
    dict: "an object",
    list: "an array",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def records(source: Source, reading: Reading) -> Iterator[str]:
    """The lines that hold records; `reading.line` is the number of each."""
    for first, lines in line_blocks(source):
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
    """Whether a record that decoded to `keys` keys certainly has no key twice and nothing nested.

    Where no white space follows a quote, every key is followed by a colon at once. Then there are at least as many `":`
    as keys, and more if a key was given twice (or a string or an object inside holds `":`, which tells nothing).
    """
    return line.count('":') == keys and '" ' not in line and '"\t' not in line and '"\r' not in line


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
        if not single_keyed(line, len(value)):
            reason = explained(line)
            if reason is not None:
                return reason
        return value

    return strict


def explained(line: str) -> str | None:
    """Why `line` is not strict JSON, or None if it is."""
    try:
        json.loads(line, object_pairs_hook=_pairs, parse_constant=_constant)
    except json.JSONDecodeError as error:
        return f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return str(error)
    return None


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
