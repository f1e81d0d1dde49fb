"""How things are put into words, everywhere alike: one thing is named in the singular, and bytes that are no text escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from irbridge.errors import shown

if TYPE_CHECKING:
    from json import JSONDecodeError

_CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def counted(number: int, thing: str, things: str | None = None) -> str:
    """`1 label`, `2 labels`."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def some(ids: Sequence[str], limit: int = 5) -> str:
    """The first few ids in words."""
    return ", ".join(shown(each, 30) for each in ids[:limit]) + (", ..." if len(ids) > limit else "")


def ending(path: str, limit: int = 60) -> str:
    """A path in words, cut in front where it is long: what tells two files of one folder apart is the end."""
    plain = shown(path, len(path))
    return plain if len(plain) <= limit else f"...{plain[len(plain) - limit + 3 :]}"


def percent(share: float) -> str:
    """A share, 0 to 1, as a whole percentage: one that is neither none nor all does not read as such."""
    whole = round(100 * share)
    return f"{min(max(whole, 1), 99) if 0 < share < 1 else whole}%"


def worded(text: str, number: int) -> str:
    """`text` about `number` things: `{n}` is the number, `{query|queries}` the word for one or for several."""
    chosen = _CHOICE.sub(lambda found: found.group(1 if number == 1 else 2), text)
    return chosen.replace("{n}", f"{number:,}")


def misread(error: JSONDecodeError, place: str = "character") -> str:
    """Why a text is no JSON, and at which character of its line: Python's own words may end in `at`, or may not."""
    said = error.msg.removesuffix(" at")
    return f"{said[:1].lower()}{said[1:]} at {place} {error.colno}"


_ESCAPED = {ord("\\"): "\\\\", ord("'"): "\\'", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}


def shell_word(text: str) -> str:
    r"""`text` as a shell takes it, in characters that can be seen: `runs`, `'two words'`, `$'line\nend'`."""
    import shlex

    if text.isprintable():
        return shlex.quote(text)
    return f"$'{''.join(map(_escaped, text))}'"


def _escaped(char: str) -> str:
    if ord(char) in _ESCAPED:
        return _ESCAPED[ord(char)]
    if char.isprintable():
        return char
    # Octal: what has fewer digits than its form allows would take some of what follows it.
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))


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
