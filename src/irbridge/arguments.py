"""What a caller hands over, as a value or as text: taken for exactly what it is, or refused.

Numbers in text are of ASCII digits. Python's own conversions also take `1_0` and the digits of every other script, which
no other tool here reads so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

from irbridge.errors import UsageError, quoted, shown

T = TypeVar("T", bound=Hashable)

#: Levels and depths beyond this mean nothing that a double can tell apart.
LARGEST = 2**53
#: A decimal number, as a pattern.
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_WHOLE = r"[+-]?[0-9]+"


def doubled(names: Iterable[T]) -> T | None:
    """The first of `names` that stands among them more than once; None where there is none."""
    counts = Counter(names)  # keeps the order of the first times
    return next((name for name, count in counts.items() if count > 1), None)


def whole_number(text: str) -> int:
    """The integer that `text` is; spaces around it do not matter.

    Raises:
        ValueError: it is none.
    """
    stripped = text.strip(" ")
    if re.fullmatch(_WHOLE, stripped) is None:
        raise ValueError(f"{quoted(text, 40)} is no whole number")
    return int(stripped)


def number(text: str) -> int | float:
    """An integer where `text` is written as one, else a float; spaces around it do not matter.

    Raises:
        ValueError: it is neither.
    """
    stripped = text.strip(" ")
    if re.fullmatch(NUMBER, stripped) is None:
        raise ValueError(f"{quoted(text, 40)} is no number")
    return int(stripped) if re.fullmatch(_WHOLE, stripped) is not None else float(stripped)


def flag(name: str, value: object) -> bool:
    """`value`, if it is True or False; any other value has a truth of its own that was not meant ("no" is true).

    Raises:
        UsageError: it is neither.
    """
    if value is True or value is False:
        return bool(value)
    raise UsageError(f"{name} is True or False, not {quoted(value, 40)}")


def whole(name: str, value: object) -> int:
    """`value`, if it is an int from 1 to 2**53.

    Raises:
        UsageError: it is not.
    """
    if type(value) is int and 1 <= value <= LARGEST:
        return value
    raise UsageError(f"{name} must be a whole number from 1 to 2**53, not {shown(value, 40)}")


def text_or_none(name: str, value: object) -> str | None:
    """`value`, if it is text or None.

    Raises:
        UsageError: it is neither.
    """
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"{name} is a name, not {quoted(value, 40)}")
