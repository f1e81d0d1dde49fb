"""Public collections by their ir_datasets id: `irds:beir/scifact/test`.

Labels: every qrels class. Column 2 of TREC qrels, or a subtopic, is the label's `iteration`; any further field is kept
under its own name in `extra`. A label carries its query's text where the queries are at hand.

Documents and queries: their text is ir_datasets' `default_text()`. Where that begins with a document's title, title and
text are kept apart, so that both with a space between them are the default text again. Six classes have no default text;
for them `_TEXT_FIELDS` says what stands in for it. All other fields are kept in `fields` if JSON can hold them and they
are not the text itself; one that is called like a member of a JSON line (`text`) becomes `source_text`.
"""

from __future__ import annotations

import datetime as dt
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from irbridge import catalogue
from irbridge.arguments import whole_number
from irbridge.errors import InputError, UnknownName, UsageError, quoted
from irbridge.fetching import rows
from irbridge.formats.base import Format, Part
from irbridge.formats.cells import Cells, Ids, UnusableError, place, refuse
from irbridge.model import NO_FIELDS, Document, Judgment, Query, Ranking
from irbridge.reading import ALL_SPLITS, Reading

_LABEL_FIELDS = frozenset({"query_id", "doc_id", "relevance", "iteration", "subtopic_id"})
_TITLES = ("title", "headline", "page_title", "document_title")
# Stand-ins for default_text(), the first that a class has all of: BrightQuery; ArgsMeProcessedDoc, read like its sister
# class; ClinicalTrialsDoc; CodeSearchNetDoc; ToucheImageDoc (the text of the pages that show the image);
# TrecBackgroundLinkingQuery, a news article known by its address only.
_TEXT_FIELDS = (
    ("text",),
    ("premises_texts", "conclusion"),
    ("title", "condition", "summary", "detailed_description", "eligibility"),
    ("func_name", "code"),
    ("pages",),
    ("url",),
)
_TAKEN = frozenset({"_id", "text", "title"})
_ABSENT = object()


def _opened(dataset_id: str, part: Part, reading: Reading) -> tuple[str, Any]:
    """The id with the split asked for, and its dataset.

    Raises:
        UnknownName: there is no such id.
        UsageError: it has no such part, or no such split.
    """
    # Whoever names the format beside the id may have left its prefix on.
    dataset_id = dataset_id.removeprefix("irds:").strip("/")
    found = catalogue.dataset(dataset_id)
    if reading.split not in {None, ALL_SPLITS}:
        try:
            found = catalogue.dataset(f"{dataset_id}/{reading.split}")
        except UnknownName as error:
            splits = catalogue.below(dataset_id, part)
            message = f"irds:{dataset_id} has no split '{reading.split}'"
            raise UsageError(message, hint=_listed("ids below it", splits) or error.hint) from error
        dataset_id = f"{dataset_id}/{reading.split}"
    reading.label = f"irds:{dataset_id}"
    if not found.has(catalogue.ENTITIES[part]):
        hint = _listed(f"ids below it that have {part}", catalogue.below(dataset_id, part))
        hint = hint or f"irbridge datasets {dataset_id.split('/')[0]} lists what has"
        raise UsageError(f"irds:{dataset_id} has no {part} of its own", hint=hint)
    return dataset_id, found


def _listed(what: str, ids: Sequence[str]) -> str | None:
    more = f" and {len(ids) - 8} more" if len(ids) > 8 else ""
    return f"{what}: {', '.join(ids[:8])}{more}" if ids else None


# -------------------------------------------------------------------------------------------------------------- labels


def _read_judgments(what: str, reading: Reading) -> Iterator[Judgment]:
    dataset_id, found = _opened(what, "judgments", reading)
    for caution in catalogue.cautions(dataset_id):
        reading.note("caution", caution)
    texts = _query_texts(dataset_id, found, reading)
    textless: set[str] = set()
    cells = Cells(reading)
    for qrel in rows(dataset_id, "judgments", found.qrels_iter):
        reading.rows += 1
        text = texts.get(qrel.query_id)
        if not text and texts and qrel.query_id not in textless:
            textless.add(qrel.query_id)
            reading.note("unknown-queries", "{n} judged {query has|queries have} no text")
        try:
            yield Judgment(
                cells.query_ids.one(qrel.query_id), cells.doc_ids.one(qrel.doc_id), _grade(cells, qrel.relevance),
                text or None, iteration=_iteration(qrel), extra=_extra(qrel),
            )  # fmt: skip
        except UnusableError as error:
            refuse(reading, place(qrel.query_id, qrel.doc_id), error)
    reading.finish()


def _grade(cells: Cells, given: Any) -> int:
    """The grade; one class declares its grades as text, and they are whole numbers all the same."""
    try:
        return cells.grade(whole_number(given) if isinstance(given, str) else given)
    except ValueError as error:
        if isinstance(error, UnusableError):
            raise
        raise UnusableError(f"relevance {quoted(given, 40)} is not a whole number") from None


def _iteration(qrel: Any) -> str:
    return str(getattr(qrel, "iteration", getattr(qrel, "subtopic_id", "0")))


def _extra(qrel: Any) -> Mapping[str, Any]:
    names = [name for name in qrel._fields if name not in _LABEL_FIELDS]
    if not names:
        return NO_FIELDS
    found = {name: _json(getattr(qrel, name)) for name in names}
    return {name: value for name, value in found.items() if value is not _ABSENT}


