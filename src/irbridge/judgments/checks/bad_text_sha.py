"""A text digest that is none."""

from __future__ import annotations

import re

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.model import Judgment

_DIGEST = re.compile(r"t1:[0-9a-f]{32}").fullmatch


class _Digests(Watcher):
    field = "text_sha"

    def row(self, label: Judgment, line: int) -> Issue | None:
        if label.text_sha is None or _DIGEST(label.text_sha):
            return None
        return self.issue(f"malformed text_sha on query {label.query_id}: {label.text_sha}", line)


CHECK = Check(
    name="bad-text-sha",
    severity="error",
    order=13,
    summary="a text_sha that is not t1: and 32 lower-case hex digits",
    why="no text can be found by it, so the label cannot follow its text into a new chunk",
    certainty="certain",
    watch=_Digests,
)
