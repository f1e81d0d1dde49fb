"""The files of ranx: JSON {query: {document: number}}, read whole (memory follows the file), and its LZ4 layout.

A key that stands twice in a JSON object is refused: parsers keep the last one without a word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.errors import InputError, quoted, shown
from irbridge.formats.base import Head
from irbridge.formats.cells import first_repeat
from irbridge.formats.ranx_lz4 import LZ4_MAGIC, unpacked
from irbridge.ids import fault, faultless
from irbridge.source import Source
from irbridge.textio import whole
from irbridge.wording import misread

_STRING = r'"(?:[^"\\]|\\.)*"'
_START = re.compile(rf"\s*\{{\s*{_STRING}\s*:\s*\{{\s*(?:\}}|{_STRING}\s*:\s*-?(?:\d|NaN|Infinity))")
_NUMBERS = re.compile(rf"{_STRING}\s*:\s*(-?(?:\d[\d.eE+-]*|NaN|Infinity))")

_WHOLE = re.compile(r"-?\d+(?:\.0*)?")


class _Repeating(dict[str, Any]):
    """A JSON object with a key that stands twice."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = _Repeating(found)
    repeating.key = first_repeat(key for key, _ in pairs)
    return repeating


def load(source: Source, *, grades: bool) -> dict[str, Any]:
    """The outer object of a file.

    Args:
        source: the file.
        grades: its numbers are grades, of which nothing may be rounded away; a few that a double cannot be are decimals.

    Raises:
        InputError: not JSON, not an object, or a key that stands twice in one object.
    """
    packed = source.head().startswith(LZ4_MAGIC)
    found = unpacked(whole(source), source, _object) if packed else _parsed(source, _exactly() if grades else None)
    if isinstance(found, dict) and set(found) == {"run", "metadata"} and isinstance(found["run"], dict):
        found = found["run"]  # ranxhub's files carry a description beside the run
    if not isinstance(found, dict):
        raise source.error("is not an object {query: {document: number}}", text=quoted(found))
    if isinstance(found, _Repeating):
        raise _twice(source, f"query {shown(found.key)}")
    for query_id, own in found.items():
        if isinstance(own, _Repeating):
            raise _twice(source, f"document {shown(own.key)} of query {shown(query_id)}")
    return found


def _exactly() -> Callable[[str], Any]:
    """A function from a number with a point or an exponent to what it is: 1e-400 is no 0."""
    from decimal import Decimal

    def exact(text: str) -> Any:
        found, decimal = float(text), Decimal(text)
        return found if found == decimal else decimal

    return exact


def _parsed(source: Source, parse_float: Callable[[str], Any] | None) -> Any:
    data = whole(source)
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_float=parse_float)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise source.error("is not UTF-8 text", line=line) from error
    except json.JSONDecodeError as error:
        raise source.error(
            f"is not JSON: {misread(error, 'column')}",
            line=error.lineno,
            text=error.doc[max(error.pos - 20, 0) : error.pos + 40],
        ) from error
    except (RecursionError, ValueError) as error:
        raise source.error(f"is not JSON that can be used: {error}") from error


def _twice(source: Source, what: str) -> InputError:
    return source.error(f"{what} stands twice in the file", hint="keep one; most JSON readers would take the last")


def numbers(head: Head) -> list[str] | None:
    """The numbers at the start of a file that has this shape, as text; None if it has another shape."""
    text = head.start.decode("utf-8-sig", "replace")
    if len(head.lines) > 1 and head.lines[0].endswith("}") and head.lines[1].startswith("{"):
        return None  # JSON lines whose first field holds an object
    return _NUMBERS.findall(text) if _START.match(text) else None


def all_whole(numbers: Iterable[str]) -> bool:
    """Whether grades could be meant: whole numbers, also written as 1.0."""
    return all(_WHOLE.fullmatch(number) for number in numbers)


def write(queries: Iterable[tuple[str, dict[str, Any]]], stream: BinaryIO) -> int:
    """Write {query: {document: number}} as ranx does, indented by two; one query at a time.

    Returns:
        The number of documents written.

    Raises:
        InputError: a query twice, what can be no id, or a number that JSON has no form for.
    """
    seen: set[str] = set()
    rows = 0
    for query_id, own in queries:
        if query_id in seen:
            raise InputError(f"query {shown(query_id)} has two rankings", hint="keep one of them")
        stream.write(b"{\n" if not seen else b",\n")
        seen.add(query_id)
        for own_id in () if faultless([query_id, *own]) else (query_id, *own):
            if (wrong := fault(own_id)) is not None:
                raise InputError(f"query {shown(query_id)}: the id {quoted(own_id)} {wrong}")
        rows += len(own)
        stream.write(f"  {dumps(query_id)}: {_indented(query_id, own)}".encode())
    stream.write(b"\n}\n" if seen else b"{}\n")
    return rows


def _indented(query_id: str, own: dict[str, Any]) -> str:
    if not own:
        return "{}"
    try:
        # The separators indent: the C encoder knows no indentation.
        text = json.dumps(own, ensure_ascii=False, separators=(",\n    ", ": "), allow_nan=False)
        text.encode("utf-8")
    except ValueError as error:
        raise InputError(f"query {shown(query_id)} cannot be written as JSON: {error}") from error
    return f"{{\n    {text[1:-1]}\n  }}"
