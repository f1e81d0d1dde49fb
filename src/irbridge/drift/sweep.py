"""The corpus, read once: ids and equal texts wherever they are, and each document while its chunks pass by.

Chunks of one document usually stand together. Those of a document that some label is lost in are held until the next
document begins, and then forgotten. Documents whose chunks are scattered are noticed when they come again, and their
chunks gathered in a second reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from irbridge.drift.resolving import in_order, resolve
from irbridge.drift.spans import Resolved
from irbridge.drift.wanted import Wanted
from irbridge.model import ChunkRow


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

    def run(self, pieces: Iterable[Sequence[ChunkRow]]) -> None:
        """Look at every chunk once."""
        wanted = self.wanted
        current: str | None = None
        held: list[ChunkRow] | None = None
        for rows in pieces:
            # What every chunk must pass through is left to loops inside Python: there are far more chunks than labels.
            wanted.live |= wanted.ids.intersection([row.chunk_id for row in rows])
            self._equal(rows)
            documents = [row.doc_uri for row in rows]
            start = 0
            while start < len(rows):
                doc_uri = documents[start]
                if doc_uri != current:
                    if held:
                        self._close(held)
                    current, held = doc_uri, self._begin(doc_uri)
                stop = _until(documents, start)
                if held is not None:
                    held += rows[start:stop]
                start = stop
        if held:
            self._close(held)

    def _equal(self, rows: Sequence[ChunkRow]) -> None:
        by_sha = self.wanted.by_sha
        if not by_sha:
            return
        named = [row.text_sha for row in rows]
        if all(named):
            for row in compress(rows, map(by_sha.__contains__, named)):
                by_sha[row.text_sha or ""].offer(row)
            return
        for row in rows:
            target = self.wanted.equal(row)
            if target is not None:
                target.offer(row)

    def _begin(self, doc_uri: str) -> list[ChunkRow] | None:
        if doc_uri not in self.wanted.watched:
            return None
        self.wanted.present.add(doc_uri)
        if doc_uri in self._closed:
            self.scattered.add(doc_uri)
            return None
        return [] if self.wanted.watched[doc_uri] else None

    def _close(self, rows: list[ChunkRow]) -> None:
        doc_uri = rows[0].doc_uri
        self._closed.add(doc_uri)
        lost = self.lost(doc_uri)
        if lost:
            self.resolved |= resolve(self.wanted, lost, in_order(rows))

    def lost(self, doc_uri: str) -> list[int]:
        """The document's labels that neither an id nor an equal text has settled so far.

        A span settles what an equal text cannot: which of several equal chunks was meant.
        """
        wanted = self.wanted
        return [
            number for number in wanted.watched[doc_uri]
            if not wanted.is_live(number) and (number in wanted.spans or wanted.anchor(number) is None)
        ]  # fmt: skip

    def gather(self, pieces: Iterable[Sequence[ChunkRow]]) -> None:
        """The scattered documents, in a second reading: those that some label is still lost in."""
        for doc_uri in self.scattered:
            for number in self.wanted.watched[doc_uri]:
                self.resolved.pop(number, None)
        lost = {doc_uri: found for doc_uri in self.scattered if (found := self.lost(doc_uri))}
        held: dict[str, list[ChunkRow]] = {doc_uri: [] for doc_uri in lost}
        for rows in pieces if lost else ():
            for row in rows:
                if row.doc_uri in held:
                    held[row.doc_uri].append(row)
        for doc_uri, numbers in lost.items():
            self.resolved |= resolve(self.wanted, numbers, in_order(held.pop(doc_uri)))


def _until(documents: Sequence[str], start: int) -> int:
    """Where the run of one document that begins at `start` ends."""
    doc_uri, stop, end = documents[start], start + 1, len(documents)
    while stop < end and documents[stop] == doc_uri:
        stop += 1
    return stop
