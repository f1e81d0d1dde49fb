"""A chunk id that is none."""

from __future__ import annotations

from irbridge.identity import is_chunk_id
from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Judgment


class _ChunkIds(Watcher):
    field = "chunk_id"

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.chunk_id is None or is_chunk_id(label.chunk_id):
            return None
        return self.issue(f"malformed chunk_id on query {label.query_id}: {label.chunk_id}", line)


CHECK = Check(
    name="bad-chunk-id",
    severity="error",
    order=12,
    summary="a chunk_id that is not c1: and 32 lower-case hex digits",
    why="it names no text, so nobody can say whether the label still holds",
    certainty="certain",
    watch=_ChunkIds,
)
