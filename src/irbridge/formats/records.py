"""Iterables of records: namedtuples of ir_measures and ir_datasets, our own, dicts, or objects with such fields.

The names of fields are those of columns in `tables`. A generator is consumed once. Single rows of a run are gathered by
query, so memory follows the run; `Ranking` records stream. Written are lists of `ir_measures.Qrel` or `ScoredDoc`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, repeat
from typing import Any, cast

from irbridge.errors import InputError, MissingDependency, shown
from irbridge.formats import tables
from irbridge.formats.base import Format, Part
from irbridge.formats.cells import Cells, UnusableError, place, placed_scores, refuse
from irbridge.formats.grouping import Rows, gathered, neighbours
from irbridge.formats.tables import JudgmentTable, RunTable
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading

_BATCH = 1000
# What pandas' itertuples puts first.
_ITERTUPLES_INDEX = "Index"
# What is looked for in objects that do not list their fields.
_KNOWN = [
    name
    for names in (
        tables.QUERY_ID, tables.DOC_ID, tables.RELEVANCE, tables.SCORE, tables.RANK, tables.ITERATION, tables.TAG, tables.TEXTS
    )
    for name in names
    if name.isidentifier()
]  # fmt: skip


def _accepts(given: Any, part: Part) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | bytearray | Mapping)


def _fields(item: Any) -> Mapping[str, Any]:
    if isinstance(item, Mapping):
        return item
    if hasattr(item, "_asdict"):
        return {name: value for name, value in item._asdict().items() if name != _ITERTUPLES_INDEX}
    if dataclasses.is_dataclass(item):
        return {entry.name: getattr(item, entry.name) for entry in dataclasses.fields(item)}
    return {name: getattr(item, name) for name in _KNOWN if hasattr(item, name)}


def _batches(items: Iterable[Any], reading: Reading) -> Iterator[tuple[int, list[Any]]]:
    """(number of the first row, rows)."""
    rest = iter(items)
    first = 1
    while batch := list(islice(rest, _BATCH)):
        yield first, batch
        first += len(batch)


def _columns(batch: list[Any], first_row: int, reading: Reading) -> dict[str, list[Any]]:
    kinds = set(map(type, batch))
    if len(kinds) == 1 and issubclass(kind := kinds.pop(), tuple) and hasattr(kind, "_fields"):
        # Namedtuples of one class, the usual case, are turned into columns at once.
        columns = dict(zip(kind._fields, map(list, zip(*batch, strict=True)), strict=True))
        columns.pop(_ITERTUPLES_INDEX, None)
        return columns
    rows: list[Mapping[str, Any]] = []
    names: dict[str, None] = {}
    for number, item in enumerate(batch, first_row):
        fields = _fields(item)
        if not fields:
            raise InputError(
                f"row {number:,}: a {type(item).__name__} is no record",
                path=reading.label,
                text=repr(item),
                hint="records have fields query_id, doc_id and relevance or score: ir_measures.Qrel, dicts, ...",
            )
        rows.append(fields)
        names.update(dict.fromkeys(fields))
    return {name: [row.get(name) for row in rows] for name in names}


def _read_judgments(given: Iterable[Any], reading: Reading) -> Iterator[Judgment]:
    cells = Cells(reading)
    for first_row, batch in _batches(given, reading):
        if all(isinstance(item, Judgment) for item in batch):
            yield from _own_judgments(batch, first_row, cells, reading)
            continue
        columns = _columns(batch, first_row, reading)
        yield from JudgmentTable(list(columns), reading, cells=cells).records(columns, first_row)
    reading.finish()


def _own_judgments(batch: list[Judgment], first_row: int, cells: Cells, reading: Reading) -> Iterator[Judgment]:
    for row, label in enumerate(batch, first_row):
        try:
            fields = cells.query_ids.one(label.query_id), cells.doc_ids.one(label.doc_uri), cells.grade(label.relevance)
        except UnusableError as error:
            refuse(reading, place(label.query_id, label.doc_uri, row), error)
            continue
        reading.rows += 1
        yield label._replace(query_id=fields[0], doc_uri=fields[1], relevance=fields[2])


def _read_run(given: Iterable[Any], reading: Reading) -> Iterator[Ranking]:
    items = iter(given)
    for first in items:
        whole = chain([first], items)
        if isinstance(first, Ranking):
            yield from _own_rankings(whole, reading, once=items is given)
        else:
            found = list(neighbours(_rows(whole, reading)))
            reading.finish()
            yield from gathered(found)
        return


def _rows(items: Iterable[Any], reading: Reading) -> Iterator[Rows]:
    table: RunTable | None = None
    for first_row, batch in _batches(items, reading):
        columns = _columns(batch, first_row, reading)
        table = table or RunTable(list(columns), reading)
        absent = [None] * len(batch)
        yield table.rows({name: columns.get(name, absent) for name in table.wanted}, first_row)


def _own_rankings(items: Iterable[Any], reading: Reading, *, once: bool) -> Iterator[Ranking]:
    cells = Cells(reading)
    seen: set[str] = set()
    for row, ranking in enumerate(items, 1):
        if not isinstance(ranking, Ranking):
            raise InputError(f"row {row:,}: a {type(ranking).__name__} among rankings", path=reading.label)
        found = _checked(ranking, row, cells, reading)
        if found is None:
            continue
        if once and found.query_id in seen:
            raise InputError(
                f"query {shown(found.query_id)} comes back after others, and a generator can be read only once",
                path=reading.label,
                hint="give a list, or one Ranking per query",
            )
        if once:
            seen.add(found.query_id)
        reading.rows += len(found.doc_ids)
        yield found
    reading.finish()


def _checked(ranking: Ranking, row: int, cells: Cells, reading: Reading) -> Ranking | None:
    """The ranking with every value of the right kind, without unusable documents; None where nothing is usable."""
    given_ids, given_scores = _listed(ranking.doc_ids), None if ranking.scores is None else _listed(ranking.scores)
    if given_scores is not None and len(given_scores) != len(given_ids):
        message = f"{len(given_ids):,} documents and {len(given_scores):,} scores"
        reading.bad_row(f"{place(ranking.query_id, row=row)}: {message}")
        return None
    try:
        query_id = cells.query_ids.one(ranking.query_id)
    except UnusableError as error:
        refuse(reading, place(None, row=row), error)
        return None
    doc_ids, scores = cells.doc_ids.clean(given_ids), None if given_scores is None else cells.clean_scores(given_scores)
    if doc_ids is not None and (scores is None) == (given_scores is None):
        cells.doc_ids.admit(given_ids)
        return ranking._replace(query_id=query_id, doc_ids=doc_ids, scores=scores)
    doc_ids, scores = [], None if given_scores is None else []
    for number, doc_id in enumerate(given_ids):
        try:
            score = None if given_scores is None else cells.score(given_scores[number])
            doc_ids.append(cells.doc_ids.one(doc_id))
        except UnusableError as error:
            refuse(reading, place(ranking.query_id, doc_id, row), error)
            continue
        if scores is not None and score is not None:
            scores.append(score)
    kept_all = len(doc_ids) == len(given_ids)
    return Ranking(query_id, doc_ids, scores, ranking.ranks if kept_all else None, ranking.tag)


def _listed(values: Iterable[Any]) -> list[Any]:
    """A list or an array as a list, of Python's own numbers where it can be."""
    found: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    return found


def _to_object(part: Part, records: Iterable[Any]) -> list[Any]:
    try:
        from ir_measures import Qrel, ScoredDoc
    except ImportError:
        raise MissingDependency("ir_measures") from None
    if part == "judgments":
        return [
            Qrel(label.query_id, label.key, label.relevance, label.iteration)
            for label in cast("Iterable[Judgment]", records)
        ]
    found: list[Any] = []
    for ranking in cast("Iterable[Ranking]", records):
        scores = map(float, placed_scores(ranking.doc_ids, ranking.scores))
        found.extend(map(ScoredDoc, repeat(ranking.query_id), ranking.doc_ids, scores))
    return found


FORMAT = Format(
    name="ir-measures",
    shape="object",
    summary="records: ir_measures.Qrel and ScoredDoc, ir_datasets' qrels, dicts or objects with such fields",
    aliases=("records",),
    accepts=_accepts,
    read_judgments=_read_judgments,
    read_run=_read_run,
    to_object=_to_object,
    keeps=frozenset({"iteration", "scores"}),
)
