r"""BEIR qrels: `query-id<TAB>corpus-id<TAB>score`, a header line first.

Ids are whatever stands between the tabs, spaces included. BEIR's own loader reads the file as CSV, so a row whose fields
are quoted in full, as CSV does it, loses its quotes here too (noted); any other quote belongs to the id it stands in.

The header may name its columns as other tools do (`query_id`, `docid`, `relevance`, in any letter case and order); what
stands in further columns is kept under their names. Without a header the three columns are taken in this order, and a
note says that BEIR's own loader would lose the first row.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from irbridge.errors import shown
from irbridge.formats.base import Format, Head
from irbridge.formats.beirlines import QRELS_HEADER, qrels_row
from irbridge.formats.columns import integer
from irbridge.model import NO_FIELDS, Judgment
from irbridge.qrels import GRADE_LIMIT
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import lines

# Column names in the wild, folded by `_fold`; where a header has several of one kind, the first of these counts.
_QUERY = ("query-id", "queryid", "qid", "q-id", "topic-id", "query", "topic")
_DOCUMENT = (
    "corpus-id",
    "corpusid",
    "doc-id",
    "docid",
    "document-id",
    "docno",
    "did",
    "passage-id",
    "pid",
    "document",
    "doc",
)
_GRADE = ("score", "relevance", "rel", "label", "grade", "judgment", "judgement", "qrel")
# Further columns that a label has a place for.
_FIELDS = frozenset({"query", "iteration", "stratum", "notes"})

# BEIR's own loader converts by `int`, which takes +1 too; also 1_0 and the digits of other scripts, which nobody writes.
_INTEGER = re.compile(r"[+-]?[0-9]+")
_WHOLE = re.compile(r"([+-]?0*[1-9][0-9]*|\+?0+)\.0*")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_HEADER_HINT = "the first line should be query-id<TAB>corpus-id<TAB>score"


@dataclass(frozen=True)
class _Columns:
    """Where the three values of a row stand, and the names of its further columns by position."""

    query: int = 0
    document: int = 1
    grade: int = 2
    fields: tuple[tuple[int, str], ...] = ()
    unknown: tuple[tuple[int, str], ...] = ()
    count: int = 3


def _fold(name: str) -> str:
    return name.strip().strip('"').lower().replace("_", "-").replace(" ", "-")


def _header(cells: Sequence[str]) -> _Columns | None:
    """The columns that `cells` name, or None if they are no header."""
    folded = [_fold(cell) for cell in cells]
    places: list[int] = []
    for names in (_QUERY, _DOCUMENT, _GRADE):
        name = next((name for name in names if name in folded), None)
        if name is None:
            return None
        places.append(folded.index(name))
    further = [(position, cells[position].strip()) for position in range(len(cells)) if position not in places]
    query, document, grade = places
    return _Columns(
        query,
        document,
        grade,
        fields=tuple(column for column in further if column[1] in _FIELDS),
        unknown=tuple(column for column in further if column[1] not in _FIELDS),
        count=len(cells),
    )


def _cells(line: str) -> tuple[list[str], bool | None]:
    """The cells of a row, and whether CSV quotes were taken off (None: there are quotes that BEIR would misread)."""
    plain = line.split("\t")
    if '"' not in line or not any(cell.startswith('"') for cell in plain):
        return plain, False
    try:
        return next(csv.reader([line], delimiter="\t", strict=True)), True
    except csv.Error:
        return plain, None


def _is_trec(line: str) -> bool:
    cells = line.split()
    return len(cells) == 4 and _INTEGER.fullmatch(cells[3]) is not None


def read_judgments(source: Source, reading: Reading) -> Iterator[Judgment]:
    """The labels of a qrels TSV, in file order.

    Raises:
        InputErrors: rows with other than the header's columns, an empty id, or a grade that is no whole number.
        InputError: the file is TREC qrels, or its first line is neither a header nor a row.
    """
    columns: _Columns | None = None
    for number, line in lines(source):
        if not line or line.isspace():
            continue
        if line.startswith("#") and line.count("\t") < 2:
            reading.note("comments", "{n} comment {line|lines} skipped", line=number)
            continue
        cells, unquoted = _cells(line)
        if columns is None:
            columns = _header(cells)
            if columns is not None:
                continue
            columns = _headless(source, reading, number, line, cells)
        reading.rows += 1
        label = _label(reading, number, line, cells, columns)
        if label is None:
            continue
        if unquoted is not False:
            _note_quotes(reading, number, well_formed=unquoted is True)
        reading.line = number
        yield label
    reading.finish()


def _headless(source: Source, reading: Reading, number: int, line: str, cells: list[str]) -> _Columns:
    """The columns of a file without a header.

    Raises:
        InputError: the line is no row of BEIR qrels either.
    """
    if len(cells) == 3 and _NUMBER.fullmatch(cells[2].strip()):
        reading.note(
            "headerless",
            "there is no header line; BEIR's own loader would take the first row for one and lose it",
            line=number,
        )
        return _Columns()
    if _is_trec(line):
        raise source.error(
            "these are TREC qrels (4 columns), not BEIR qrels", line=number, text=line, hint=f"trec-qrels:{source.path}"
        )
    raise source.error("neither a header of BEIR qrels nor a row", line=number, text=line, hint=_HEADER_HINT)


def _label(reading: Reading, number: int, line: str, cells: list[str], columns: _Columns) -> Judgment | None:
    """The row as a label, or None after it was reported."""
    if len(cells) != columns.count:
        if len(cells) == 1:
            message, hint = (
                "no tabs in it; the columns of BEIR qrels are separated by tabs",
                "are these TREC qrels? name them trec-qrels:PATH",
            )
        else:
            message, hint = (
                f"{len(cells)} columns, {columns.count} are needed",
                "query id, document id, grade, separated by tabs",
            )
        reading.bad_row(message, line=number, text=line, hint=hint)
        return None
    query_id, doc_id = cells[columns.query], cells[columns.document]
    if not query_id or not doc_id:
        reading.bad_row(f"the {'document' if query_id else 'query'} id is empty", line=number, text=line)
        return None
    grade = _grade(reading, number, line, cells[columns.grade])
    if grade is None:
        return None
    if columns.count == 3:
        return Judgment(query_id, doc_id, grade)
    extra = {name: cells[position] for position, name in columns.unknown}
    fields: dict[str, Any] = {name: cells[position] for position, name in columns.fields if cells[position]}
    return Judgment(query_id, doc_id, grade, extra=extra or NO_FIELDS, **fields)


def _grade(reading: Reading, number: int, line: str, cell: str) -> int | None:
    text = cell.strip(" ")
    whole = _WHOLE.fullmatch(text)
    digits = text if whole is None else whole[1]
    if _INTEGER.fullmatch(digits) is not None:
        grade = integer(digits.removeprefix("+"))
        if grade is not None and abs(grade) <= GRADE_LIMIT:
            if whole is not None:
                what = "{n} {grade|grades} such as 1.0 {is|are} read as {a whole number|whole numbers}"
                reading.note("whole-grades", what, line=number)
            return grade
        fault, hint = f"{shown(text, 40)} is out of range", "grades lie within +-2**53"
    elif _NUMBER.fullmatch(text):
        fault = f"{shown(text, 40)} is not a whole number"
        hint = "decide which grade it stands for and map it first; is this a run?"
    else:
        fault, hint = "is not a number", "query id, document id, grade, separated by tabs"
    reading.bad_row(f"the grade {fault}", line=number, text=line, hint=hint)
    return None


def _note_quotes(reading: Reading, number: int, *, well_formed: bool) -> None:
    if well_formed:
        reading.note(
            "csv-quotes",
            "{n} {row has|rows have} ids in CSV quotes, which were taken off as BEIR's own loader does",
            line=number,
        )
    else:
        reading.note(
            "stray-quotes",
            "{n} {row has|rows have} a quote at the start of an id, where BEIR's own loader misreads {it|them}",
            line=number,
        )


def write_judgments(labels: Iterable[Judgment], stream: BinaryIO) -> int:
    """Write a qrels TSV with its header; a label's document is its `key`. Returns the number of rows.

    Raises:
        InputError: an id that is empty or holds a tab or a line end.
    """
    stream.write(QRELS_HEADER)
    rows = 0
    for label in labels:
        stream.write(qrels_row(label))
        rows += 1
    return rows


def _sniff(head: Head) -> int:
    if head.is_dir or not head.lines:
        return 0
    rows = [line for line in head.lines if not (line.startswith("#") and line.count("\t") < 2)]
    if not rows:
        return 0
    if _header(_cells(rows[0])[0]) is not None:
        return 95
    cells = [_cells(row)[0] for row in rows]
    # Three columns without a header may be an MS MARCO run as well; as judgments nothing else looks like this.
    return 40 if all(len(row) == 3 and _NUMBER.fullmatch(row[2].strip()) for row in cells) else 0


FORMAT = Format(
    name="beir-qrels",
    shape="file",
    summary="BEIR qrels TSV: query-id, corpus-id, score, with a header",
    sniff=_sniff,
    read_judgments=read_judgments,
    write_judgments=write_judgments,
    suffix=".tsv",
)
