"""A query id with more than one text."""

from __future__ import annotations

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Judgment


class _Texts(Watcher):
    field = "query"

    def row(self, label: Judgment, line: int) -> Issue | None:
        # The text before this one, not the first: a file that changes to and fro is told at every change.
        before = self.tally.texts.get(label.query_id)
        if before is None or before == label.query or label.query is None:
            return None
        return self.issue(f"query {label.query_id} has two different query strings", line, texts=[before, label.query])


CHECK = Check(
    name="inconsistent-query-text",
    severity="error",
    order=11,
    summary="a query whose text differs from that of the row before that has one",
    why="the labels belong to two queries under one id, or a query was edited after it was judged",
    certainty="certain",
    watch=_Texts,
)
