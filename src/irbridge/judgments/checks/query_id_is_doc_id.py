"""A query that is judged against the document of the same id."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.judgments.content import folded
from irbridge.model import Chunk, Judgment

_LISTED = 10


class _Selves(Watcher):
    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._judged: dict[str, int] = {}
        self._same: dict[str, None] = {}

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.query_id == label.doc_uri:
            self._judged.setdefault(label.query_id, line)
        return None

    def chunk(self, chunk: Chunk) -> None:
        if chunk.doc_uri in self.tally.keys and chunk.text:
            text = self.tally.text_of(chunk.doc_uri)
            if text and folded(text) in folded(chunk.text):
                self._same[chunk.doc_uri] = None

    def end(self) -> Iterator[Issue]:
        for query_id, line in self._judged.items():
            yield self.issue(f"query {query_id} is judged against document {query_id}", line, query_id=query_id)
        if self._same:
            ids = list(self._same)
            which = f"{', '.join(ids[:3])}{', ...' if len(ids) > 3 else ''}"
            verb = "query is a document" if len(ids) == 1 else "queries are documents"
            yield self.issue(
                f"{len(ids)} {verb} of the corpus, with id and text: {which}",
                count=len(ids),
                query_ids=ids[:_LISTED],
            )


CHECK = Check(
    name="query-id-is-doc-id",
    severity="warning",
    order=124,
    summary="a label whose query id is its document id; with a corpus, queries that are documents by id and text",
    why="whether a query may find itself is a convention: BEIR takes such documents out of the ranking, others score them",
    certainty="certain that the ids are equal; ids that are mere numbers may be so by chance",
    watch=_Selves,
)
