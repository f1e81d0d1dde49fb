"""The labels that need a person, each with the chunks that could carry it now.

Memory follows the queue: of the corpus only the chunks that some label asks for are kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from irbridge.canonical import dumps
from irbridge.corpora import Corpus
from irbridge.drift.classify import classify
from irbridge.drift.findings import Finding
from irbridge.drift.releases import looked_up, of_given
from irbridge.errors import InputError, shown
from irbridge.identity import STRIPPED, is_chunk_id, text_sha
from irbridge.model import ChunkRow, Judgment
from irbridge.review.candidates import Found, found_chunks
from irbridge.review.decisions import Name, is_of_document, label_sha
from irbridge.review.highlight import Common, Flat, common, shared_words, telling
from irbridge.review.plain_words import told

How = Literal["inside", "around", "overlaps", "suggested"]


class Candidate(NamedTuple):
    """A chunk that could carry a label.

    Attributes:
        chunk: what the corpus says of it.
        how: it lies `inside` the label's text, `around` it, `overlaps` with it, or is `suggested` for the words they share.
        overlap: characters of the label's text that it holds, as drift counts them; None where drift does not say.
        shared: what to mark, in the chunk and in the label's text.
        labelled: the relevance that the chunk has for the query by another label, or None.
    """

    chunk: ChunkRow
    how: How
    overlap: int | None
    shared: Common
    labelled: int | None = None

    def holds_all(self, text: str | None) -> bool:
        """Whether all of the label's text stands in a chunk that `overlaps` with it."""
        if self.how != "overlaps" or not text or len(self.shared.label) != 1:
            return False
        ((start, end),) = self.shared.label
        return not (text[:start] + text[end:]).strip(STRIPPED)


class Item(NamedTuple):
    """One label that needs a person.

    Attributes:
        label: as it stands.
        label_sha: digest of its row.
        finding: what drift says of it.
        text: what was labelled, from the label or from what it was made on; None where nobody knows.
        said: what became of it, in plain words.
    """

    label: Judgment
    label_sha: str
    finding: Finding
    text: str | None
    said: str
    candidates: tuple[Candidate, ...]

    @property
    def name(self) -> Name:
        return self.label.query_id, self.label.key, self.label_sha


@dataclass(frozen=True)
class Queue:
    """All of them, by query, document, key and digest.

    Attributes:
        judgments, corpus: what messages call the two.
        corpus_fingerprint: the corpus's own.
        labels: how many labels were looked at.
        chunks: the chunks of all candidates, each once, as they first come up.
    """

    judgments: str
    corpus: str
    corpus_fingerprint: str | None
    labels: int
    items: Sequence[Item]
    chunks: Mapping[str, ChunkRow] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """JSON values; a candidate names its chunk by its place in `chunks`."""
        places = {chunk_id: place for place, chunk_id in enumerate(self.chunks)}
        made: dict[str, Any] = {
            "version": 1,
            "judgments": shown(self.judgments, 400),
            "corpus": shown(self.corpus, 400),
            "corpus_fingerprint": self.corpus_fingerprint,
            "labels": self.labels,
            "items": [_item(item, places) for item in self.items],
            "chunks": [_chunk(row) for row in self.chunks.values()],
        }
        return {"digest": _digest(made), **made}


def queue_of(
    labels: Sequence[Judgment], corpus: Corpus, made_on: Corpus | None = None, *, label: str = "judgments"
) -> Queue:
    """The labels that drift leaves to a person.

    Args:
        labels: judgments.
        corpus: the chunks as they are now; read as often as drift needs, and once more.
        made_on: the corpus or documents that the labels were made on, for those that keep no text.
        label: what messages call the labels.

    Raises:
        InputError: a corpus cannot be read, or a chunk that could carry a label has no id that a label may have.
    """
    known: Sequence[Judgment] = labels if made_on is None else looked_up(labels, made_on)[0]
    drift = classify(known, corpus)
    if made_on is not None:
        drift = of_given(drift, labels, known)
    open_labels: dict[Name, tuple[Judgment, Judgment, Finding]] = {}
    for own, with_text, finding in zip(labels, known, drift.findings, strict=True):
        if _needs_person(own, finding):
            # A row that stands there twice is one question.
            open_labels.setdefault((own.query_id, own.key, label_sha(own)), (own, with_text, finding))
    ordered = sorted(open_labels.items(), key=lambda each: (each[0][0], each[1][0].doc_uri, *each[0][1:]))
    asked = [each for _, each in ordered]
    found = found_chunks([(with_text, finding) for _, with_text, finding in asked], corpus)
    judged = {(each.query_id, each.key): each.relevance for each in labels} if asked else {}
    items = [
        _made(number, own, name[2], with_text, finding, found, judged)
        for number, (name, (own, with_text, finding)) in enumerate(ordered)
    ]
    chunks = {each.chunk.chunk_id: each.chunk for item in items for each in item.candidates}
    return Queue(label, corpus.label, drift.corpus_fingerprint, len(labels), items, chunks)


