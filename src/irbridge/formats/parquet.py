"""Parquet: a file of labels or of a run, and folders in the layout of the Hugging Face hub that MTEB uses.

Files are read batch by batch. A single file is written with ir_measures' column names (query_id, doc_id, relevance or
score), a folder with MTEB's (query-id, corpus-id, score; _id, title, text). Splits: as `parquet_layout.pick` says; with
`*` each label is marked with `extra["split"]`, and a folder is written back split by split.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from irbridge.errors import UsageError, shown
from irbridge.formats.base import Format, Head, Part
from irbridge.formats.cells import Cells, Ids, UnusableError, place, refuse
from irbridge.formats.grouping import Rows, gathered, neighbours
from irbridge.formats.jsonlines import explained
from irbridge.formats.parquet_files import MAGIC, ParquetFile, Values
from irbridge.formats.parquet_layout import Layout, Picked, pick
from irbridge.formats.parquet_writing import FIELDS, KEPT, write_folder, write_judgments, write_run
from irbridge.formats.tables import (
    DOC_ID,
    QUERY_ID,
    RANK,
    RELEVANCE,
    SCORE,
    JudgmentTable,
    RunTable,
    find,
    json_value,
    needed,
)
from irbridge.model import NO_FIELDS, Document, Judgment, Query, Ranking
from irbridge.reading import ALL_SPLITS, Reading
from irbridge.source import Source

DOCUMENT_ID = ("_id", "id", "doc_id", "docno", "corpus-id")
_QUERY_ID = ("_id", "id", "query_id", "qid", "query-id")
_TEXT = ("text",)
_QUERY_TEXT = ("text", "query")


def _sniff(head: Head) -> int:
    if not head.is_dir:
        return 95 if head.start.startswith(MAGIC) else 0
    if not head.path:
        return 0
    layout = Layout.of(head.path)
    kinds = sum(bool(configs) for configs in (layout.judgments, layout.queries, layout.documents))
    return {0: 0, 1: 60}.get(kinds, 90)


def _picked(source: Source, part: Part, reading: Reading) -> list[Picked]:
    """What to read: the file itself, or the splits of the folder that are wanted."""
    if not source.is_dir:
        return [Picked("", "", [source.path])]
    layout = Layout.of(source.path)
    if part == "judgments":
        return pick(layout.judgments, reading.split, source.label, "judgments")
    if part == "queries":
        return pick(layout.queries, reading.split, source.label, "queries", own="queries")
    return pick(layout.documents, reading.split, source.label, "documents", own="corpus")


def _files(source: Source, picked: Picked, reading: Reading) -> Iterator[ParquetFile]:
    for path in picked.paths:
        found = Source(path) if source.is_dir else source
        reading.label = found.label
        with closing(ParquetFile(found)) as file:
            yield file


def _read_judgments(source: Source, reading: Reading) -> Iterator[Judgment]:
    cells = Cells(reading)
    for picked in _picked(source, "judgments", reading):
        mark = {"split": picked.split} if source.is_dir and reading.split == ALL_SPLITS else NO_FIELDS
        for file in _files(source, picked, reading):
            table = JudgmentTable(file.columns, reading, extra=mark, cells=cells)
            for first_row, values in file.batches(file.columns):
                yield from table.records(values, first_row)
    reading.finish()


def _read_run(source: Source, reading: Reading) -> Iterator[Ranking]:
    if source.is_dir:
        raise UsageError(
            f"{shown(source.label, 200)} is a folder and has no run: that is one file",
            hint="name a parquet file with query_id, doc_id, score",
        )
    with closing(ParquetFile(source)) as file:
        table = RunTable(file.columns, reading)
        found = neighbours(_rows(file, table))
        # Without scores the ranks are the order, and all rows of a query must be there before they can be sorted.
        yield from gathered(found, reading) if table.by_rank else found
    reading.finish()


def _rows(file: ParquetFile, table: RunTable) -> Iterator[Rows]:
    for first_row, values in file.batches(table.wanted):
        yield table.rows(values, first_row)


def _texts(
    source: Source, part: Part, names: tuple[tuple[str, ...], tuple[str, ...]], reading: Reading
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(id, text, other columns) of each row; a text that is null is empty, which is noted."""
    what = "document" if part == "documents" else "query"
    ids = Ids(reading, what)
    for picked in _picked(source, part, reading):
        for file in _files(source, picked, reading):
            if not source.is_dir and _is_table_of_rows(file.columns):
                raise UsageError(f"{shown(source.label, 200)} has no {part}: it holds labels or a run")
            id_column = needed(file.columns, names[0], f"{what} id", reading)
            text_column = needed(file.columns, names[1], f"{what} text", reading)
            others = [name for name in file.columns if name not in {id_column, text_column}]
            for first_row, values in file.batches(file.columns):
                for number, (own_id, text) in enumerate(zip(values[id_column], values[text_column], strict=True)):
                    try:
                        checked = ids.one(own_id)
                    except UnusableError as error:
                        refuse(reading, place(None, None, first_row + number), error)
                        continue
                    if text is None:
                        reading.note(f"textless-{part}", "{n} {row|rows} without a text; it is taken as empty")
                    reading.rows += 1
                    yield checked, "" if text is None else str(text), _fields(values, others, number)
    reading.finish()


def _is_table_of_rows(columns: list[str]) -> bool:
    """Whether these are the columns of labels or of a run."""
    return all(find(columns, names) is not None for names in (QUERY_ID, DOC_ID, (*RELEVANCE, *SCORE, *RANK)))


def _fields(values: Values, names: list[str], number: int) -> dict[str, Any]:
    found = {name: json_value(values[name][number]) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _read_queries(source: Source, reading: Reading) -> Iterator[Query]:
    for query_id, text, fields in _texts(source, "queries", (_QUERY_ID, _QUERY_TEXT), reading):
        yield Query(query_id, text, _unpacked(fields))


def _read_documents(source: Source, reading: Reading) -> Iterator[Document]:
    for doc_id, text, fields in _texts(source, "documents", (DOCUMENT_ID, _TEXT), reading):
        title = fields.pop("title", None)
        yield Document(doc_id, text, None if title is None else str(title), _unpacked(fields))


def _unpacked(fields: dict[str, Any]) -> dict[str, Any]:
    """Further fields are written as one JSON column, since their types may differ from row to row."""
    packed = fields.get(FIELDS)
    if not isinstance(packed, str) or not packed.startswith("{"):
        return fields
    if explained(packed) is not None:
        return fields
    inside = json.loads(packed)
    return {**{name: value for name, value in fields.items() if name != FIELDS}, **inside}


FORMAT = Format(
    name="parquet",
    shape="file",
    has_splits=True,
    summary="parquet: labels or a run in one file, or a folder in MTEB's layout (corpus, queries, default)",
    sniff=_sniff,
    read_judgments=_read_judgments,
    read_run=_read_run,
    read_queries=_read_queries,
    read_documents=_read_documents,
    write_judgments=write_judgments,
    write_run=write_run,
    write_folder=write_folder,
    keeps=frozenset({"iteration", "split", "scores", "tag", *KEPT}),
    suffix=".parquet",
    extra="parquet",
    binary=True,
)
