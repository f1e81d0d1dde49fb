"""No label points at a chunk."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Anchors(Watcher):
    def end(self) -> Iterator[Issue]:
        if len(self.tally) and not self.tally.anchored:
            yield self.issue(
                "no label has a chunk_id, so drift can only work at document granularity. See spec/chunk-id.md"
            )


CHECK = Check(
    name="no-chunk-ids",
    severity="warning",
    order=27,
    summary="not one label has a chunk_id",
    why="that a document is still there says nothing about the passage that was judged",
    certainty="certain; quite usual for benchmarks of whole documents",
    watch=_Anchors,
)