def _made(
    number: int, own: Judgment, sha: str, known: Judgment, finding: Finding, found: Found,
    judged: Mapping[tuple[str, str], int],
) -> Item:  # fmt: skip
    text = known.chunk_text
    of_label = Flat(text or "")
    overlaps = {each.chunk_id: each.overlap for each in finding.evidence.chunks} if finding.evidence else {}
    stands = finding.evidence is not None and finding.evidence.covered == 1 and finding.evidence.kind != "edited"
    how = _how(finding)
    words = telling(text or own.query or "") if how == "suggested" else frozenset()
    candidates = []
    for row in found.of(number):
        if not is_chunk_id(row.chunk_id):
            raise InputError(
                f"chunk '{shown(row.chunk_id, 40)}' has no id that a label may have: c1: and 32 hex digits",
                hint="irbridge stamp gives chunks of your own chunker their ids",
            )
        if how == "suggested":
            marked = Common(shared_words(row.text or "", words), shared_words(text or "", telling(row.text or "")))
        else:
            marked = common(of_label, Flat(row.text or ""), stands=stands)
        key = row.doc_uri if is_of_document(own) else row.chunk_id
        labelled = None if key == own.key else judged.get((own.query_id, key))
        candidates.append(Candidate(row, how, overlaps.get(row.chunk_id), marked, labelled))
    said = told(own, finding, text, candidates=len(candidates), present=known.doc_uri in found.present)
    return Item(own, sha, finding, text, said, tuple(candidates))


def _needs_person(label: Judgment, finding: Finding) -> bool:
    """Whether repair leaves a label: a chunk that holds more than what was judged irrelevant may well be relevant."""
    return finding.status in {"SPLIT", "ORPHANED"} or (finding.status == "MERGED" and label.relevance <= 0)


def _how(finding: Finding) -> How:
    if finding.split_into is not None:
        return "inside"
    if finding.reanchor_to is not None:
        return "around"
    return "suggested" if finding.evidence is None else "overlaps"


def _item(item: Item, places: Mapping[str, int]) -> dict[str, Any]:
    label, finding = item.label, item.finding
    made: dict[str, Any] = {
        "query_id": label.query_id,
        "query": label.query,
        "key": label.key,
        "label_sha": item.label_sha,
        "doc_uri": label.doc_uri,
        "chunk_id": label.chunk_id,
        "relevance": label.relevance,
        "labeled_by": label.labeled_by,
        "labeled_at": label.labeled_at,
        "stratum": label.stratum,
        "notes": label.notes,
        "status": finding.status,
        "evidence": None if finding.evidence is None else finding.evidence.kind,
        "said": item.said,
        "text": item.text,
        "candidates": [_candidate(each, places) for each in item.candidates],
        "keeps_text": keeps_text(label),
    }
    return {name: value for name, value in made.items() if value is not None}


def _candidate(candidate: Candidate, places: Mapping[str, int]) -> dict[str, Any]:
    made = {
        "chunk": places[candidate.chunk.chunk_id],
        "how": candidate.how,
        "overlap": candidate.overlap,
        "labelled": candidate.labelled,
        "ranges": candidate.shared.chunk,
        "label_ranges": candidate.shared.label,
    }
    return {name: value for name, value in made.items() if value is not None}


def keeps_text(label: Judgment) -> bool:
    """Whether a decision about the label carries the chunks' texts."""
    return label.chunk_text is not None


def _chunk(row: ChunkRow) -> dict[str, Any]:
    made = {
        "chunk_id": row.chunk_id,
        "doc_uri": row.doc_uri,
        "ordinal": row.ordinal,
        "text": row.text,
        "text_sha": digest_of(row),
    }
    return {name: value for name, value in made.items() if value is not None}


def digest_of(row: ChunkRow) -> str | None:
    """The digest of a chunk's text: of the text itself where it is there, whatever the chunk says."""
    return row.text_sha if row.text is None else text_sha(row.text)


def _digest(made: Mapping[str, Any]) -> str:
    """A name for what is asked: the same questions about the same chunks have one, wherever the files lie."""
    asked = [made["corpus_fingerprint"], made["items"], made["chunks"]]
    return "u1:" + hashlib.sha256(dumps(asked).encode()).hexdigest()[:32]
