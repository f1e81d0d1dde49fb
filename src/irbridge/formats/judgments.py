"""Judgments JSONL, the format that keeps every field of a label (spec/formats.md).

A label's grade is `relevance`, an integer from 0. Where the source had a negative grade, `relevance` is 0 and the field
`grade` has the number; where it had an iteration other than "0", the field `iteration` has its text. Other
implementations carry both along as fields that they do not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from operator import itemgetter
from typing import Annotated, Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.errors import InputError, shown
from irbridge.formats.base import Format, Head
from irbridge.formats.jsonlines import decoder, records_among, single_keyed, written
from irbridge.ids import fault
from irbridge.model import NO_FIELDS, Judgment
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import text_blocks

# The order in which known fields are written.
FIELDS = (
    "query_id", "query", "doc_uri", "chunk_id", "text_sha", "chunk_text", "relevance", "corpus_fingerprint", "labeled_by",
    "labeled_at", "stratum", "notes",
)  # fmt: skip
_KNOWN = frozenset(FIELDS)
_TEXTS = tuple(name for name in FIELDS if name not in {"query_id", "doc_uri", "relevance"})
_GRADE_LIMIT = 2**53
_WHOLE = re.compile(r"([0-9]+)\.0+")
_WRITTEN_ROWS = 1024
#: (lines, their number) -> a label each, or None where each has to be looked at.
_Fast = Callable[[str, int], list[Judgment] | None]
_Careful = Callable[[str], dict[str, Any] | str]
_in_order = itemgetter(*(Judgment._fields.index(name) for name in FIELDS))


class _Refused(Exception):
    """A record that cannot be used: message and way out."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def read(source: Source, reading: Reading) -> Iterator[Judgment]:
    """Labels in file order.

    Raises:
        InputErrors: lines that are no JSON object, or fields that are missing or of the wrong kind.
    """
    fast, careful = _typed(), decoder()
    for first, count, text in text_blocks(source):
        labels = fast(text, count)
        if labels is not None:
            for reading.line, label in enumerate(labels, first):
                reading.rows += 1
                yield label
            continue
        lines = text.split("\n")
        lines.pop()
        yield from _of_lines(records_among(lines, first, reading), fast, careful, reading)
    reading.finish()


def _of_lines(records: Iterable[str], fast: _Fast, careful: _Careful, reading: Reading) -> Iterator[Judgment]:
    """The same of records one by one: where comments, blank lines, unknown fields or faults may be."""
    for line in records:
        plain = fast(line + "\n", 1)
        if plain is not None:
            reading.rows += 1
            yield plain[0]
            continue
        value = careful(line)
        if isinstance(value, str):
            reading.bad_row(
                f"invalid JSON, {value}", line=reading.line, text=line, hint="each line holds one JSON object"
            )
            continue
        try:
            label = _label(value, line, reading)
        except _Refused as refused:
            reading.bad_row(refused.message, line=reading.line, text=line, hint=refused.hint)
            continue
        reading.rows += 1
        yield label


def _typed() -> _Fast:
    """A function that reads faultless lines without unknown fields, one label each, and gives None for all others."""
    import msgspec

    text = Annotated[str, msgspec.Meta(min_length=1)]
    grade = Annotated[int, msgspec.Meta(ge=0, le=_GRADE_LIMIT)]
    names = Judgment._fields[3:-2]
    members: list[Any] = [
        ("query_id", text),
        ("doc_uri", text),
        ("relevance", grade),
        *((name, (text if name == "chunk_id" else str) | None, None) for name in names),
    ]
    decode = msgspec.json.Decoder(msgspec.defstruct("row", members, gc=False)).decode_lines
    added = ("0", NO_FIELDS)
    made: Any = tuple.__new__

    def fast(text: str, lines: int) -> list[Judgment] | None:
        try:
            rows = list(map(msgspec.structs.astuple, decode(text)))
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        # Objects that hold no other stand on a line each if so many line ends stand between two of them.
        if len(rows) != lines or text.count("}\n{") != lines - 1 or "\\u0000" in text or not text.startswith("{"):
            return None
        keys = len(members) * lines - sum([found.count(None) for found in rows])
        if not single_keyed(text, keys):
            return None
        # `_make` without a call for each: so many values as there are fields are certain.
        return list(map(made, repeat(Judgment), [found + added for found in rows]))

    return fast


def _label(value: dict[str, Any], line: str, reading: Reading) -> Judgment:
    relevance = _relevance(value.get("relevance"), line, reading)
    query_id, doc_uri = _required(value, "query_id"), _required(value, "doc_uri")
    texts = [value.get(name) for name in _TEXTS]
    for name, text in zip(_TEXTS, texts, strict=True):
        if text is not None and not isinstance(text, str):
            raise _Refused(f"{name} must be a string", hint="leave the field out where there is nothing to say")
    query, chunk_id, text_sha, chunk_text, fingerprint, labeled_by, labeled_at, stratum, notes = texts
    if chunk_id is not None and (wrong := fault(chunk_id)) is not None:
        raise _Refused(f"chunk_id {wrong}", hint="leave the field out where there is no chunk")
    extra = {name: field for name, field in value.items() if name not in _KNOWN}
    iteration = "0"
    if extra:
        relevance, iteration = _added(relevance, extra)
    return Judgment(
        query_id, doc_uri, relevance, query, chunk_id, text_sha, chunk_text, fingerprint, labeled_by, labeled_at, stratum,
        notes, iteration, extra or NO_FIELDS,
    )  # fmt: skip


