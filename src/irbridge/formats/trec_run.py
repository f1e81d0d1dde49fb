"""TREC runs: `query_id Q0 doc_id rank score tag`, the input of trec_eval (its get_trec_results.c)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, BinaryIO

from irbridge.errors import InputError, shown
from irbridge.formats.base import Format, Head
from irbridge.formats.column_writing import NOT_FIRST, checked_id, encoded, number_text, written_whole
from irbridge.formats.columns import (
    BLOCK_BYTES,
    INTEGER_LIMIT,
    Columns,
    Piece,
    Rows,
    data_lines,
    fields,
    integer,
    integers,
    is_header,
    number,
    numbers,
    rankings,
    starts,
)
from irbridge.formats.scanning import scan as scanned
from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import text_blocks
from irbridge.written import Written, texts_of

if TYPE_CHECKING:
    from irbridge.rows import RunRows

WIDTH = 6
NAMES = "query_id Q0 doc_id rank score tag"
DEFAULT_TAG = "irbridge"
# Rank columns nearly always count: comparing a thousand texts costs a tenth of converting them.
_COUNTED = [str(rank) for rank in range(1001)]


def read(source: Source, reading: Reading) -> Iterator[Ranking]:
    """Rankings in file order; `#` lines and blank lines are skipped.

    Raises:
        InputErrors: rows without six columns, or with a score that is no finite decimal number.
    """
    yield from rankings(_pieces(source, reading), reading)
    reading.finish()


def scan(source: Source, reading: Reading) -> Iterator[RunRows]:
    """The same rows as columns, for scoring: many times faster than one record for each."""
    return scanned(source, reading, WIDTH, careful)


def _pieces(source: Source, reading: Reading) -> Iterator[Piece]:
    for first, count, text in text_blocks(source, BLOCK_BYTES):
        lines: list[str] = []
        at: Sequence[int] = range(first, first + count)
        found = _regular(text, at)
        if found is None:
            lines, at = data_lines(text, first, reading)
            found = None if len(lines) == count else _regular("".join(f"{line}\n" for line in lines), at)
        yield from _rows(lines, at, reading).pieces() if found is None else found


def _regular(text: str, at: Sequence[int]) -> list[Piece] | None:
    """The rows of a block if all is as it should be, else None."""
    found = Columns.of(text, WIDTH, len(at)) if at else None
    if found is None:
        return None
    tag, texts = found.last[0], found.middle(4)
    scores = numbers(texts)
    if found.last.count(tag) != len(at) or scores is None:
        return None
    rank_texts, doc_ids, query_ids = found.middle(3), found.middle(2), found.first
    edges = [*starts(query_ids), len(query_ids)]
    pieces: list[Piece] = []
    for start, end in pairwise(edges):
        ranks = _ranks(rank_texts[start:end])
        if ranks is None:
            return None
        own = Written(scores[start:end], texts[start:end])
        pieces.append(Piece(at[start], query_ids[start], doc_ids[start:end], ranks, own, tag))
    return pieces


def _ranks(texts: list[str]) -> Sequence[int] | None:
    """A rank column, if all of it are integers; a plain count is recognised without looking at each."""
    start = integer(texts[0])
    if start is not None and 0 <= start <= len(_COUNTED) and texts == _COUNTED[start : start + len(texts)]:
        return range(start, start + len(texts))
    return integers(texts, signed=False)


def careful(text: str, first: int, reading: Reading) -> Rows:
    """The rows of a block, taken apart line by line; what cannot be used is reported.

    Args:
        text: whole lines, each ended by LF.
        first: the number of the first one.
        reading: gets problems and notes.
    """
    return _rows(*data_lines(text, first, reading), reading)


def _rows(lines: list[str], at: Sequence[int], reading: Reading) -> Rows:
    scores = Written([], [])
    tags: list[str] = []
    rows = Rows([], [], [], [], scores, tags)
    for line, row in zip(at, lines, strict=True):
        found = fields(row)
        score = _score(found, row, line, reading)
        if score is not None:
            rank = integer(found[3])
            rows.lines.append(line)
            rows.query_ids.append(found[0])
            rows.doc_ids.append(found[2])
            rows.ranks.append(rank if rank is not None and abs(rank) <= INTEGER_LIMIT else None)
            scores.append(score)
            scores.texts.append(found[4])
            tags.append(" ".join(found[5:]))
    return rows


def _has_columns(found: list[str], row: str, line: int, reading: Reading) -> bool:
    """Whether a row has its six columns; it is reported if not."""
    message = f"{len(found)} column{'' if len(found) == 1 else 's'} where a TREC run has 6 ({NAMES})"
    if len(found) > WIDTH and integer(found[3]) is None:
        hint = "does an id hold a space? run (JSON lines), beir-qrels and parquet can hold such ids"
    elif len(found) >= WIDTH:
        if len(found) > WIDTH:
            text = "{n} {row|rows} with more than 6 columns: what follows the score was read as the tag"
            reading.note("wide-tags", text, line=line)
        return True
    else:
        hint = {
            5: "the last column, the run's tag, may be missing; give every row one",
            4: "these may be qrels (trec-qrels)",
            3: "a file of query, document and rank is msmarco-run",
        }.get(len(found), f"the columns are {NAMES}")
    reading.bad_row(message, line=line, text=row, hint=hint)
    return False


def _score(found: list[str], row: str, line: int, reading: Reading) -> float | None:
    """The score of a row, or None after the row was reported."""
    if not _has_columns(found, row, line, reading):
        return None
    text = found[4]
    score = number(text)
    infinite = score is not None and math.isinf(score)
    named = infinite and "n" in text.lower()  # "inf", not a number beyond the range
    if score is None:
        fault, hint = "not a number", "scores are decimal numbers like 12.5 or 1.25e1"
        if is_header(found):
            hint = "remove the header line; TREC runs have none"
        elif "," in text:
            hint = "write a decimal point"
    elif math.isnan(score):
        fault = "not a number"
        hint = "trec_eval would place it by its id; give it a score, or leave such rows out with --drop-bad-rows"
    elif named and not reading.allow_infinite:
        fault, hint = "infinite", "write a finite score, or allow infinite ones with --allow-infinite"
    elif infinite and not named:
        fault, hint = "too large for a double", "write a finite score"
    else:
        return score
    reading.bad_row(f"score '{shown(text, 40)}' is {fault}", line=line, text=row, hint=hint)
    return None


def write(run: Iterable[Ranking], stream: BinaryIO) -> int:
    """Rankings as rows, ranks from 1; returns the number of rows. An empty ranking has no row.

    Rankings are written in the order they have, scores that a TREC run was read with in its digits. One without scores gets strictly falling ones, n down to 1; one without
    a tag gets "irbridge".

    Raises:
        InputError: an id that cannot be a column, or a NaN score.
    """
    rows = 0
    for ranking in run:
        count = len(ranking.doc_ids)
        if not count:
            continue
        tag = " ".join(fields((ranking.tag or "").replace("\n", " "))) or DEFAULT_TAG
        try:
            stream.write(encoded(_text(ranking, tag)))
        except InputError as error:
            error.message = f"query {shown(ranking.query_id)}: {error.message}"
            raise
        rows += count
    return rows


def _text(ranking: Ranking, tag: str) -> str:
    count = len(ranking.doc_ids)
    query_id = checked_id("query id", ranking.query_id, NOT_FIRST)
    if ranking.scores is None:
        scores = [str(score) for score in range(count, 0, -1)]
    else:
        scores = texts_of(ranking.scores) or [
            repr(score) if type(score) is float else number_text(score) for score in ranking.scores
        ]
        if "nan" in scores:
            number_text(math.nan)
    end = f" {tag}\n"
    text = "".join(
        f"{query_id} Q0 {doc_id} {rank} {score}{end}"
        for rank, doc_id, score in zip(range(1, count + 1), ranking.doc_ids, scores, strict=True)
    )
    # Ids without white space leave exactly the separators written here; else one of them is at fault.
    if not written_whole(text, count * (4 + end.count(" ")), count):
        for doc_id in ranking.doc_ids:
            checked_id("document id", doc_id)
    return text


def sniff(head: Head) -> int:
    """Certain where every line has six columns with an integer rank and a score."""
    if head.is_dir or not head.lines or head.lines[0].lstrip().startswith(("{", "[")):
        return 0
    rows = [fields(line) for line in head.lines if not line.startswith("#")]
    if not rows:
        return 0
    regular = sum(len(row) >= WIDTH and integer(row[3]) is not None and number(row[4]) is not None for row in rows)
    if regular == len(rows):
        return 90
    # Not whole, but nothing else: to be read as a run, so that the error says what is wrong with it.
    akin = sum(len(row) in {5, 6} and row[1].upper() == "Q0" for row in rows)
    return 50 if max(regular, akin) * 2 >= len(rows) else 0


FORMAT = Format(
    name="trec-run",
    shape="file",
    summary=f"TREC run: {NAMES}",
    sniff=sniff,
    read_run=read,
    scan_run=scan,
    write_run=write,
    keeps=frozenset({"scores", "digits", "tag"}),
    suffix=".run",
    more_suffixes=(".trec",),
)
