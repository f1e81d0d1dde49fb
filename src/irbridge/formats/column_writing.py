"""Writing columns: ids that can be one, numbers in their shortest form, and the proof that nothing else got in."""

from __future__ import annotations

import re

from irbridge.errors import InputError, shown
from irbridge.ids import fault

NOT_FIRST = "#\ufeff"  # what a TREC line cannot start with: a comment, a byte order mark

_NO_SPACES = "ids with white space fit beir-qrels, parquet, judgments and run"
_UNFIT = re.compile(r"[ \t\n\v\f\r]")


def number_text(value: float) -> str:
    """The shortest decimal that gives `value` back; an int as it is.

    Raises:
        InputError: NaN.
    """
    if isinstance(value, int):
        return str(int(value))
    text = repr(float(value))
    if text == "nan":
        raise InputError("a score is NaN, which has no rank", hint="give it a number or leave the row out")
    return text


def checked_id(kind: str, value: str, not_first: str = "") -> str:
    """`value`, if it can be a column.

    Args:
        kind: what messages call it ("query id").
        value: the id.
        not_first: characters that mean something else at the start of a line, if the id is to stand there.

    Raises:
        InputError: it is empty, holds white space or NUL, or would read as something else.
    """
    if (wrong := fault(value)) is not None:
        raise InputError(f"a {kind} {wrong}, and cannot be a column", text=value, hint=_NO_SPACES)
    if _UNFIT.search(value) is not None:
        raise InputError(
            f"{kind} '{shown(value)}' holds white space and cannot be a column", text=value, hint=_NO_SPACES
        )
    if value[0] in not_first:
        meaning = "comment" if value[0] == "#" else "byte order mark"
        raise InputError(f"{kind} '{shown(value)}' would be read as a {meaning}", text=value, hint=_NO_SPACES)
    return value


def written_whole(text: str, spaces: int, lines: int) -> bool:
    """Whether `text`, which was put together with so many spaces and line ends, holds no other and no empty column."""
    return (
        text.count(" ") == spaces
        and text.count("\n") == lines
        and "  " not in text
        and " \n" not in text
        and "\n " not in text
        and not text.startswith(" ")
        and not any(char in text for char in "\t\v\f\r\0")
    )


def encoded(text: str) -> bytes:
    """`text` as UTF-8.

    Raises:
        InputError: it holds a lone surrogate.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = text[text.rfind("\n", 0, error.start) + 1 :].split("\n", 1)[0]
        raise InputError("an id holds a lone surrogate, which has no UTF-8 form", text=line) from error
