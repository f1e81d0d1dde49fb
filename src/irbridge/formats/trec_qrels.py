"""TREC qrels: `query_id iteration doc_id relevance`, the input of trec_eval (its get_trec_qrels.c)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, BinaryIO

from irbridge.errors import InputError, shown
from irbridge.formats.base import Format, Head
from irbridge.formats.column_writing import NOT_FIRST, checked_id, encoded, written_whole
from irbridge.formats.columns import (
    BLOCK_BYTES,
    INTEGER_LIMIT,
    Columns,
    data_lines,
    fields,
    integer,
    integers,
    is_header,
)
from irbridge.formats.scanning import scan_labels
from irbridge.model import NO_FIELDS, Judgment
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import text_blocks

if TYPE_CHECKING:
    from irbridge.rows import LabelRows

WIDTH = 4
NAMES = "query_id iteration doc_id relevance"
# Not -0.0, which is no grade that anybody gave.
_INTEGRAL = re.compile(r"(-?0*[1-9][0-9]*|0+)\.0*")
_WRITTEN_ROWS = 4096
_HEADER = "{n} {row looks|rows look} like the header of another format; read as a label, as trec_eval does"
_UNSET = [repeat(Judgment._field_defaults[name]) for name in Judgment._fields[3:-2]]


def read(source: Source, reading: Reading) -> Iterator[Judgment]:
    """Labels in file order; `#` lines and blank lines are skipped.

    Raises:
        InputErrors: rows without four columns, or with a grade that is no integer.
        InputError: the file is BEIR qrels.
    """
    _look_for_header(source, reading)
    for first, count, text in text_blocks(source, BLOCK_BYTES):
        numbers: Sequence[int] = range(first, first + count)
        found = _regular(text, count)
        if found is None:
            lines, numbers = data_lines(text, first, reading, note_blank=True)
            found = None if len(lines) == count else _regular("".join(f"{line}\n" for line in lines), len(lines))
            if found is None:
                yield from _careful(lines, numbers, reading)
                continue
        reading.rows += len(found)
        for reading.line, label in zip(numbers, found, strict=True):
            yield label
    reading.finish()


def scan(source: Source, reading: Reading) -> Iterator[LabelRows]:
    """The same as columns.

    Raises:
        Irregular: see `scan_labels`.
    """
    _look_for_header(source, reading)
    return scan_labels(source, reading)


def _look_for_header(source: Source, reading: Reading) -> None:
    """Note a first row that is made of names of columns, `query-id 0 corpus-id 0`: it is a label like any other.

    trec_eval takes it for one as well, and with all judged queries in the mean it lowers every score.
    """
    head = source.head().removeprefix(b"\xef\xbb\xbf")
    for number, line in enumerate(head.split(b"\n"), 1):
        found = fields(line.decode("utf-8", "replace"))
        if found and not line.startswith(b"#"):
            if len(found) == WIDTH and is_header(found) and integer(found[3]) is not None:
                reading.note("header", _HEADER, line=number)
            return


def _regular(text: str, lines: int) -> list[Judgment] | None:
    """The rows of a block if all is as it should be, else None."""
    found = Columns.of(text, WIDTH, lines) if lines else None
    if found is None:
        return None
    grades = integers(found.last, signed=True)
    if grades is None:
        return None
    columns = (found.first, found.middle(2), grades, *_UNSET, found.middle(1), repeat(NO_FIELDS))
    return list(map(Judgment._make, zip(*columns, strict=False)))


def _careful(lines: list[str], numbers: Sequence[int], reading: Reading) -> Iterator[Judgment]:
    for number, line in zip(numbers, lines, strict=True):
        found = fields(line)
        if len(found) != WIDTH:
            _wrong_width(found, line, number, reading)
            continue
        grade = _grade(found, line, number, reading)
        if grade is not None:
            reading.rows += 1
            reading.line = number
            yield Judgment(found[0], found[2], grade, iteration=found[1])


def _wrong_width(found: list[str], row: str, line: int, reading: Reading) -> None:
    if len(found) == 3 and is_header(found):
        # Every row would be wrong in the same way: say it once.
        raise _beir(row, line, reading)
    count = f"{len(found)} column{'' if len(found) == 1 else 's'}"
    if len(found) == 3:
        hint = "3 columns with a header line are beir-qrels, 3 columns without are msmarco-run"
    elif len(found) == 6:
        hint = "6 columns are a run (trec-run)"
    elif len(found) == 5:
        hint = (
            "does an id hold a space? beir-qrels, parquet and judgments can hold such ids; preferences are prefs:FILE"
        )
    elif len(found) > WIDTH:
        hint = "does an id hold a space? beir-qrels, parquet and judgments can hold such ids"
    else:
        hint = f"the columns are {NAMES}"
    reading.bad_row(f"{count} where TREC qrels have 4 ({NAMES})", line=line, text=row, hint=hint)


def _beir(row: str, line: int, reading: Reading) -> InputError:
    return InputError(
        "this is a BEIR qrels file (3 columns under a header), not TREC qrels",
        path=reading.label, line=line, text=row, hint=f"read it as beir-qrels:{shown(reading.label)}",
    )  # fmt: skip


def _grade(found: list[str], row: str, line: int, reading: Reading) -> int | None:
    """The grade of a row, or None after the row was reported."""
    text = found[3]
    grade = integer(text)
    if grade is None and (whole := _INTEGRAL.fullmatch(text)) is not None:
        grade = integer(whole.group(1))
        reading.note(
            "integral-grades",
            "{n} {grade written like 1.0 was read as an integer|grades written like 1.0 were read as integers}",
            line=line,
        )
    if grade is None:
        if is_header(found):
            hint = "remove the header line; TREC qrels have none"
        else:
            hint = "grades are integers such as 0, 1, 2 or -1; trec_eval would cut this one short without a word"
        reading.bad_row(f"grade '{shown(text, 40)}' is not an integer", line=line, text=row, hint=hint)
    elif abs(grade) > INTEGER_LIMIT:
        grade = None
        reading.bad_row(
            f"grade '{shown(text, 40)}' is out of range", line=line, text=row, hint="grades lie within +-2**53"
        )
    return grade


def write(judgments: Iterable[Judgment], stream: BinaryIO) -> int:
    """Labels as rows, keyed by chunk id or else document; returns the number of rows.

    Raises:
        InputError: an id that cannot be a column.
    """
    rows = 0
    pending: list[Judgment] = []
    for label in judgments:
        pending.append(label)
        if len(pending) == _WRITTEN_ROWS:
            stream.write(encoded(_text(pending)))
            rows += len(pending)
            pending = []
    stream.write(encoded(_text(pending)))
    return rows + len(pending)


def _text(labels: list[Judgment]) -> str:
    text = "".join([f"{label.query_id} {label.iteration} {label.key} {label.relevance}\n" for label in labels])
    # Ids without white space leave exactly the separators written here; else one of them may be at fault.
    odd = any(char in text for char in NOT_FIRST)
    if odd or not written_whole(text, 3 * len(labels), len(labels)):
        for label in labels:
            checked_id("query id", label.query_id, NOT_FIRST)
            checked_id("iteration", label.iteration)
            checked_id("document id", label.key)
    return text


def sniff(head: Head) -> int:
    """Certain where every line has four columns and the last is an integer."""
    if head.is_dir or not head.lines or head.lines[0].lstrip().startswith(("{", "[")):
        return 0
    rows = [fields(line) for line in head.lines if not line.startswith("#")]
    if not rows:
        return 0
    regular = sum(len(row) == WIDTH and integer(row[3]) is not None for row in rows)
    if regular == len(rows):
        return 90
    # Not whole, but nothing else: to be read as qrels, so that the error says what is wrong with them.
    akin = sum(len(row) == WIDTH for row in rows)
    return 50 if akin * 2 >= len(rows) else 0


FORMAT = Format(
    name="trec-qrels",
    aliases=("qrels", "qrels_jg"),
    shape="file",
    summary=f"TREC qrels: {NAMES}",
    sniff=sniff,
    read_judgments=read,
    scan_judgments=scan,
    write_judgments=write,
    keeps=frozenset({"iteration"}),
    suffix=".qrels",
)
