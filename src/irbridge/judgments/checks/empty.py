"""No label at all."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Empty(Watcher):
    def end(self) -> Iterator[Issue]:
        if not len(self.tally):
            yield self.issue("no judgments")


CHECK = Check(
    name="empty",
    severity="error",
    order=21,
    summary="no label at all",
    why="nothing can be scored; most often the export that should have written the file failed",
    certainty="certain",
    watch=_Empty,
)
