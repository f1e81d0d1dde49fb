"""A label whose digest is not that of its text."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.errors import InputError
from irbridge.identity import text_sha
from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Judgment


class _Digests(Watcher):
    field = "chunk_text"

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._found: list[Issue] = []

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.text_sha is None or label.chunk_text is None:
            return None
        try:
            real = text_sha(label.chunk_text)
        except InputError:  # half a character has no digest
            return None
        if real != label.text_sha:
            self._found.append(
                self.issue(
                    f"text_sha is not that of chunk_text on query {label.query_id} and target {label.key}",
                    line,
                    query_id=label.query_id,
                    key=label.key,
                    text_sha=label.text_sha,
                    of_chunk_text=real,
                )
            )
        return None

    def end(self) -> Iterator[Issue]:
        return iter(self._found)


CHECK = Check(
    name="text-sha-mismatch",
    severity="warning",
    order=120,
    summary="a text_sha that is not the digest of the label's chunk_text",
    why="one of the two is not what was judged; drift would follow the one or the other into different chunks",
    certainty="certain that they differ; which of them is right nobody can tell from the file",
    watch=_Digests,
)
