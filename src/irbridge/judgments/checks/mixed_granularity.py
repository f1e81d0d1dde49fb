"""Labels of chunks beside labels of documents."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Granularity(Watcher):
    def end(self) -> Iterator[Issue]:
        anchored, labels = self.tally.anchored, len(self.tally)
        if 0 < anchored < labels:
            yield self.issue(f"{anchored}/{labels} labels have chunk_id; the rest are document-level")


CHECK = Check(
    name="mixed-granularity",
    severity="warning",
    order=26,
    summary="some labels have a chunk_id and others have none",
    why="a run returns chunks or documents, so one of the two kinds of labels can never be found",
    certainty="certain",
    watch=_Granularity,
)
