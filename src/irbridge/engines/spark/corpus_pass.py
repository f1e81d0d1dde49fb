"""The corpus, read once on all machines: of its chunks those go on that can matter for a label, to where the label is.

What a label becomes is decided by `irbridge.drift.classify` alone, and for that it needs: the chunks of the label's document,
a chunk with its id, and the first chunk with its text, wherever they are. Such chunks are sent to the label's document;
one too many changes nothing. All others, nearly the whole corpus, stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.corpora import Corpus
from irbridge.drift.classify import classify
from irbridge.drift.findings import Finding
from irbridge.engines.spark import finding_rows
from irbridge.engines.spark.frames import batched, broadcast, mapped, partition_reading
from irbridge.errors import shown
from irbridge.formats.chunk_rows import MEMBERS, Refused, chunk
from irbridge.formats.tables import needed
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment
from irbridge.reading import Reading

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from irbridge.engines.spark.frames import Batches

#: The place of a chunk in the corpus, where the caller names a column for it.
PLACE = "place"
#: The document that a chunk is sent to.
FOR = "for_doc"
_WHOLE = frozenset({"ordinal", "start", "end", PLACE})
_BY_PLACE, _BY_NAME = (PLACE,), ("doc_uri", "ordinal", "chunk_id")


class Asked(NamedTuple):
    """What labels ask a corpus for.

    Attributes:
        documents: their documents.
        ids: chunk id -> documents of the labels that name it.
        digests: digest of a text -> documents of the labels that have it.
    """

    documents: frozenset[str]
    ids: dict[str, set[str]]
    digests: dict[str, set[str]]

    @classmethod
    def by(cls, labels: Sequence[Judgment]) -> Asked:
        found = cls(frozenset(label.doc_uri for label in labels), {}, {})
        for label in labels:
            if label.chunk_id is not None:
                found.ids.setdefault(label.chunk_id, set()).add(label.doc_uri)
            own = label.text_sha or (None if label.chunk_text is None else text_sha(label.chunk_text))
            if own:
                found.digests.setdefault(own, set()).add(label.doc_uri)
        return found


def chunk_columns(chunks: DataFrame, place: str | None) -> DataFrame:
    """The columns that make a chunk, typed; those that the corpus lacks are null.

    Raises:
        InputError: one that every chunk has is missing, or the column of places is.
    """
    from pyspark.sql import functions

    reading = Reading("chunks")
    for name in ("chunk_id", "doc_uri", *([place] if place is not None else [])):
        needed(chunks.columns, (name,), name, reading)
    found = [
        (chunks[name] if name in chunks.columns else functions.lit(None))
        .cast("bigint" if name in _WHOLE else "string")
        .alias(name)
        for name in MEMBERS
    ]
    there = chunks[place] if place is not None else functions.lit(None)
    return chunks.select(*found, there.cast("bigint").alias(PLACE))


def classified(labels: Sequence[Judgment], chunks: DataFrame, *, by_place: bool) -> Iterator[tuple[int, Finding]]:
    """The finding of each label whose document the corpus has, or that is settled by another document.

    Texts in other documents that are not there whole as one chunk are not looked for.

    Args:
        labels: judgments.
        chunks: as `chunk_columns` makes them.
        by_place: chunks come in the order of their places, else of their documents and ordinals.
    """
    asked = broadcast(chunks, Asked.by(labels))
    schema = f"{FOR} string, " + ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in chunks.schema)
    wanted = mapped(chunks, partial(_wanted, asked, by_place), schema)
    order = _BY_PLACE if by_place else _BY_NAME
    at_home = wanted.repartition(FOR).sortWithinPartitions(FOR, *order)
    work = partial(_classified, broadcast(chunks, _by_document(labels)))
    yield from map(finding_rows.read, mapped(at_home, work, finding_rows.SCHEMA).collect())


def _by_document(labels: Sequence[Judgment]) -> dict[str, list[tuple[int, Judgment]]]:
    found: dict[str, list[tuple[int, Judgment]]] = {}
    for number, label in enumerate(labels):
        # What a label has beside its known fields is a view, which does not travel.
        found.setdefault(label.doc_uri, []).append((number, label._replace(extra=dict(label.extra))))
    return found


def _wanted(shared: Any, by_place: bool, batches: Batches) -> Iterator[pa.RecordBatch]:  # noqa: FBT001 - a task's argument
    asked: Asked = shared.value
    order = _BY_PLACE if by_place else _BY_NAME
    firsts: dict[str, dict[str, Any]] = {}
    schema = None
    for batch in batches:
        schema = schema or _with_target(batch.schema)
        yield from _sent(_asked_for(asked, batch, order, firsts), schema)
    if schema is not None:
        # A text that stands in many documents is sent on once for each label's document, not from each of its places.
        left = (
            (target, row) for digest, row in firsts.items() for target in sorted(asked.digests[digest])
            if target != row["doc_uri"]
        )  # fmt: skip
        yield from _sent(left, schema)


def _asked_for(
    asked: Asked, batch: pa.RecordBatch, order: Sequence[str], firsts: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(document, chunk) of what some label asks for by document or id; the first chunk of each text goes to `firsts`."""
    ids, doc_uris = (batch.column(name).to_pylist() for name in ("chunk_id", "doc_uri"))
    digests = _digests(batch) if asked.digests else [None] * len(ids)
    for row, (own, doc_uri, digest) in enumerate(zip(ids, doc_uris, digests, strict=True)):
        at_home, by_id, by_text = doc_uri in asked.documents, own in asked.ids, digest in asked.digests
        if not (at_home or by_id or by_text):
            continue
        found = {name: batch.column(name)[row].as_py() for name in batch.schema.names}
        if at_home:
            yield doc_uri, found
        if by_id:
            yield from ((target, found) for target in sorted(asked.ids[own]) if target != doc_uri)
        if (
            digest is not None
            and by_text
            and (digest not in firsts or _key(found, order) < _key(firsts[digest], order))
        ):
            firsts[digest] = found


