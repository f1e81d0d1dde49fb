"""Canonical JSON: one way to write a value, so that equal data has equal bytes; and digests of files.

Lines of judgments and runs are compact, keep their field order and leave non-ASCII unescaped (spec/formats.md).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from irbridge.errors import InputError, quoted

_LONG = 1 << 17
# Items of an array that are written together: one alone may have a million bytes, and many small ones are faster.
_TOGETHER = 16
_CONTROLS = re.compile("[\x7f-\x9f]")


def dumps(value: Any) -> str:
    """`value` as compact JSON in the order of its keys; non-ASCII as it is.

    Raises:
        InputError: NaN, an infinity or a lone surrogate, which have no JSON or UTF-8 form.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode("utf-8")
    except ValueError as error:
        raise InputError(f"cannot be written as JSON: {error}", text=quoted(value, 200)) from error
    return text


def escaped(text: str) -> str:
    r"""JSON `text` with DEL and the C1 controls as `\u007f` to `\u009f`: the same value, which a terminal does not obey.

    JSON itself demands that of U+0000 to U+001F only; the canonical form leaves the others as they are.
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def pretty(value: Any) -> str:
    """`value` as indented JSON with sorted keys kept in their order, for files that people read; ends with a newline."""
    text = dumps(value)
    if len(text) < _LONG:
        return escaped(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"
    return _indented(text) + "\n"


def _indented(text: str) -> str:
    import msgspec  # it indents as json does, many times faster; what is short is written before it is loaded

    return escaped(msgspec.json.format(text, indent=2))


def pretty_pieces(value: Any, otherwise: Callable[[Any], Any]) -> Iterator[str]:
    """The text of `pretty` in pieces, of a value that may be too large to be held as one.

    Args:
        value: where it is an object, a member of it that is an iterator stands for an array, made as it is written.
        otherwise: what to write of a value that has no form.

    Raises:
        InputError: as `pretty`; what came before is then no JSON.
    """
    if not isinstance(value, dict) or not any(isinstance(member, Iterator) for member in value.values()):
        yield _said(pretty, value, otherwise)
        return
    before = "{"
    for name, member in value.items():
        for body in _bodies(name, member, otherwise):
            yield before + body
            before = ""
        before = ","
    yield "\n}\n"


def _bodies(name: str, member: Any, otherwise: Callable[[Any], Any]) -> Iterator[str]:
    """A member as it stands in an object: it is written as the only one of an object, whose brackets are taken away."""

    def alone(part: Any) -> str:
        return _indented(_said(dumps, {name: part}, otherwise))

    if not isinstance(member, Iterator):
        yield alone(member)[1 : -len("\n}")]
        return
    opening = alone([])[: -len("]\n}")]
    yield opening[1:]
    between = ""
    while items := list(islice(member, _TOGETHER)):
        yield between + alone(items)[len(opening) : -len("\n  ]\n}")]
        between = ","
    yield "\n  ]" if between else "]"


def _said(write: Callable[[Any], str], value: Any, otherwise: Callable[[Any], Any]) -> str:
    try:
        return write(value)
    except InputError:
        return write(otherwise(value))


def file_sha256(path: str | os.PathLike[str]) -> str:
    """The lower-case hex SHA-256 of a file's bytes."""
    import hashlib  # loads OpenSSL, which takes longer than writing the scores of a small run

    found = hashlib.sha256()
    with open(path, "rb") as stream:
        while part := stream.read(1 << 20):
            found.update(part)
    return found.hexdigest()
