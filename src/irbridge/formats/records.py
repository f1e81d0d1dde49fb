"""Iterables of records: namedtuples of ir_measures and ir_datasets, our own, dicts, or objects with such fields.

The names of fields are those of columns in `tables`. A generator is consumed once. Single rows of a run are gathered by
query, so memory follows the run; `Ranking` records stream. Written are lists of `ir_measures.Qrel` or `ScoredDoc`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, islice, repeat
from typing import Any, cast

from irbridge.errors import InputError, MissingDependency, quoted, shown
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
                text=quoted(item),
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
            query_id, doc_uri, grade = (
                cells.query_ids.one(label.query_id), cells.doc_ids.one(label.doc_uri), cells.grade(label.relevance)
            )  # fmt: skip
            chunk_id = None if label.chunk_id is None else cells.chunk_ids.one(label.chunk_id)
            _check_fields(label)
        except UnusableError as error:
            refuse(reading, place(label.query_id, label.doc_uri, row), error)
            continue
        reading.rows += 1
        yield label._replace(query_id=query_id, doc_uri=doc_uri, relevance=grade, chunk_id=chunk_id)


def _check_fields(label: Judgment) -> None:
    """Raise an UnusableError where a field beside ids and grade is not what it is declared to be."""
    values: tuple[object, ...] = label[3:-1]
    for name, value in zip(Judgment._fields[3:-1], values, strict=True):
        if not isinstance(value, str) and (value is not None or name == "iteration"):
            raise UnusableError(f"{name} {quoted(value, 40)} is a {type(value).__name__}, not text")
    if not isinstance(label.extra, Mapping):
        raise UnusableError(f"extra is a {type(label.extra).__name__}, not a mapping of names to values")


def _read_run(given: Iterable[Any], reading: Reading) -> Iterator[Ranking]:
    items = iter(given)
    for first in items:
        whole = chain([first], items)
        if isinstance(first, Ranking):
            yield from _own_rankings(whole, reading, once=items is given)
        else:
            found = list(gathered(neighbours(_rows(whole, reading)), reading))
            reading.finish()
            yield from found
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
    from irbridge.ranking import by_rank  # loads numpy

    try:
        whole, given_ids, given_scores = _taken(ranking, cells)
    except UnusableError as error:
        refuse(reading, place(ranking.query_id, row=row), error)
        return None
    found = _usable(whole, given_ids, given_scores, row, cells, reading)
    return by_rank(found, reading) if found.scores is None and found.ranks is not None else found


def _taken(ranking: Ranking, cells: Cells) -> tuple[Ranking, list[Any], list[Any] | None]:
    """The ranking with query id, ranks and tag as they must be; its documents and scores as lists, not looked at yet.

    Raises:
        UnusableError: one of them is of the wrong kind, or they are not equally many.
    """
    query_id = cells.query_ids.one(ranking.query_id)
    given_ids = _listed(ranking.doc_ids, "documents")
    given_scores = None if ranking.scores is None else _listed(ranking.scores, "scores")
    ranks = None if ranking.ranks is None else _ranks(_listed(ranking.ranks, "ranks"))
    if ranking.tag is not None and not isinstance(ranking.tag, str):
        raise UnusableError(f"the tag {quoted(ranking.tag, 40)} is a {type(ranking.tag).__name__}, not text")
    for what, values in (("scores", given_scores), ("ranks", ranks)):
        if values is not None and len(values) != len(given_ids):
            raise UnusableError(f"{len(given_ids):,} documents and {len(values):,} {what}")
    return ranking._replace(query_id=query_id, ranks=ranks), given_ids, given_scores


def _usable(
    ranking: Ranking, given_ids: list[Any], given_scores: list[Any] | None, row: int, cells: Cells, reading: Reading
) -> Ranking:
    """The ranking with the documents and scores that are usable; the others are reported."""
    doc_ids, scores = cells.doc_ids.clean(given_ids), None if given_scores is None else cells.clean_scores(given_scores)
    if doc_ids is not None and (scores is None) == (given_scores is None):
        cells.doc_ids.admit(given_ids)
        return ranking._replace(doc_ids=doc_ids, scores=scores)
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
    return Ranking(ranking.query_id, doc_ids, scores, ranking.ranks if kept_all else None, ranking.tag)


def _listed(values: Any, what: str) -> list[Any]:
    """A list or an array as a list, of Python's own numbers where it can be.

    Raises:
        UnusableError: it is neither, or has no order.
    """
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise UnusableError(f"the {what} are a {type(values).__name__}, not a list", "give a list, best first")
    found = values.tolist() if hasattr(values, "tolist") else list(values)
    if not isinstance(found, list):  # an array without dimensions
        raise UnusableError(f"the {what} are a {type(values).__name__} of one value, not a list")
    return found


def _ranks(values: list[Any]) -> list[int]:
    for value in values:
        if type(value) is not int:
            raise UnusableError(f"the rank {quoted(value, 40)} is a {type(value).__name__}, not a whole number")
    return values


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