def _digests(batch: pa.RecordBatch) -> list[str | None]:
    """The digest of each chunk's text: its own, or computed."""
    found: list[str | None] = batch.column("text_sha").to_pylist()
    if all(found):
        return found
    texts = batch.column("text").to_pylist()
    return [digest or (None if text is None else text_sha(text)) for digest, text in zip(found, texts, strict=True)]


def _key(row: dict[str, Any], order: Sequence[str]) -> tuple[Any, ...]:
    # As Spark sorts: what is missing comes first.
    return tuple((row[name] is not None, row[name]) for name in order)


def _with_target(schema: pa.Schema) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([pa.field(FOR, pa.string()), *schema])


def _sent(found: Iterable[tuple[str, dict[str, Any]]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    return batched(((target, *row.values()) for target, row in found), schema)


def _classified(shared: Any, batches: Batches) -> Iterator[pa.RecordBatch]:
    """Each document with all that was sent to it, held against its labels."""
    import pyarrow as pa

    reading = partition_reading("chunks")
    rows = (row for batch in batches for row in batch.to_pylist())
    for doc_uri, group in groupby(rows, itemgetter(FOR)):
        chunks = chunks_of(group, reading)
        reading.finish()
        own = shared.value[doc_uri]
        found = classify([label for _, label in own], Corpus("chunks", lambda chunks=chunks: iter(chunks), reading))  # type: ignore[misc]
        numbers = [number for number, _ in own]
        yield pa.RecordBatch.from_pylist(
            [finding_rows.row(number, finding) for number, finding in zip(numbers, found.findings, strict=True)],
            finding_rows.arrow_schema(),
        )


def chunks_of(rows: Iterable[dict[str, Any]], reading: Reading) -> list[Chunk]:
    """Rows of a frame as chunks; the reading is told of those that are none."""
    found = []
    for row in rows:
        try:
            found.append(chunk({name: row[name] for name in MEMBERS}))
        except Refused as refused:
            where = f"document {shown(str(row['doc_uri']), 80)}, chunk {shown(str(row['chunk_id']), 80)}"
            reading.bad_row(f"{where}: {refused}", hint="spec/formats.md, 2.3, says what a chunk has")
    return found
