"""Preferences as trec_eval reads them: levels that order the documents of one judgment group (get_prefs.c, get_qrels_prefs.c).

A level is no grade: a user who put a document at 3 and another one at 2 said which is better, and nothing about others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from irbridge.errors import shown
from irbridge.formats.column_writing import NOT_FIRST, checked_id, encoded, number_text
from irbridge.formats.columns import BLOCK_BYTES, INTEGER_LIMIT, data_lines, fields, is_header, number
from irbridge.model import Judgment
from irbridge.qrels import LEVEL, SUBGROUP, level_of
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import text_blocks

ONE_SUBGROUP = "0"


def read(source: Source, reading: Reading, names: str) -> Iterator[Judgment]:
    """Preferences in file order; `#` lines and blank lines are skipped.

    Args:
        source: a file.
        reading: for what is noticed.
        names: its columns; the last is the level, the one before it the document; the third may be the subgroup.

    Raises:
        InputErrors: rows with other columns, or with a level that is no finite number.
    """
    width = len(names.split())
    for first, _, text in text_blocks(source, BLOCK_BYTES):
        for line, row in zip(*reversed(data_lines(text, first, reading, note_blank=True)), strict=True):
            found = fields(row)
            if len(found) != width:
                count = f"{len(found)} column{'' if len(found) == 1 else 's'}"
                reading.bad_row(f"{count} where there are {width} ({names})", line=line, text=row, hint=_hint(found))
                continue
            level = number(found[-1])
            if level is None or not abs(level) <= INTEGER_LIMIT:
                hint = "levels are numbers within +-2**53, 0 for a document that is not relevant"
                hint = "remove the header line" if is_header(found) else hint
                reading.bad_row(f"'{shown(found[-1], 40)}' is no level", line=line, text=row, hint=hint)
                continue
            reading.rows += 1
            reading.line = line
            subgroup = found[2] if width == 5 else ONE_SUBGROUP
            yield _label(found, level, subgroup)
    reading.finish()


def _hint(found: list[str]) -> str:
    if len(found) == 6:
        return "6 columns are a run (trec-run)"
    return "4 columns are qrels-prefs: or trec-qrels; 5 columns are prefs"


def _label(found: list[str], level: float, subgroup: str) -> Judgment:
    whole = math.ceil(level)
    extra: Mapping[str, Any] = {SUBGROUP: subgroup} if whole == level else {SUBGROUP: subgroup, LEVEL: level}
    return Judgment(found[0], found[-2], whole, iteration=found[1], extra=extra)


def write(judgments: Iterable[Judgment], stream: BinaryIO) -> int:
    """Labels as rows with a subgroup, keyed by chunk id or else document; returns the number of rows.

    Raises:
        InputError: an id that cannot be a column.
    """
    rows = 0
    for label in judgments:
        columns = (
            checked_id("query id", label.query_id, NOT_FIRST),
            checked_id("iteration", label.iteration),
            checked_id("subgroup", str(label.extra.get(SUBGROUP, ONE_SUBGROUP))),
            checked_id("document id", label.key),
            number_text(level_of(label)),
        )
        stream.write(encoded(" ".join(columns) + "\n"))
        rows += 1
    return rows
