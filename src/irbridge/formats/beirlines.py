"""The lines of BEIR's files, which several formats share: documents and queries as JSON, labels as TSV.

    {"_id": "d1", "title": "...", "text": "...", "metadata": {...}}      corpus.jsonl
    {"_id": "q1", "text": "...", "metadata": {...}}                      queries.jsonl
    query-id<TAB>corpus-id<TAB>score                                     qrels/<split>.tsv, the first line

A line that was read is kept as it was (`raw`) and written back unchanged. A `title` that is missing, null or empty stays
so: None, None with `fields["title"]` None, and "". Everything but `_id`, `title` and `text` is kept in `fields`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.errors import InputError, shown
from irbridge.formats.jsonlines import decoder
from irbridge.ids import fault
from irbridge.model import NO_FIELDS, Document, Judgment, Query
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import has_bom, lines

QRELS_HEADER = b"query-id\tcorpus-id\tscore\n"

_OF_DOCUMENTS = frozenset({"_id", "title", "text"})
_OF_QUERIES = frozenset({"_id", "text"})
_UNTOLD = re.compile(r"[\t\n\r]")


class _UnusableError(ValueError):
    """What is wrong with a line; `_rows` says where."""


# ------------------------------------------------------------------------------------------------------------- reading


def note_bom(source: Source, reading: Reading) -> None:
    """Note a byte order mark in a file of a folder; for a file by itself `identify` has done so."""
    if has_bom(source):
        reading.note("bom", "a byte order mark at the start was dropped")


def _objects(source: Source, reading: Reading) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """(line number, line, object) of each line that is not blank."""
    decode = decoder()
    for number, line in lines(source):
        if not line or line.isspace():
            continue
        reading.rows += 1
        row = decode(line)
        if isinstance(row, dict):
            yield number, line, row
        else:
            hint = 'each line must be one JSON object, such as {"_id": ..., "text": ...}'
            reading.bad_row(f"invalid JSON, {row}", line=number, text=line, hint=hint)


def _identifier(row: dict[str, Any]) -> tuple[str, bool]:
    """The id, and whether it had to be turned into text."""
    found = row.get("_id")
    if isinstance(found, str) and found:
        if (wrong := fault(found)) is not None:
            raise _UnusableError(f'"_id" {wrong}')
        return found, False
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found), True
    if found is None:
        raise _UnusableError('there is no "_id"')
    raise _UnusableError(f'"_id" must be a non-empty string, not {shown(json.dumps(found), 40)}')


def _string(row: dict[str, Any], name: str) -> str | None:
    found = row.get(name)
    if found is None or isinstance(found, str):
        return found
    raise _UnusableError(f'"{name}" must be a string or null, not {shown(json.dumps(found), 40)}')


def _fields(row: dict[str, Any], own: frozenset[str]) -> Mapping[str, Any]:
    kept = {name: value for name, value in row.items() if name not in own or (name == "title" and value is None)}
    return kept or NO_FIELDS


def read_documents(source: Source, reading: Reading) -> Iterator[Document]:
    """The documents of a corpus.jsonl, in file order, one at a time.

    Raises:
        InputErrors: lines that are not JSON objects with an `_id`, or whose text or title is no string.
    """
    for number, line, row in _objects(source, reading):
        try:
            doc_id, coerced = _identifier(row)
            text = _string(row, "text")
            title = _string(row, "title")
        except _UnusableError as error:
            reading.bad_row(str(error), line=number, text=line)
            continue
        _say(reading, number, coerced=coerced, textless=text is None, what="documents")
        reading.line = number
        yield Document(doc_id, text or "", title, _fields(row, _OF_DOCUMENTS), None if coerced else line)
    reading.finish()


def read_queries(source: Source, reading: Reading) -> Iterator[Query]:
    """The queries of a queries.jsonl, in file order, one at a time.

    Raises:
        InputErrors: lines that are not JSON objects with an `_id`, or whose text is no string.
    """
    for number, line, row in _objects(source, reading):
        try:
            query_id, coerced = _identifier(row)
            text = _string(row, "text")
        except _UnusableError as error:
            reading.bad_row(str(error), line=number, text=line)
            continue
        _say(reading, number, coerced=coerced, textless=text is None, what="queries")
        reading.line = number
        yield Query(query_id, text or "", _fields(row, _OF_QUERIES), None if coerced else line)
    reading.finish()


def _say(reading: Reading, line: int, *, coerced: bool, textless: bool, what: str) -> None:
    if coerced:
        reading.note(
            f"int-ids-{what}",
            f"{{n}} {_noun(what)} {{has|have}} a number as {{its|their}} _id; it is taken as text",
            line=line,
        )
    if textless:
        reading.note(f"textless-{what}", f"{{n}} {_noun(what)} {{has|have}} no text; it is taken as empty", line=line)


def _noun(what: str) -> str:
    return {"documents": "{document|documents}", "queries": "{query|queries}"}[what]


def query_texts(source: Source, reading: Reading) -> dict[str, str]:
    """Query id -> text. A query that comes twice keeps its last text, as in BEIR's own loader, which is noted.

    What is noticed on the way is noted in `reading`; its line and row count are those of the labels and stay untouched.

    Raises:
        InputErrors: as `read_queries`.
    """
    own = Reading(source.label, drop_bad_rows=reading.drop_bad_rows)
    note_bom(source, own)
    texts: dict[str, str] = {}
    for query in read_queries(source, own):
        if texts.get(query.query_id, query.text) != query.text:
            own.note(
                "query-texts",
                "{n} {query comes|queries come} again with another text; the last one counts",
                line=own.line,
            )
        texts[query.query_id] = query.text
    for note in own.notes.values():
        reading.note(note.code, note.text, count=note.count, line=note.first_line)
    reading.dropped.extend(own.dropped)
    return texts


# ------------------------------------------------------------------------------------------------------------- writing


def document_line(document: Document) -> str:
    """The document as a line of corpus.jsonl, without its end.

    Raises:
        InputError: a field has no JSON form.
    """
    if document.raw is not None:
        return document.raw
    row: dict[str, Any] = {"_id": _checked(document.doc_id, "document")}
    if document.title is not None:
        row["title"] = document.title
    row["text"] = document.text
    return _line(row, document.fields)


def query_line(query: Query) -> str:
    """The query as a line of queries.jsonl, without its end.

    Raises:
        InputError: a field has no JSON form.
    """
    if query.raw is not None:
        return query.raw
    return _line({"_id": _checked(query.query_id, "query"), "text": query.text}, query.fields)


def _checked(own_id: str, what: str) -> str:
    if (wrong := fault(own_id)) is not None:
        raise InputError(f"a {what} id {wrong}", text=own_id)
    return own_id


def _line(row: dict[str, Any], fields: Mapping[str, Any]) -> str:
    row.update((name, value) for name, value in fields.items() if name not in row)
    try:
        return dumps(row)
    except InputError as error:
        error.message = f"{shown(row['_id'], 40)}: {error.message}"
        raise


def write_documents(documents: Iterable[Document], stream: BinaryIO) -> int:
    """Write a corpus.jsonl; returns the number of documents."""
    return _write(map(document_line, documents), stream)


def write_queries(queries: Iterable[Query], stream: BinaryIO) -> int:
    """Write a queries.jsonl; returns the number of queries."""
    return _write(map(query_line, queries), stream)


def _write(found: Iterable[str], stream: BinaryIO) -> int:
    rows = 0
    for line in found:
        stream.write(line.encode("utf-8") + b"\n")
        rows += 1
    return rows


def qrels_row(label: Judgment) -> bytes:
    r"""The label as a row of qrels/<split>.tsv; the document is the label's `key`.

    BEIR's loader reads these files as CSV, where a field that begins with a quote ends at the next one, lines further
    down if need be. Such an id is quoted as CSV wants it, which irbridge reads as well.

    Raises:
        InputError: an id that is empty or holds a tab, a line end or NUL, which no row can hold.
    """
    return f"{_cell(label.query_id, 'query')}\t{_cell(label.key, 'document')}\t{label.relevance}\n".encode()


def _cell(text: str, what: str) -> str:
    kind = fault(text) or ("holds a tab or a line end" if _UNTOLD.search(text) else None)
    if kind is not None:
        raise InputError(
            f"a {what} id {kind}, which BEIR qrels cannot hold", text=text, hint="judgments JSONL holds any id"
        )
    if text.startswith('"'):
        return '"' + text.replace('"', '""') + '"'
    return text
