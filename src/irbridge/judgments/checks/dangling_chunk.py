"""Labels of a chunk that the corpus does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Chunk, Judgment


class _Chunks(Watcher):
    field = "chunk_id"

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._absent: dict[str, tuple[int, str, str]] = {}
        self._documents: set[str] = set()

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.chunk_id is not None:
            self._absent.setdefault(label.chunk_id, (line, label.query_id, label.doc_uri))
            self._documents.add(label.doc_uri)
        return None

    def chunk(self, chunk: Chunk) -> None:
        self._absent.pop(chunk.chunk_id, None)
        self._documents.discard(chunk.doc_uri)

    def end(self) -> Iterator[Issue]:
        for chunk_id, (line, query_id, doc_uri) in self._absent.items():
            if doc_uri not in self._documents:  # of a document that is gone, dangling-document tells
                yield self.issue(
                    f"chunk {chunk_id} of query {query_id} is not in the corpus; run 'drift' to see where its text is",
                    line,
                    chunk_id=chunk_id,
                    query_id=query_id,
                    doc_uri=doc_uri,
                )


CHECK = Check(
    name="dangling-chunk",
    severity="warning",
    order=111,
    summary="a judged chunk that the given corpus does not hold, though it holds the document",
    why="the corpus was chunked anew since; until the label follows its text, no retriever can find it",
    certainty="certain; what became of the text is what irbridge drift tells",
    watch=_Chunks,
    needs="corpus",
)
