"""A query without a text."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Textless(Watcher):
    def end(self) -> Iterator[Issue]:
        for query_id in sorted(query_id for query_id, text in self.tally.texts.items() if text is None):
            yield self.issue(f"query {query_id} has no query text on any row")


CHECK = Check(
    name="missing-query-text",
    severity="warning",
    order=20,
    summary="a query that has a text on none of its rows; ids sorted by code point",
    why="nobody can judge for it again, and no retriever can be run on the file alone",
    certainty="certain",
    watch=_Textless,
)