def _required(value: dict[str, Any], name: str) -> str:
    found = value.get(name)
    if found is None or found == "":
        other = {"doc_uri": ("doc_id", "docid", "doc"), "query_id": ("qid", "id")}[name]
        near = next((key for key in other if key in value), None)
        raise _Refused(f"missing {name}", hint=f"rename '{near}' to '{name}'" if near else f"every label has a {name}")
    if not isinstance(found, str):
        raise _Refused(f"{name} must be a non-empty string", hint="write it in quotes")
    if (wrong := fault(found)) is not None:
        raise _Refused(f"{name} {wrong}")
    return found


def _relevance(found: object, line: str, reading: Reading) -> int:
    if type(found) is float and (digits := _WHOLE.fullmatch(written(line, "relevance"))) is not None:
        reading.note(
            "integral-grades",
            "{n} {grade written like 1.0 was read as an integer|grades written like 1.0 were read as integers}",
            line=reading.line,
        )
        found = int(digits[1])
    if type(found) is not int or found < 0:
        negative = isinstance(found, int | float) and found < 0
        raise _Refused(
            "relevance must be a non-negative integer",
            hint="a negative grade is written as relevance 0 beside a field grade with the number" if negative else
            "grades are integers from 0 up",
        )  # fmt: skip
    if found > _GRADE_LIMIT:
        raise _Refused("relevance is out of range", hint="grades lie within 2**53")
    return found


def _added(relevance: int, extra: dict[str, Any]) -> tuple[int, str]:
    """The grade and iteration that unknown fields tell; what is told is taken out of `extra`.

    They are left there as well where they do not come first, so that the row is written back as it was.
    """
    told: dict[str, Any] = {}
    grade = extra.get("grade")
    if relevance == 0 and type(grade) is int and -_GRADE_LIMIT <= grade < 0:
        told["grade"] = grade
    iteration = extra.get("iteration")
    if isinstance(iteration, str) and iteration not in {"", "0"}:
        told["iteration"] = iteration
    if list(extra)[: len(told)] == list(told):
        for name in told:
            del extra[name]
    return told.get("grade", relevance), told.get("iteration", "0")


def row(label: Judgment) -> dict[str, Any]:
    """A label as the object that is written, fields in order.

    Raises:
        InputError: what can be no id.
    """
    for name, value in (("query_id", label.query_id), ("doc_uri", label.doc_uri), ("chunk_id", label.chunk_id)):
        if value is not None and (wrong := fault(value)) is not None:
            raise InputError(f"{name} {wrong}")
    values = zip(FIELDS, _in_order(label), strict=True)
    found: dict[str, Any] = {name: value for name, value in values if value is not None}
    if label.relevance < 0:
        found["relevance"] = 0
        if label.extra.get("grade") != label.relevance:
            found["grade"] = label.relevance
    if label.iteration != "0" and label.extra.get("iteration") != label.iteration:
        found["iteration"] = label.iteration
    for name, value in label.extra.items():
        found.setdefault(name, value)
    return found


def write(judgments: Iterable[Judgment], stream: BinaryIO) -> int:
    """Labels in their one canonical form; returns the number of rows.

    Raises:
        InputError: what can be no id, or a value that JSON cannot hold.
    """
    import msgspec

    # Of texts and integers alone msgspec makes the same bytes, many times faster; its doubles look different.
    encode = msgspec.json.Encoder().encode
    rows = 0
    pending: list[bytes] = []
    for label in judgments:
        try:
            pending.append(dumps(row(label)).encode() if label.extra else encode(row(label)))
        except (InputError, TypeError, UnicodeEncodeError) as error:
            message = error.message if isinstance(error, InputError) else str(error)
            raise InputError(
                f"query {shown(label.query_id)} document {shown(label.key)} cannot be written: {message}"
            ) from error
        if len(pending) == _WRITTEN_ROWS:
            rows += len(pending)
            stream.write(b"\n".join([*pending, b""]))
            pending.clear()
    stream.write(b"\n".join([*pending, b""]) if pending else b"")
    return rows + len(pending)


_KEY = re.compile(r'(?<!\\)"(\w+)"\s*:')


def sniff(head: Head) -> int:
    """Certain where the first record has all required fields."""
    # The first record may be longer than what sniffing sees: keys are looked for in whatever there is of it.
    text = head.start.decode("utf-8-sig", "replace")
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("//")), "")
    if head.is_dir or not first.lstrip().startswith("{"):
        return 0
    keys = set(_KEY.findall(first))
    if keys & {"_id", "ranking", "chunks", "ordinal"}:
        return 0
    likely = len(keys & {"query_id", "doc_uri", "relevance"})
    return 90 if likely == 3 else 60 if likely == 2 else 0


FORMAT = Format(
    name="judgments",
    shape="file",
    summary="judgments JSONL: one label a line with every field",
    sniff=sniff,
    read_judgments=read,
    write_judgments=write,
    keeps=frozenset({*FIELDS, "iteration"} - {"query_id", "doc_uri", "relevance"}),
    keeps_unknown=True,
    suffix=".jsonl",
    more_suffixes=(".ndjson",),
    required=("query_id", "doc_uri", "relevance"),
    example='{"query_id":"q1","query":"who?","doc_uri":"d1","relevance":1}',
)
