"""A query that stands word for word in a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.judgments.content import words
from irbridge.model import Chunk

#: Shorter queries stand in documents by chance.
LEAST_WORDS = 6
_LISTED = 10


class _Leaks(Watcher):
    """Each query is looked for only where its rarest word (among the queries) occurs."""

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._by_word: dict[str, list[tuple[str, str]]] | None = None
        self._found: dict[str, list[str]] = {}
        self._count: Counter[str] = Counter()

    def _indexed(self) -> dict[str, list[tuple[str, str]]]:
        long = {}
        for query_id in self.tally.keys:
            found = words(self.tally.text_of(query_id) or "")
            if len(found) >= LEAST_WORDS:
                long[query_id] = found
        frequency = Counter(word for found in long.values() for word in set(found))
        by_word: dict[str, list[tuple[str, str]]] = {}
        for query_id, found in long.items():
            rarest = min(found, key=lambda word: (frequency[word], -len(word), word))
            by_word.setdefault(rarest, []).append((query_id, f" {' '.join(found)} "))
        return by_word

    def chunk(self, chunk: Chunk) -> None:
        if self._by_word is None:
            self._by_word = self._indexed()
        if not self._by_word or not chunk.text:
            return
        found = words(chunk.text)
        hits = self._by_word.keys() & found
        if not hits:
            return
        text = f" {' '.join(found)} "
        for word in hits:
            for query_id, wanted in self._by_word[word]:
                if wanted in text:
                    self._count[query_id] += 1
                    named = self._found.setdefault(query_id, [])
                    if len(named) < _LISTED and chunk.doc_uri not in named:
                        named.append(chunk.doc_uri)

    def end(self) -> Iterator[Issue]:
        for query_id in self.tally.keys:
            named = self._found.get(query_id)
            if named is None:
                continue
            count = self._count[query_id]
            where = (
                f"document {named[0]}" if count == 1 else f"{count} places of the corpus, first in document {named[0]}"
            )
            yield self.issue(
                f"query {query_id} stands word for word in {where}",
                query_id=query_id,
                places=count,
                doc_uris=named,
                judged=[doc_uri for doc_uri in named if doc_uri in self.tally.keys[query_id]],
            )


CHECK = Check(
    name="query-in-corpus",
    severity="warning",
    order=114,
    summary=f"a query of {LEAST_WORDS} words or more that stands word for word in a chunk or document",
    why="if it was copied from there, finding it shows that strings can be compared, not that retrieval works",
    certainty="certain that it stands there, case, punctuation and white space aside; not that it was copied",
    watch=_Leaks,
    needs="corpus",
)
