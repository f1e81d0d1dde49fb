"""A label's query text that is not the collection's."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Query


class _Texts(Watcher):
    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._found: dict[str, str] = {}

    def query(self, query: Query) -> None:
        text = self.tally.texts.get(query.query_id)
        if text is not None and text != query.text:
            self._found[query.query_id] = query.text

    def end(self) -> Iterator[Issue]:
        for query_id, text in self._found.items():
            yield self.issue(
                f"query {query_id} has another text among the queries than in the judgments",
                query_id=query_id,
                texts=[self.tally.texts[query_id], text],
            )


CHECK = Check(
    name="query-text-differs",
    severity="warning",
    order=101,
    summary="a judged query whose text among the given queries is not that of its labels",
    why="the query was edited after it was judged, or the queries are another collection's with the same numbering",
    certainty="certain that the texts differ",
    watch=_Texts,
    needs="queries",
)
