"""The records that travel through irbridge: plain, immutable, without behaviour of their own.

`Qrel` and `ScoredDoc` have the field names and the order of ir_datasets and ir_measures, so that they pass into those
libraries as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

NO_FIELDS: Mapping[str, Any] = MappingProxyType({})


class Qrel(NamedTuple):
    """One relevance judgment, as research tools hold it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """One row of a run."""

    query_id: str
    doc_id: str
    score: float


class Judgment(NamedTuple):
    """One label. Field meanings: spec/formats.md.

    Attributes:
        relevance: the grade as its source had it; negative where the source was (JSONL writes it as 0 and keeps it beside).
        iteration: column 2 of a TREC qrels row, as text ("0" where a format has none): a subtopic in diversity qrels.
        extra: fields that irbridge does not know, in their original order.
    """

    query_id: str
    doc_uri: str
    relevance: int
    query: str | None = None
    chunk_id: str | None = None
    text_sha: str | None = None
    chunk_text: str | None = None
    corpus_fingerprint: str | None = None
    labeled_by: str | None = None
    labeled_at: str | None = None
    stratum: str | None = None
    notes: str | None = None
    iteration: str = "0"
    extra: Mapping[str, Any] = NO_FIELDS

    @property
    def key(self) -> str:
        """What a run's entries are matched with: the chunk id if there is one, else the document."""
        return self.chunk_id if self.chunk_id is not None else self.doc_uri

    @property
    def target(self) -> str:
        """What makes two labels of a query one: the key; of a label that names a place and no chunk, its place too."""
        if self.chunk_id is None and self.extra:
            place, revision = place_in(self.extra.get("span")), self.extra.get("doc_revision")
            if place is not None and revision and isinstance(revision, str):  # no id holds a NUL
                return f"{self.doc_uri}\0{place[0]}\0{place[1]}\0{revision}"
        return self.key


class Ranking(NamedTuple):
    """What one system returned for one query, in the order of its source.

    Attributes:
        scores: one float per document, or None where the source is a plain list, best first.
        ranks: the source's own rank column, or None; used only to notice that it contradicts the scores.
        tag: the run's name, or None.
    """

    query_id: str
    doc_ids: Sequence[str]
    scores: Sequence[float] | None = None
    ranks: Sequence[int] | None = None
    tag: str | None = None


class Document(NamedTuple):
    """One document of a corpus.

    Attributes:
        text: the body; `title` is None where the source has none (an empty title is "").
        fields: everything else the source had, in its order.
        raw: the JSON line it was read from, to be written back unchanged where the target has the same shape.
    """

    doc_id: str
    text: str
    title: str | None = None
    fields: Mapping[str, Any] = NO_FIELDS
    raw: str | None = None


class Query(NamedTuple):
    """One query; `fields` and `raw` as in `Document`."""

    query_id: str
    text: str
    fields: Mapping[str, Any] = NO_FIELDS
    raw: str | None = None


class Chunk(NamedTuple):
    """One piece of a document, as a chunker cut it (spec/chunk-id.md).

    Attributes:
        doc_revision, ordinal, text, text_sha: None where the corpus does not say.
        start, end: where the text stands in its document, in code points, half open; None where that is not known.
        extra: fields that irbridge does not know, in their original order.
    """

    chunk_id: str
    doc_uri: str
    doc_revision: str | None = None
    ordinal: int | None = None
    text: str | None = None
    text_sha: str | None = None
    start: int | None = None
    end: int | None = None
    extra: Mapping[str, Any] = NO_FIELDS


class ChunkRow(Protocol):
    """A chunk as far as it is needed to hold labels against it: `Chunk`, or what a fast reader makes instead."""

    @property
    def chunk_id(self) -> str: ...
    @property
    def doc_uri(self) -> str: ...
    @property
    def doc_revision(self) -> str | None: ...
    @property
    def ordinal(self) -> int | None: ...
    @property
    def text(self) -> str | None: ...
    @property
    def text_sha(self) -> str | None: ...
    @property
    def start(self) -> int | None: ...
    @property
    def end(self) -> int | None: ...


def place_in(found: object) -> tuple[int, int] | None:
    """The place that a field `span` names, half open; None where it is no pair of whole numbers with 0 <= start < end."""
    if not isinstance(found, dict):
        return None
    start, end = found.get("start"), found.get("end")
    # A bool is an int to Python and no place in a text.
    return (start, end) if type(start) is int and type(end) is int and 0 <= start < end else None


class Span(NamedTuple):
    """A place in a document: code points, half open; of one revision of it where that is known."""

    doc_uri: str
    start: int
    end: int
    doc_revision: str | None = None
