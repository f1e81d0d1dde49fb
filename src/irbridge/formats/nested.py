"""{query: {document: number}}, the shape of pytrec_eval's dicts and of ranx's files: to records and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from irbridge.errors import InputError, quoted, shown
from irbridge.formats.cells import Cells, UnusableError, first_repeat, place, placed_scores, refuse
from irbridge.model import Judgment, Ranking
from irbridge.reading import Reading


def judgments(queries: Mapping[Any, Any], reading: Reading) -> Iterator[Judgment]:
    """The labels in {query: {document: grade}}; a query without documents is left out and noted."""
    cells = Cells(reading)
    for given, own in queries.items():
        query_id = _query_id(given, cells, reading)
        if query_id is None:
            continue
        if not isinstance(own, Mapping):
            raise _not_mapping(reading, query_id, own, "{document: grade}")
        if not own:
            # Nothing is known about such a query, not even that nothing is relevant.
            reading.note("unjudged-queries", "{n} {query|queries} without a judgment left out")
            continue
        for doc_id, grade in _cleaned(query_id, own, cells, reading, grades=True):
            reading.rows += 1
            yield Judgment(query_id, doc_id, grade)
    reading.finish()


def rankings(queries: Mapping[Any, Any], reading: Reading, *, lists: bool = False) -> Iterator[Ranking]:
    """The rankings in {query: {document: score}}; with `lists` also {query: [documents, best first]}."""
    cells = Cells(reading)
    wanted = "{document: score} or [document, ...]" if lists else "{document: score}"
    for given, own in queries.items():
        query_id = _query_id(given, cells, reading)
        if query_id is None:
            continue
        if isinstance(own, Mapping):
            rows = _cleaned(query_id, own, cells, reading, grades=False)
            found = Ranking(query_id, [doc_id for doc_id, _ in rows], [score for _, score in rows])
        elif lists and isinstance(own, list | tuple):
            found = Ranking(query_id, list(_listed(query_id, own, cells, reading)))
        else:
            raise _not_mapping(reading, query_id, own, wanted)
        reading.rows += len(found.doc_ids)
        yield found
    reading.finish()


def _query_id(given: Any, cells: Cells, reading: Reading) -> str | None:
    try:
        return cells.query_ids.one(given)
    except UnusableError as error:
        refuse(reading, "", error)
        return None


def _cleaned(
    query_id: str, own: Mapping[Any, Any], cells: Cells, reading: Reading, *, grades: bool
) -> list[tuple[str, Any]]:
    values = cells.clean_grades(own.values()) if grades else cells.clean_scores(own.values())
    doc_ids = cells.doc_ids.clean(own.keys()) if values is not None else None
    if values is not None and doc_ids is not None:
        cells.doc_ids.admit(own.keys())
        return list(zip(doc_ids, values, strict=True))
    found: list[tuple[str, Any]] = []
    for given, value in own.items():
        try:
            found.append((cells.doc_ids.one(given), cells.grade(value) if grades else cells.score(value)))
        except UnusableError as error:
            refuse(reading, place(query_id, given), error)
    return found


def _listed(query_id: str, given: list[Any] | tuple[Any, ...], cells: Cells, reading: Reading) -> Iterator[str]:
    for number, doc_id in enumerate(given, 1):
        try:
            yield cells.doc_ids.one(doc_id)
        except UnusableError as error:
            refuse(reading, f"query {shown(query_id, 40)}, place {number:,}", error)


def _not_mapping(reading: Reading, query_id: str, own: Any, wanted: str) -> InputError:
    return InputError(
        f"query {shown(query_id, 40)} has a {type(own).__name__} where {wanted} belongs",
        path=reading.label,
        text=quoted(own),
        hint=f"the shape is {{query: {wanted}}}",
    )


def of_judgments(labels: Iterable[Judgment]) -> dict[str, dict[str, int]]:
    """{query: {document: grade}}, in the order of the labels; equal repeats become one.

    Raises:
        InputError: one document with two grades for a query.
    """
    found: dict[str, dict[str, int]] = {}
    for label in labels:
        own = found.setdefault(label.query_id, {})
        first = own.setdefault(label.key, label.relevance)
        if first != label.relevance:
            raise InputError(
                f"query {shown(label.query_id)} document {shown(label.key)} is judged twice, {first} and {label.relevance}",
                hint="this target holds one grade per document; are these subtopic (diversity) qrels?",
            )
    return found


def of_ranking(ranking: Ranking) -> dict[str, float]:
    """{document: score} of one ranking, in its order; a plain list gets scores that fall by one from its length to 1.

    Raises:
        InputError: a document twice.
    """
    scores = placed_scores(ranking.doc_ids, ranking.scores)
    found = dict(zip(ranking.doc_ids, map(float, scores), strict=True))
    if len(found) < len(ranking.doc_ids):
        twice = first_repeat(ranking.doc_ids)
        raise InputError(
            f"query {shown(ranking.query_id)} has document {shown(twice)} twice",
            hint="this target holds a document once; drop the repeats first",
        )
    return found
