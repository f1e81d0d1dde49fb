"""Labels of a document that the corpus does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Chunk, Judgment


class _Documents(Watcher):
    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._absent: dict[str, tuple[int, str]] = {}
        self._labels: Counter[str] = Counter()

    def row(self, label: Judgment, line: int) -> Issue | None:
        self._absent.setdefault(label.doc_uri, (line, label.query_id))
        self._labels[label.doc_uri] += 1
        return None

    def chunk(self, chunk: Chunk) -> None:
        self._absent.pop(chunk.doc_uri, None)

    def end(self) -> Iterator[Issue]:
        for doc_uri, (line, query_id) in self._absent.items():
            labels = self._labels[doc_uri]
            count = "1 label" if labels == 1 else f"{labels} labels"
            yield self.issue(
                f"document {doc_uri} is judged ({count}, first for query {query_id}) and not in the corpus",
                line,
                doc_uri=doc_uri,
                query_id=query_id,
                labels=labels,
            )


CHECK = Check(
    name="dangling-document",
    severity="error",
    order=110,
    summary="a judged document that the given corpus does not hold",
    why="no retriever can find it, so recall is bounded by something that nobody sees",
    certainty="certain, if this is the right corpus",
    watch=_Documents,
    needs="corpus",
)
