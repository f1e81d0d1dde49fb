"""The corpus, read once: ids and equal texts wherever they are, and each document while its chunks pass by.

Chunks of one document usually stand together. Those of a document that some label is lost in are held until the next
document begins. Its labels are then looked up together with those of others, for a look at many costs little more than one at a
few, and the chunks forgotten. Documents whose chunks are scattered are noticed when they come again, and their chunks
gathered in a second reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from irbridge.drift.glances import Glance, runs
from irbridge.drift.resolving import Lost, in_order, resolve
from irbridge.drift.spans import Resolved
from irbridge.drift.wanted import Wanted
from irbridge.formats.chunk_columns import ChunkColumns
from irbridge.model import ChunkRow

# Characters of documents that are looked at together; and as many as a chunk counts for beside its text.
_TOGETHER, _ROW = 1 << 20, 128


class _Part(NamedTuple):
    """Some chunks of one document, one after the other."""

    rows: Sequence[ChunkRow]
    start: int
    stop: int


class Sweep:
    """One reading of the corpus.

    Attributes:
        resolved: by label number, what its own document says of it.
        scattered: documents that came more than once.
    """

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.resolved: dict[int, Resolved] = {}
        self.scattered: set[str] = set()
        self._closed: set[str] = set()
        self._lost: list[Lost] = []
        self._waiting = 0

    def run(self, pieces: Iterable[Sequence[ChunkRow]]) -> None:
        """Look at every chunk once."""
        look = Glance(self.wanted)
        current: str | None = None
        held: list[_Part] | None = None
        for rows in pieces:
            look(rows)
            for doc_uri, start, stop in runs(rows):
                if doc_uri != current:
                    if current is not None and held:
                        self._close(current, held)
                    current, held = doc_uri, self._begin(doc_uri)
                if held is not None:
                    held.append(_Part(rows, start, stop))
            if held and isinstance(rows, ChunkColumns):
                rows.columns.release()
        if current is not None and held:
            self._close(current, held)
        self._settle()

    def _begin(self, doc_uri: str) -> list[_Part] | None:
        numbers = self.wanted.watched.get(doc_uri)
        if numbers is None:
            return None
        self.wanted.present.add(doc_uri)
        if doc_uri in self._closed:
            self.scattered.add(doc_uri)
            return None
        return [] if numbers else None

    def _close(self, doc_uri: str, held: Iterable[_Part]) -> None:
        self._closed.add(doc_uri)
        lost = self.lost(doc_uri)
        if lost:
            # Only now are the chunks made that nobody asked for so far.
            rows = chain.from_iterable(part.rows[part.start : part.stop] for part in held)
            self._resolve(lost, in_order(rows))

    def _resolve(self, numbers: Sequence[int], rows: Sequence[ChunkRow]) -> None:
        """Look at a document's labels, together with those of others."""
        self._lost.append(Lost(numbers, rows))
        self._waiting += sum([len(row.text or "") + _ROW for row in rows])
        if self._waiting >= _TOGETHER:
            self._settle()

    def _settle(self) -> None:
        self.resolved |= resolve(self.wanted, self._lost)
        self._lost, self._waiting = [], 0

    def lost(self, doc_uri: str) -> list[int]:
        """The document's labels that neither an id nor an equal text has settled so far.

        A span settles what an equal text cannot: which of several equal chunks was meant.
        """
        wanted = self.wanted
        labels, live, spans = wanted.labels, wanted.live, wanted.spans
        return [
            number for number in wanted.watched[doc_uri]
            if labels[number].chunk_id not in live and (number in spans or wanted.anchor(number) is None)
        ]  # fmt: skip

    def gather(self, pieces: Iterable[Sequence[ChunkRow]]) -> None:
        """The scattered documents, in a second reading: those that some label is still lost in."""
        for doc_uri in self.scattered:
            for number in self.wanted.watched[doc_uri]:
                self.resolved.pop(number, None)
        lost = {doc_uri: found for doc_uri in self.scattered if (found := self.lost(doc_uri))}
        held: dict[str, list[ChunkRow]] = {doc_uri: [] for doc_uri in lost}
        for rows in pieces if lost else ():
            for doc_uri, start, stop in runs(rows):
                if doc_uri in held:
                    held[doc_uri] += rows[start:stop]
        for doc_uri, numbers in lost.items():
            self._resolve(numbers, in_order(held.pop(doc_uri)))
        self._settle()
