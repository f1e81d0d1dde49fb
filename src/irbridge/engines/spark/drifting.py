"""Labels held against a corpus that is a DataFrame: `irbridge.drift` with the corpus on many machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from irbridge.corpora import Corpus
from irbridge.drift.classify import classify, summed
from irbridge.drift.findings import Evidence, Finding
from irbridge.drift.fix import repaired
from irbridge.drift.moved import Candidates, Sightings, looked_for, pieces_of, standing_in
from irbridge.drift.spans import span_of
from irbridge.drift.workflow import Inspected
from irbridge.engines.spark import finding_rows
from irbridge.engines.spark.corpus_pass import PLACE, chunk_columns, chunks_of, classified
from irbridge.engines.spark.failures import plain_errors
from irbridge.engines.spark.frames import batched, broadcast, frame, is_frame, labels_of_frame, mapped
from irbridge.identity import normalize
from irbridge.inputs import opened
from irbridge.model import Judgment
from irbridge.reading import Reading

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from irbridge.engines.spark.frames import Batches

_SIGHTED = "piece bigint, times bigint, doc_uris array<string>"


class Drifted(NamedTuple):
    """What became of labels.

    Attributes:
        findings: a DataFrame with a row for each label, in their order: its number from 0, and the members of spec/drift.md, 3.
        inspected: the same as `irbridge.drift` gives it: the labels, their findings and counts, and what repair makes of them.
    """

    findings: DataFrame
    inspected: Inspected


def drift(labels: Any, chunks: Any, *, corpus_fingerprint: str | None = None, place: str | None = None) -> Drifted:
    """Hold labels against a corpus of chunks.

    The labels are sent to every executor. The corpus is read once, and only chunks that a label asks for are shuffled; once
    more, without a shuffle, if texts are lost that may have moved to another document, and a last time for the documents
    where they seem to be.

    Args:
        labels: judgments, in anything that `irbridge.load` takes, or a DataFrame of Spark's.
        chunks: a DataFrame with `chunk_id` and `doc_uri`, and of the other columns of spec/formats.md, 2.3, those that are
            there. With `text_sha` no digest has to be computed. Rows that no label asks for are not checked.
        corpus_fingerprint: the name of this state of the corpus.
        place: a column of whole numbers that chunks are in the order of. Rows of a frame have none of their own; without
            it the order is that of `doc_uri`, `ordinal`, `chunk_id`. It decides which of several equal chunks in other
            documents a label moves to.

    Raises:
        UsageError: no DataFrame.
        InputError: labels or chunks that cannot be used.
    """
    source = chunk_columns(frame(chunks, "chunks"), place)
    with plain_errors():
        given = list(labels_of_frame(labels)) if is_frame(labels) else labels
        known = list(cast("Iterator[Judgment]", iter(opened(given, "judgments"))))
        found = dict(classified(known, source, by_place=place is not None))
        # Labels of which the corpus knows nothing: their documents are gone.
        gone = [number for number in range(len(known)) if number not in found]
        none = Corpus("chunks", lambda: iter(()), Reading("chunks"))
        found |= dict(zip(gone, classify([known[number] for number in gone], none).findings, strict=True))
        lost = {number: text for number, text in _texts(known).items() if _is_lost(found[number])}
        evidence = _moved(lost, known, source) if lost else {}
    findings = [_with(found[number], number, lost, evidence) for number in range(len(known))]
    result = summed(known, findings, corpus_fingerprint or None)
    rows = [tuple(finding_rows.row(number, each).values()) for number, each in enumerate(findings)]
    made = source.sparkSession.createDataFrame(rows, finding_rows.SCHEMA)
    return Drifted(made, Inspected(known, result, repaired(known, result)))


def _texts(labels: Sequence[Judgment]) -> dict[int, str]:
    """The texts by which labels of chunks and spans can be found, by label number."""
    return {
        number: text for number, label in enumerate(labels)
        if label.chunk_text and (label.chunk_id is not None or span_of(label)) and (text := normalize(label.chunk_text))
    }  # fmt: skip


def _is_lost(found: Finding) -> bool:
    """Whether its own document says nothing of a label; what was seen in others by the way is not all that there is."""
    if found.status != "ORPHANED":
        return False
    seen = found.evidence
    return seen is None or seen.doc_uri is not None or any(each.doc_uri is not None for each in seen.chunks)


def _with(found: Finding, number: int, lost: Mapping[int, str], evidence: Mapping[int, Evidence]) -> Finding:
    return found._replace(evidence=evidence.get(number)) if number in lost else found


def _moved(texts: Mapping[int, str], labels: Sequence[Judgment], chunks: DataFrame) -> dict[int, Evidence]:
    """As `irbridge.drift.moved.moved`, with the corpus on many machines."""
    from pyspark.sql import functions

    needles = looked_for(texts)
    if not needles:
        return {}
    sightings = Sightings(pieces_of(needles))
    looking = mapped(
        chunks.select("doc_uri", "text"), partial(_sighted, broadcast(chunks, sightings.anchors)), _SIGHTED
    )
    for piece, times, doc_uris in looking.collect():
        sightings.add(piece, times, doc_uris)
    candidates: Candidates = sightings.candidates(labels)
    if not candidates:
        return {}
    session, documents = chunks.sparkSession, sorted({name for names in candidates.values() for name in names})
    wanted = session.createDataFrame([(name,) for name in documents], "doc_uri string")
    there = chunks.join(functions.broadcast(wanted), "doc_uri", "left_semi").orderBy(
        PLACE, "doc_uri", "ordinal", "chunk_id"
    )
    reading = Reading("chunks")
    rows = chunks_of((row.asDict() for row in there.collect()), reading)
    reading.finish()
    return standing_in(candidates, needles, Corpus("chunks", lambda: iter(rows), reading))


def _sighted(shared: Any, batches: Batches) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    sightings = Sightings(shared.value)
    for batch in batches:
        doc_uris, texts = (column.to_pylist() for column in batch.columns)
        sightings.look(doc_uris, texts)
    schema = pa.schema([("piece", pa.int64()), ("times", pa.int64()), ("doc_uris", pa.list_(pa.string()))])
    stood = sorted(sightings.stood.items())
    yield from batched(((piece, times, sorted(sightings.seen.get(piece, ()))) for piece, times in stood), schema)
