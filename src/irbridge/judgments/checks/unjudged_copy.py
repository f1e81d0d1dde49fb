"""One content under several ids, of which only some are judged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.judgments.content import digest, folded
from irbridge.model import Chunk

_LISTED = 10


class _Contents:
    """Pieces of a corpus and their contents: chunks, or documents put together of their chunks, which stand together."""

    def __init__(self, tally: Tally, found: Callable[[str, bytes], None]) -> None:
        self._chunks = tally.anchored > 0
        self._documents = tally.anchored < len(tally)
        self._found = found
        self._doc_uri: str | None = None
        self._parts: list[bytes] = []

    def add(self, chunk: Chunk) -> None:
        text = folded(chunk.text or "")
        own = digest(text) if text else b""
        if self._chunks and own:
            self._found(chunk.chunk_id, b"chunk" + own)  # a document of one chunk is no copy of that chunk
        if self._documents:
            if chunk.doc_uri != self._doc_uri:
                self.flush()
                self._doc_uri = chunk.doc_uri
            if own:
                self._parts.append(own)

    def flush(self) -> None:
        """The document at hand is whole."""
        if self._doc_uri is not None and self._parts:
            whole = self._parts[0] if len(self._parts) == 1 else _joined(self._parts)
            self._found(self._doc_uri, b"document" + whole)
        self._doc_uri, self._parts = None, []


def _joined(parts: list[bytes]) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=16, person=b"document").digest()


class _Copies(Watcher):
    """First reading: the contents of what is judged. Second: what else has one of them."""

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._judged: set[str] = set()
        self._by_content: dict[bytes, dict[str, None]] = {}
        self._units: _Contents | None = None

    def chunk(self, chunk: Chunk) -> None:
        if self._units is None:
            self._judged = {key for own in self.tally.keys.values() for key in own}
            self._units = _Contents(self.tally, self._learn)
        self._units.add(chunk)

    def _learn(self, key: str, content: bytes) -> None:
        if key in self._judged:
            self._by_content.setdefault(content, {})

    @property
    def once_more(self) -> bool:
        if self._units is not None:
            self._units.flush()
        self._units = _Contents(self.tally, self._compare)
        return bool(self._by_content)

    def again(self, chunk: Chunk) -> None:
        if self._units is not None:
            self._units.add(chunk)

    def _compare(self, key: str, content: bytes) -> None:
        same = self._by_content.get(content)
        if same is not None:
            same[key] = None

    def end(self) -> Iterator[Issue]:
        if self._units is not None:
            self._units.flush()
        copies = {key: list(same) for same in self._by_content.values() if len(same) > 1 for key in same}
        if not copies:
            return
        for query_id, own in self.tally.keys.items():
            told: set[str] = set()
            for key, row in own.items():
                # What is not relevant has copies that are not relevant either: nothing is lost where they are unjudged.
                if key not in copies or copies[key][0] in told or self.tally.grades[row] < 1:
                    continue
                told.add(copies[key][0])
                unjudged = [copy for copy in copies[key] if copy not in own]
                if unjudged:
                    yield self._issue_of(query_id, key, row, unjudged)

    def _issue_of(self, query_id: str, key: str, row: int, unjudged: list[str]) -> Issue:
        which = unjudged[0] if len(unjudged) == 1 else f"{unjudged[0]} and {len(unjudged) - 1} more"
        return self.issue(
            f"query {query_id}: {key} is judged {self.tally.grades[row]}, and {which} with the same text "
            f"{'is' if len(unjudged) == 1 else 'are'} not judged",
            self.tally.place(row),
            query_id=query_id,
            key=key,
            copies=len(unjudged),
            unjudged=unjudged[:_LISTED],
        )


CHECK = Check(
    name="unjudged-copy",
    severity="warning",
    order=112,
    summary="a relevant document or chunk whose text stands in the corpus under another id that is not judged",
    why="a retriever that returns the copy has found the answer and is told that it has not",
    certainty="certain that the texts are equal after NFC, case folding and white-space folding",
    watch=_Copies,
    needs="corpus",
)
