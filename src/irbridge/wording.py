"""How things are put into words, everywhere alike: one thing is named in the singular, and bytes that are no text escaped."""

from __future__ import annotations

import re
from typing import Any

_CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """`1 label`, `2 labels`."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def worded(text: str, number: int) -> str:
    """`text` about `number` things: `{n}` is the number, `{query|queries}` the word for one or for several."""
    chosen = _CHOICE.sub(lambda found: found.group(1 if number == 1 else 2), text)
    return chosen.replace("{n}", f"{number:,}")


def sayable(value: Any) -> Any:
    r"""A JSON value whose texts UTF-8 can hold: a path need not be text, and such a byte of it is told as `\xe9`."""
    if isinstance(value, str):
        if value.isascii():
            return value
        try:
            return value.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        except UnicodeEncodeError:  # half of a pair, which stands for no byte
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {sayable(key): sayable(each) for key, each in value.items()}
    return [sayable(each) for each in value] if isinstance(value, list | tuple) else value