def _query_texts(dataset_id: str, found: Any, reading: Reading) -> dict[str, str]:
    """Query id -> text; empty, with a note, where the queries are not to be had."""
    if not found.has("queries"):
        reading.note("no-queries", "the collection has no queries: the labels carry no query text")
        return {}
    try:
        return {query.query_id: _text(query) for query in rows(dataset_id, "queries", found.queries_iter)}
    except InputError as error:
        reading.note("no-queries", f"the labels carry no query text: {error.message}")
        return {}


# ------------------------------------------------------------------------------------------------- queries, documents


def _text(record: Any) -> str:
    """The record's default text, or what stands in for it."""
    if hasattr(record, "default_text"):
        return str(record.default_text() or "")
    for names in _TEXT_FIELDS:
        if all(hasattr(record, name) for name in names):
            return " ".join(filter(None, (_prose(getattr(record, name)) for name in names)))
    return ""


def _prose(value: Any) -> str:
    if isinstance(value, str):
        return value
    return " ".join(filter(None, (_prose(getattr(piece, "text", "")) for piece in value or ())))


def _fields(record: Any, text: str, reading: Reading, *, but: str | None = None) -> Mapping[str, Any]:
    """All fields except the id, `but`, and what is the text itself; what JSON cannot hold is left out, noted."""
    found = {}
    for name in record._fields[1:]:
        value = getattr(record, name)
        if name == but or (value and value == text):
            continue
        plain = _json(value)
        if plain is _ABSENT:
            reading.note(
                f"unheld-{name}", f"the field {name} of {{n}} {{record|records}} has no JSON form and was left out"
            )
        else:
            found[f"source_{name}" if name in _TAKEN and value is not None else name] = plain
    return found or NO_FIELDS


def _json(value: Any) -> Any:
    """`value` as JSON can hold it: records as objects, dates as ISO 8601; `_ABSENT` where it cannot."""
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _ABSENT
    if isinstance(value, dt.date):
        return value.isoformat()
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        found = {str(name): _json(one) for name, one in value.items()}
        return {name: one for name, one in found.items() if one is not _ABSENT}
    if isinstance(value, list | tuple):
        return [one for one in map(_json, value) if one is not _ABSENT]
    return _ABSENT


def _read_queries(what: str, reading: Reading) -> Iterator[Query]:
    dataset_id, found = _opened(what, "queries", reading)
    ids = Cells(reading).query_ids
    for query in rows(dataset_id, "queries", found.queries_iter):
        query_id = _usable(ids, query.query_id, reading)
        if query_id is not None:
            reading.rows += 1
            text = _text(query)
            yield Query(query_id, text, _fields(query, text, reading))
    reading.finish()


def _usable(ids: Ids, given: Any, reading: Reading) -> str | None:
    """The id, or None after it was reported."""
    try:
        return ids.one(given)
    except UnusableError as error:
        refuse(reading, "", error)
        return None


def _read_documents(what: str, reading: Reading) -> Iterator[Document]:
    dataset_id, found = _opened(what, "documents", reading)
    titled = next((name for name in _TITLES if name in found.docs_cls()._fields), None)
    # The text of a web page is parsed out of its HTML, which ir_datasets comments on: that belongs into the quiet part.
    ids = Cells(reading).doc_ids
    for document, text in rows(dataset_id, "documents", lambda: ((one, _text(one)) for one in found.docs_iter())):
        doc_id = _usable(ids, document.doc_id, reading)
        if doc_id is None:
            continue
        reading.rows += 1
        title = getattr(document, titled) if titled is not None else None
        if isinstance(title, str) and text.startswith((title + " ", title + "\n")):
            body = text[len(title) + 1 :]
            yield Document(doc_id, body, title, _fields(document, body, reading, but=titled))
        else:
            yield Document(doc_id, text, None, _fields(document, text, reading))
    reading.finish()


# ----------------------------------------------------------------------------------------------------------------- run


def _read_run(what: str, reading: Reading) -> Iterator[Ranking]:
    """The first-stage ranking that comes with the collection. It is gathered by query: its rows may be in any order."""
    dataset_id, found = _opened(what, "run", reading)
    gathered: dict[str, tuple[list[str], array[float]]] = {}
    cells = Cells(reading)
    for row in rows(dataset_id, "run", found.scoreddocs_iter):
        try:
            query_id, doc_id = cells.query_ids.one(row.query_id), cells.doc_ids.one(row.doc_id)
            score = cells.score(row.score)
        except UnusableError as error:
            refuse(reading, place(row.query_id, row.doc_id), error)
            continue
        reading.rows += 1
        doc_ids, scores = gathered.setdefault(query_id, ([], array("d")))
        doc_ids.append(doc_id)
        scores.append(score)
    reading.finish()
    for query_id, (doc_ids, scores) in gathered.items():
        yield Ranking(query_id, doc_ids, scores)


FORMAT = Format(
    name="irds",
    shape="id",
    has_splits=True,
    summary="public collections of ir_datasets by id: irds:beir/scifact/test",
    read_judgments=_read_judgments,
    read_run=_read_run,
    read_queries=_read_queries,
    read_documents=_read_documents,
)
