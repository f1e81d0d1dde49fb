"""Span labels onto any chunking, by arithmetic: no text is looked for while the revision of the document is the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from irbridge.chunking import Chunker, chunker
from irbridge.corpora import Corpus, corpus_of, cut
from irbridge.errors import InputError, UsageError, shown
from irbridge.inputs import Input, opened
from irbridge.model import ChunkRow, Judgment, Span
from irbridge.spans.claims import PROJECTED, Fault, Left, claim_of, left
from irbridge.spans.collapsing import Row, collapsed
from irbridge.spans.documents import texts_of
from irbridge.spans.rules import CONTAINS, Rule, rule_of
from irbridge.spans.sweeping import Place, swept
from irbridge.wording import counted

_NAMED = 3
_AGAIN = (
    "irbridge anchor finds the quotes in the documents as they are now, irbridge drift says what became of them; "
    "or name the chunks of the old revision"
)


class Projected(NamedTuple):
    """Labels, those with a span as labels of the chunks that take it.

    Attributes:
        rows: (number of the label that it was, label), numbers rising.
        left: the labels that stayed as they were.
        rule: when a chunk takes a span.
        corpus_fingerprint: of the chunking.
        projected: how many labels have a chunk now, those among them that another label speaks for.
        absorbed: how many rows another one of the same query and chunk speaks for.
        chunks: how many chunk labels there are now.
    """

    rows: list[Row]
    left: list[Left]
    rule: Rule
    corpus_fingerprint: str | None
    projected: int
    absorbed: int
    chunks: int

    @property
    def labels(self) -> list[Judgment]:
        """The labels as they are now."""
        return [label for _, label in self.rows]


class Hit(NamedTuple):
    """A chunk that takes a span, and where it stands."""

    start: int
    end: int
    chunk_id: str
    covered: float


def projected(labels: Any, onto: Any, by: str | Chunker | None = None, *, rule: str | Rule = CONTAINS) -> Projected:
    """Project span labels onto a chunking.

    Args:
        labels: judgments, in anything that `irbridge.load` takes.
        onto: a corpus whose chunks say where they stand; or documents, where a chunker is given.
        by: a chunker for documents, such as `recursive/512/64`.
        rule: `contains`, or `overlap=SHARE`.

    Raises:
        UsageError: the rule or the chunker cannot be used.
        InputError: an input cannot be read, a span is of another revision of its document than the chunks, or the chunks
            do not say where they stand.
    """
    given: list[Judgment] = list(labels if isinstance(labels, list | tuple) else opened(labels, "judgments"))
    return projected_rows(list(enumerate(given)), range(len(given)), onto, by, rule_of(rule))


def projected_rows(
    rows: Sequence[Row], chosen: Iterable[int], onto: Any, by: str | Chunker | None, rule: Rule
) -> Projected:
    """As `projected`; of labels that carry a number, and of those at the positions `chosen` only."""
    faults: dict[int, Fault] = {}
    spans: dict[int, Span] = {}
    for position in chosen:
        claim = claim_of(rows[position][1])
        if isinstance(claim, Span):
            spans[position] = claim
        else:
            faults[position] = claim or Fault("no-span")
    found = _Finding(rows, spans, rule)
    fingerprint = found.look(onto, by)
    faults |= found.faults()
    made: list[Row] = []  # by position among `rows`, since one label may have become several rows before
    new: list[bool] = []
    for position, (_, label) in enumerate(rows):
        # A corpus may name one chunk twice.
        hits = {hit.chunk_id: hit for hit in sorted(found.hits.get(position, ()))}
        made += [(position, _placed(label, hit, rule, fingerprint)) for hit in hits.values()] or [(position, label)]
        new += [True] * len(hits) or [False]
    final, absorbed = collapsed(made, new.__getitem__, [label for _, label in rows])
    return Projected(
        [(rows[position][0], label) for position, label in final],
        [left(*rows[position], faults[position]) for position in sorted(faults)],
        rule, fingerprint, len(found.hits), absorbed, sum(label.chunk_id is not None for _, label in final),
    )  # fmt: skip


def _placed(label: Judgment, hit: Hit, rule: Rule, fingerprint: str | None) -> Judgment:
    extra = {name: value for name, value in label.extra.items() if name != PROJECTED}
    if not rule.sound:
        extra[PROJECTED] = {"rule": rule.name, "covered": hit.covered}
    return label._replace(
        chunk_id=hit.chunk_id, corpus_fingerprint=fingerprint or label.corpus_fingerprint, extra=extra
    )


class _Finding:
    """Which chunks take the spans of labels.

    Attributes:
        hits: by position of the row.
    """

    def __init__(self, rows: Sequence[Row], spans: dict[int, Span], rule: Rule) -> None:
        self.hits: dict[int, list[Hit]] = {}
        self._rows = rows
        self._spans = spans
        self._rule = rule
        # Document -> revision -> its spans.
        self._wanted: dict[str, dict[str | None, list[Place]]] = {}
        for position, span in spans.items():
            of_document = self._wanted.setdefault(span.doc_uri, {})
            of_document.setdefault(span.doc_revision, []).append(Place(span.start, span.end, position))
        self._seen: dict[str, set[str | None]] = {}

    def look(self, onto: Any, by: str | Chunker | None) -> str | None:
        """Read the chunking, one document after the other; returns its fingerprint.

        Raises:
            InputError: see `projected`.
        """
        label, fingerprint, chunks = _chunks(onto, by, self._wanted)
        for doc_uri, group in groupby(chunks, key=lambda row: row.doc_uri):
            by_revision: dict[str | None, list[ChunkRow]] = {}
            for row in group:
                by_revision.setdefault(row.doc_revision, []).append(row)
            self._seen.setdefault(doc_uri, set()).update(by_revision)
            for revision in by_revision.keys() & (self._wanted[doc_uri].keys() - {None}):
                self._sweep(self._wanted[doc_uri][revision], by_revision[revision], label)
        self._refuse_stale(label)
        return fingerprint()

    def _sweep(self, spans: list[Place], rows: list[ChunkRow], label: str) -> None:
        chunks = []
        for number, row in enumerate(rows):
            if row.start is None or row.end is None:
                raise InputError(
                    f"chunk {shown(row.chunk_id)} does not say where it stands in {shown(row.doc_uri)}", path=label,
                    hint="irbridge chunk makes a corpus with start and end; or name the documents and a chunker",
                )  # fmt: skip
            chunks.append(Place(row.start, row.end, number))
        for taken in swept(spans, chunks, self._rule):
            span, row = self._spans[taken.span], rows[taken.chunk]
            hit = Hit(row.start or 0, row.end or 0, row.chunk_id, taken.covered / (span.end - span.start))
            self.hits.setdefault(taken.span, []).append(hit)

    def _refuse_stale(self, label: str) -> None:
        """Refuse spans of another revision: their numbers mean nothing here.

        Raises:
            InputError: there is one.
        """
        stale = [
            position for position, span in self._spans.items()
            if span.doc_uri in self._seen and (span.doc_revision is None or span.doc_revision not in self._seen[span.doc_uri])
        ]  # fmt: skip
        if not stale:
            return
        if all(self._seen[self._spans[position].doc_uri] == {None} for position in stale):
            raise InputError(
                "the chunks do not say of which revision of their document they are", path=label,
                hint="irbridge chunk makes a corpus with doc_revision; or name the documents and a chunker",
            )  # fmt: skip
        some = ", ".join(
            f"{shown(label.query_id, 30)} in {shown(label.doc_uri, 40)}"
            for _, label in (self._rows[position] for position in stale[:_NAMED])
        )
        raise InputError(
            f"{counted(len(stale), 'span')} of another revision of the document than the chunks, or of none that is "
            f"named: {some}{', ...' if len(stale) > _NAMED else ''}",
            path=label,
            hint=_AGAIN,
        )

    def faults(self) -> dict[int, Fault]:
        """Why the others were not taken."""
        return {
            position: Fault("no-chunk" if span.doc_uri in self._seen else "no-document")
            for position, span in self._spans.items()
            if position not in self.hits
        }


def _chunks(
    onto: Any, by: str | Chunker | None, wanted: Collection[str]
) -> tuple[str, Callable[[], str | None], Iterator[ChunkRow]]:
    """What messages call a chunking, its fingerprint once it was read, and its chunks of the wanted documents."""
    if by is None:
        corpus = corpus_of(onto)
        found = (row for row in chain.from_iterable(corpus.pieces()) if row.doc_uri in wanted)
        return corpus.label, lambda: corpus.corpus_fingerprint, found
    if isinstance(onto, Corpus):
        raise UsageError("a corpus holds chunks already", hint="leave the chunker out, or name the documents")
    bound = chunker(by) if isinstance(by, str) else by
    documents = (document for document, _, _ in texts_of(onto, wanted))
    label = onto.label if isinstance(onto, Input) else "documents"
    return label, lambda: bound.fingerprint, cut(documents, bound)
