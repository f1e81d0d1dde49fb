"""JSON that can be read in one way only: no key twice at any depth, no NaN, no comment, no comma too many.

A whole number is an integer however it is written: 1.0 is 1, as in canonical JSON and in JSON Schema.
"""

from __future__ import annotations

import json
from typing import Any

from irbridge.arguments import doubled
from irbridge.errors import InputError, quoted

_EXACT = 2**53


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
            raise InputError(f"the key {quoted(twice, 40)} stands twice in one object", path=where)
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
        text = data.decode() if isinstance(data, bytes) else data
        found = json.loads(text, object_pairs_hook=once, parse_constant=refuse, parse_float=number, parse_int=whole)
        if "\\u" in text or isinstance(data, str):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: {error.reason} at byte {error.start}", path=where) from error
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", path=where, line=error.lineno) from error
    except UnicodeEncodeError as error:
        raise InputError("half a surrogate pair is no text", path=where) from error
    except RecursionError as error:
        raise InputError("nested too deep", path=where) from error
    return found
