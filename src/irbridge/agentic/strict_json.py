"""JSON that can be read in one way only: no key twice at any depth, no NaN, no comment, no comma too many.

A whole number is an integer however it is written: 1.0 is 1, as in canonical JSON and in JSON Schema.
"""

from __future__ import annotations

import json
import re
from typing import Any

from irbridge.arguments import doubled
from irbridge.errors import InputError, quoted
from irbridge.wording import misread

_EXACT = 2**53
_BEFORE, _AFTER = 30, 50


def strict_json(data: bytes | str, where: str | None = None) -> Any:
    """The value of a JSON text.

    Args:
        data: UTF-8, without a byte order mark, or a text.
        where: the file it comes from, for messages.

    Raises:
        InputError: it is not JSON, has a key twice, NaN, a number beyond a double's range or half a surrogate pair, or is
            nested too deep.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice = doubled(name for name, _ in pairs)
            raise InputError(
                f"the key {quoted(twice, 40)} stands twice in one object", path=where, hint="keep one of the two"
            )
        return found

    def refuse(name: str) -> Any:
        raise InputError(f"{name} is no number of JSON", path=where)

    def number(text: str) -> int | float:
        value = float(text)
        if value in {float("inf"), float("-inf")}:
            raise InputError(f"{quoted(text, 40)} is beyond the range of a double", path=where)
        return int(value) if value.is_integer() and abs(value) <= _EXACT else value

    def whole(text: str) -> int:
        number(text)  # no double, no number; and Python reads no more than some thousand digits
        return int(text)

    try:
        text = _text(data, where)
        found = json.loads(text, object_pairs_hook=once, parse_constant=refuse, parse_float=number, parse_int=whole)
        if "\\u" in text or isinstance(data, str):
            json.dumps(found, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        around, ends = _around(error)
        hint = "it ends too early: fetch or copy it again" if ends else None
        raise InputError(
            f"not JSON: {misread(error)}", path=where, line=error.lineno, text=around, hint=hint
        ) from error
    except UnicodeEncodeError as error:
        raise InputError("half a surrogate pair is no text", path=where) from error
    except RecursionError as error:
        raise InputError("nested too deep", path=where) from error
    return found


def text_at(value: Any, message: str) -> str | None:
    """The part of a JSON value that a message is about which ends in: - at `$.claims[0].value`."""
    place = re.search(r" - at `\$((?:\.\w+|\[\d+\])+)`$", message)
    if place is None:
        return None
    try:
        for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", place[1]):
            value = value[name or int(index)]
        return json.dumps(value, ensure_ascii=False)
    except (LookupError, TypeError, ValueError, RecursionError):
        return None


def _text(data: bytes | str, where: str | None) -> str:
    """The text itself."""
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8: {error.reason} at byte {error.start}",
            path=where,
            text=error.object[max(0, error.start - _BEFORE) : error.start + _AFTER].decode("utf-8", "backslashreplace"),
            hint="convert it first, for example: iconv -f latin1 -t utf-8",
        ) from error
    if text.startswith("\ufeff"):
        raise begins_with_a_mark(where)
    return text


def begins_with_a_mark(where: str | None) -> InputError:
    """What strict JSON says of a byte order mark."""
    return InputError(
        "not JSON: it begins with a byte order mark", path=where, hint="leave out its first three bytes: tail -c +4"
    )


def _around(error: json.JSONDecodeError) -> tuple[str | None, bool]:
    """What stands around an error in its line, and whether the text ends there."""
    start = max(error.doc.rfind("\n", 0, error.pos) + 1, error.pos - _BEFORE)
    text = error.doc[start : error.pos + _AFTER].split("\n", 1)[0].strip()
    ends = error.msg.startswith("Unterminated") or not error.doc[error.pos :].strip()
    return text or None, ends
