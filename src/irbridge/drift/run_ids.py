"""Whether runs were made on the corpus that labels are held against, as far as the ids in them tell.

A run of another state of the corpus, or of its documents where labels are of chunks, finds no label, and reads like decay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from irbridge.corpora import Corpus
from irbridge.drift.glances import Ids
from irbridge.drift.glances import runs as document_runs
from irbridge.errors import shown
from irbridge.identity import is_chunk_id
from irbridge.inputs import Input
from irbridge.model import Judgment, Ranking
from irbridge.wording import counted


class _Standing(NamedTuple):
    """The ids of some runs that a corpus has, as chunks or as documents, and which of both the labels name."""

    chunks: frozenset[str]
    documents: frozenset[str]
    noun: str

    @property
    def both(self) -> frozenset[str]:
        return self.chunks | self.documents

    def live(self, ids: frozenset[str]) -> int:
        """How many of these are of the kind that labels name."""
        kinds = {"chunks": self.chunks, "documents": self.documents}
        return len(kinds.get(self.noun, self.both) & ids)

    def told(self, name: str, ids: frozenset[str]) -> str:
        return f"{self.live(ids):,} of {len(ids):,} ids of {name} are {self.noun} of this corpus"


def doubts(labels: Sequence[Judgment], given: Sequence[Input], corpus: Corpus) -> Iterator[str]:
    """What speaks against the runs that were given, a sentence each.

    Args:
        labels: as they stand.
        given: a run on the corpus as it is; before it, where there are two, one of before it changed.
        corpus: what the labels were held against; it is read once more.

    Raises:
        InputError: a run or the corpus cannot be read.
    """
    retrieved = [_retrieved(run) for run in given]
    standing = _standing(frozenset().union(*retrieved), labels, corpus)
    named = frozenset(label.key for label in labels)
    names = [shown(run.label, 60) for run in given]
    ids, name = retrieved[-1], names[-1]
    live = standing.live(ids)
    if len(given) == 2:
        earlier = retrieved[0]
        if live * len(earlier) < standing.live(earlier) * len(ids):
            both = f"{standing.told(names[0], earlier)}, and of {name} {live:,} of {len(ids):,}"
            yield f"{both}: are they swapped? The run of before the corpus changed is given first"
            return
        if named.isdisjoint(earlier):
            yield (
                f"0 of {len(earlier):,} ids of {names[0]} are named by a label: "
                "was it made on the corpus that the labels were made on?"
            )
    if live < len(ids):
        yield f"{standing.told(name, ids)}{_reason(ids, standing, named, alone=len(given) == 1)}"


def _reason(ids: frozenset[str], standing: _Standing, named: frozenset[str], *, alone: bool) -> str:
    """What the others are, and what to do about them."""
    other = len(standing.both & ids) - standing.live(ids)
    old = len((named & ids) - standing.both)
    if other and other >= old:
        among = f"{counted(other, 'is', 'are')} among its"
        if standing.noun == "chunks":
            return f", and {among} documents: the labels are of chunks, and only a run of chunks finds them"
        return f", and {among} chunks: irbridge rollup makes a run of documents of it"
    if old:
        first = " (--run OLD --run NEW takes both)" if alone else ""
        named_by = f"{counted(old, 'is', 'are')} named by labels that do not match it"
        return f", and {named_by}: was it made before the corpus changed?{first}"
    return ": was it made on another state of it?"


def _retrieved(run: Input) -> frozenset[str]:
    found: set[str] = set()
    for piece in run.scan() if run.format.scan_run else run:
        found.update(piece.doc_ids if isinstance(piece, Ranking) else piece.columns.texts(piece.doc, 0, len(piece)))
    return frozenset(found)


def _standing(ids: frozenset[str], labels: Sequence[Judgment], corpus: Corpus) -> _Standing:
    standing = Ids(ids)
    chunks: set[str] = set()
    documents: set[str] = set()
    for rows in corpus.pieces() if ids else ():
        chunks.update(standing(rows))
        documents.update(ids.intersection([document for document, _, _ in document_runs(rows)]))
    # In qrels a chunk stands where a document does.
    of_chunks = {label.chunk_id is not None or is_chunk_id(label.doc_uri) for label in labels}
    noun = "chunks or documents" if len(of_chunks) == 2 else "chunks" if True in of_chunks else "documents"
    return _Standing(frozenset(chunks), frozenset(documents), noun)
