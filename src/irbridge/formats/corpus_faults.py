"""Where in a corpus object a fault stands: a second, slow look at what is refused anyway.

The array is walked one chunk after the other, so that the fault gets its place in it; a fault outside gets its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from irbridge.errors import InputError
from irbridge.formats.jsonlines import decoder, explained, fault
from irbridge.source import Source
from irbridge.wording import misread

_WHITE = re.compile(r"[ \t\r\n]*")
_SHOWN = 200
_value = json.JSONDecoder().raw_decode


class Place(NamedTuple):
    """A fault in the array.

    Attributes:
        which: `chunks[3]`, or what comes after it.
        start: the character at which that begins.
        why: what is wrong; None where the walk was ended and nothing is.
        at: the character at which it was noticed.
    """

    which: str
    start: int
    why: str | None
    at: int


def misplaced(text: str, source: Source, hint: str) -> InputError | None:
    """The error of a text that is no strict JSON; None where it is.

    Args:
        text: the whole file.
        source: the file.
        hint: the way out.
    """
    found = _walked(text)
    if found is not None and found.why is not None:
        where = f"{found.which}: invalid JSON, {found.why}"
        excerpt = text[found.start : found.start + _SHOWN]
        return source.error(where, line=_line(text, found.at), text=excerpt, hint=hint)
    wrong = fault(text)
    if isinstance(wrong, json.JSONDecodeError):
        line, excerpt = _line(text, wrong.pos), text[max(0, wrong.pos - 20) : wrong.pos + 40]
        return source.error(f"invalid JSON, {misread(wrong)}", line=line, text=excerpt or None, hint=hint)
    reason = explained(text) or decoder()(text)
    if not isinstance(reason, str) or reason.startswith("an object"):
        return None
    return source.error(f"invalid JSON, {reason}", hint=hint)


def placed(error: InputError, data: bytes) -> InputError:
    """The error of a file whose bytes are no text, with the chunk that holds the first such byte."""
    cause = error.__cause__
    at = cause.start if isinstance(cause, UnicodeDecodeError) else data.find(b"\0")
    if at < 0:
        return error
    # Where it is in a string, what it is replaced by is a character of that too.
    text = data.replace(b"\0", b"\x7f").decode("utf-8", "replace")
    until = len(data[:at].decode("utf-8", "replace"))
    found = _walked(text, until)
    if found is None or found.at < until:  # another fault before it, behind which chunks cannot be counted
        return error
    return InputError(
        f"{found.which}: {error.message}", path=error.path, line=error.line, text=error.text, hint=error.hint
    )


class Lines:
    """The lines at which chunks begin, those of a text that is strict JSON; asked for in rising order.

    Args:
        text: the whole file.
        chunks: the text of each chunk.
    """

    def __init__(self, text: str, chunks: Sequence[str]) -> None:
        self._text, self._chunks = text, chunks
        start = _array(text)
        self._place, self._at, self._counted, self._line = 0, start or 0, 0, 1
        self._many = start is not None and "\n" in text.rstrip()

    def of(self, place: int) -> int | None:
        """The line of a chunk by its place in the array; None where all of the text is one line, or nobody can tell."""
        if not self._many:
            return None
        for chunk in self._chunks[self._place : place]:
            self._at = _skipped(self._text, _skipped(self._text, self._at + len(chunk)) + 1)  # behind the comma
        self._line += self._text.count("\n", self._counted, self._at)
        self._place, self._counted = place, self._at
        return self._line


def _line(text: str, at: int) -> int | None:
    """The line of a character; None where all of the text is one line."""
    return text.count("\n", 0, at) + 1 if "\n" in text.rstrip() else None


def _walked(text: str, until: int | None = None) -> Place | None:
    """The first fault among the chunks, or the chunk that holds the character `until`; None where there is none."""
    start = _array(text)
    if start is None or text[start : start + 1] == "]":
        return None
    strict, number = decoder(), 0
    while True:
        which = f"chunks[{number}]"
        try:
            _, end = _value(text, start)
        except json.JSONDecodeError as error:
            return Place(which, start, misread(error), error.pos)
        except RecursionError:
            return Place(which, start, "it is nested too deeply", start)
        except ValueError as error:  # an integer of thousands of digits
            return Place(which, start, str(error), start)
        if until is not None and until < end:
            return Place(which, start, None, until)
        reason = None if until is not None else strict(text[start:end])
        if isinstance(reason, str) and not reason.startswith("an object"):
            return Place(which, start, reason, start)
        after = _skipped(text, end)
        if text[after : after + 1] == "]":
            return None
        if text[after : after + 1] != ",":
            wrong = json.JSONDecodeError("Expecting ',' delimiter", text, after)
            return Place(f"after {which}", start, misread(wrong), after)
        start, number = _skipped(text, after + 1), number + 1


def _array(text: str) -> int | None:
    """Where the first chunk begins, or the array ends; None where no array is found."""
    at = _skipped(text, 0)
    try:
        while text[at : at + 1] in ("{", ","):
            name, at = _value(text, _skipped(text, at + 1))
            at = _skipped(text, at)
            if text[at : at + 1] != ":":
                return None
            at = _skipped(text, at + 1)
            if name == "chunks":
                return _skipped(text, at + 1) if text[at : at + 1] == "[" else None
            at = _skipped(text, _value(text, at)[1])
    except (ValueError, RecursionError):
        return None
    return None


def _skipped(text: str, at: int) -> int:
    """The next character that is no white space."""
    found = _WHITE.match(text, at)
    return at if found is None else found.end()
