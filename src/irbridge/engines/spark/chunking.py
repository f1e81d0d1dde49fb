"""Chunks of documents, and names for somebody else's chunks: one pass over the rows, no shuffle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from irbridge.chunking import Chunker, chunker
from irbridge.corpora import cut
from irbridge.engines.spark.frames import batched, frame, mapped, partition_reading
from irbridge.errors import InputError, shown
from irbridge.formats.cells import Ids, UnusableError, place, refuse
from irbridge.formats.chunk_rows import MEMBERS, Refused
from irbridge.formats.parquet import DOCUMENT_ID
from irbridge.formats.tables import needed
from irbridge.model import Document
from irbridge.reading import Reading
from irbridge.stamping import named

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from irbridge.engines.spark.frames import Batches

_WHOLE = frozenset({"ordinal", "start", "end"})
#: The columns of a frame of chunks, as Spark writes types.
SCHEMA = ", ".join(f"{name} {'bigint' if name in _WHOLE else 'string'}" for name in MEMBERS)


def chunk_documents(documents: Any, by: str | Chunker) -> DataFrame:
    """Cut documents into chunks with ids: the rows that `irbridge chunk` writes.

    Lazy. Each partition is cut where it is; nothing is shuffled, and only the columns named here are read.

    Args:
        documents: a DataFrame with a document id (`doc_id`, `doc_uri`, `_id`, `id`, `docno`, `corpus-id`), `text`, and
            `title` where documents have one, which is put before the text. A text that is null is empty.
        by: a chunker, such as `recursive/512/64`. An executor with another release of a chunker's library refuses it.

    Returns:
        A row for each chunk: chunk_id, doc_uri, doc_revision, ordinal, text, text_sha, start, end (spec/formats.md, 2.3).

    Raises:
        UsageError: no DataFrame, or no such chunker.
        InputError: a column is missing.
    """
    source = frame(documents, "documents")
    reading = Reading("documents")
    doc_id = needed(source.columns, (*DOCUMENT_ID, "doc_uri"), "document id", reading)
    text = needed(source.columns, ("text",), "document text", reading)
    names = [doc_id, text, *(["title"] if "title" in source.columns else [])]
    # A fingerprint names the version too: it is a spec that another version refuses.
    spec = chunker(by).fingerprint if isinstance(by, str) else by
    return mapped(source.select(*(f"`{name}`" for name in names)), partial(_chunked, spec), SCHEMA)


def _chunked(by: str | Chunker, batches: Batches) -> Iterator[pa.RecordBatch]:
    bound = chunker(by) if isinstance(by, str) else by
    yield from batched((found[: len(MEMBERS)] for found in cut(_documents(batches), bound)), _arrow_schema())


def _documents(batches: Batches) -> Iterator[Document]:
    reading = partition_reading("documents")
    ids = Ids(reading, "document")
    row = 0
    for batch in batches:
        doc_ids, texts, *more = (column.to_pylist() for column in batch.columns)
        titles = more[0] if more else [None] * len(doc_ids)
        for doc_id, text, title in zip(doc_ids, texts, titles, strict=True):
            row += 1
            try:
                known = ids.one(doc_id)
            except UnusableError as error:
                refuse(reading, place(None, row=row), error)
                continue
            yield Document(known, text or "", title)
    reading.finish()


def _arrow_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([(name, pa.int64() if name in _WHOLE else pa.string()) for name in MEMBERS])


def stamp(chunks: Any, chunker_fingerprint: str, doc_revision: str | None = None) -> DataFrame:
    """Name chunks that somebody else's chunker made, as `irbridge stamp` does.

    Lazy, without a shuffle.

    Args:
        chunks: a DataFrame with `doc_uri`, `ordinal` and `text`, and `doc_revision` unless it is given here; `text_sha`,
            `start` and `end` are checked where they are there. Other columns stay as they are. Rows of a frame have no
            order, so an ordinal is not made up.
        chunker_fingerprint: names the chunker and its settings; part of every id.
        doc_revision: of documents whose rows do not say it.

    Returns:
        The frame with `chunk_id`, `text_sha` and `doc_revision` filled in.

    Raises:
        UsageError: no DataFrame.
        InputError: a column is missing.
    """
    source = frame(chunks, "chunks")
    reading = Reading("chunks")
    wanted = ["doc_uri", "ordinal", "text", *(["doc_revision"] if doc_revision is None else [])]
    for name in wanted:
        needed(source.columns, (name,), name, reading)
    out = source
    for name in ("chunk_id", "text_sha", "doc_revision"):
        out = out.withColumn(name, _text_column(source, name))
    return mapped(out, partial(_stamped, chunker_fingerprint, doc_revision), out.schema)


def _text_column(source: DataFrame, name: str) -> Any:
    from pyspark.sql import functions

    return (source[name] if name in source.columns else functions.lit(None)).cast("string")


def _stamped(by: str, revision: str | None, batches: Batches) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    reading = partition_reading("chunks")
    for batch in batches:
        here = [name for name in MEMBERS if name in batch.schema.names and name != "chunk_id"]
        columns = [batch.column(name).to_pylist() for name in here]
        found = [_named(dict(zip(here, row, strict=True)), by, revision, reading) for row in zip(*columns, strict=True)]
        reading.finish()
        for name in ("chunk_id", "text_sha", "doc_revision"):
            position = batch.schema.get_field_index(name)
            values = pa.array([row[name] for row in found], pa.string())
            batch = batch.set_column(position, batch.schema.field(position), values)
        yield batch


def _named(value: dict[str, Any], by: str, revision: str | None, reading: Reading) -> Mapping[str, Any]:
    """The row's chunk, as a mapping; an empty one where the reading was told of a fault."""
    where = f"document {shown(str(value['doc_uri']), 80)}, ordinal {value['ordinal']}"
    try:
        if value["ordinal"] is None:
            raise Refused("missing ordinal")  # noqa: TRY301 - told with the place below, like the others
        return named(value, by, revision, {})._asdict()
    except Refused as refused:
        reading.bad_row(f"{where}: {refused}", hint="each row has doc_uri, ordinal, text, doc_revision")
    except InputError as error:
        reading.bad_row(f"{where}: {error.message}", text=error.text, hint=error.hint)
    return {}
