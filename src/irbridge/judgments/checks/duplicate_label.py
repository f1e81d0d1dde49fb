"""One query and one document or chunk, judged twice."""

from __future__ import annotations

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Judgment


class _Duplicates(Watcher):
    def repeated(self, label: Judgment, line: int, first: int) -> Issue | None:
        return self.issue(
            f"duplicate judgment for query {label.query_id} and target {label.key}",
            line,
            first_line=self.tally.place(first),
            grades=[self.tally.grades[first], label.relevance],
        )


CHECK = Check(
    name="duplicate-label",
    severity="error",
    order=10,
    summary="a query and a document or chunk that an earlier row has judged already",
    why="which of the two rows counts is a matter of the tool that reads them, so no number made of them can be trusted",
    certainty="certain",
    watch=_Duplicates,
)
