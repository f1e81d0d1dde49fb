"""Nothing is relevant."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Positives(Watcher):
    def end(self) -> Iterator[Issue]:
        if len(self.tally) and max(self.tally.grades) < 1:
            yield self.issue("no judgment has relevance >= 1, so recall is undefined for every query")


CHECK = Check(
    name="no-positives",
    severity="error",
    order=22,
    summary="not one label with a grade of 1 or more",
    why="every measure is undefined or zero, whatever the retriever does",
    certainty="certain",
    watch=_Positives,
)
