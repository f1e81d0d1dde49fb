"""Labels of a query that the collection does not have."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Query


class _Queries(Watcher):
    _there: set[str] | None = None

    def query(self, query: Query) -> None:
        if self._there is None:
            self._there = set()
        if query.query_id in self.tally.keys:
            self._there.add(query.query_id)

    def end(self) -> Iterator[Issue]:
        there = self._there or set()
        for query_id, own in self.tally.keys.items():
            if query_id not in there:
                line = self.tally.place(next(iter(own.values())))
                yield self.issue(f"query {query_id} is judged and not among the queries", line, query_id=query_id)


CHECK = Check(
    name="dangling-query",
    severity="error",
    order=100,
    summary="a judged query that the given queries do not hold",
    why="no run over those queries can answer it, so it scores 0 for ever, or is left out without a word",
    certainty="certain, if these are the right queries",
    watch=_Queries,
    needs="queries",
)
