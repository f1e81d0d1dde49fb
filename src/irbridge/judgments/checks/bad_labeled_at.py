"""A time that is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Judgment

# RFC 3339, section 5.6; 60 seconds are a leap second.
_DATE_TIME = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


class _Times(Watcher):
    field = "labeled_at"

    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        self._bad: dict[str, int] = {}
        self._good: str | None = None

    def row(self, label: Judgment, line: int) -> Issue | None:
        at = label.labeled_at
        # Labels come in batches of one time: what was good a moment ago is good.
        if at is not None and at != self._good:
            if _is_date_time(at):
                self._good = at
            else:
                self._bad.setdefault(at, line)
        return None

    def end(self) -> Iterator[Issue]:
        for at, line in self._bad.items():
            yield self.issue(f"labeled_at '{at}' is no date and time such as 2024-05-01T12:00:00Z", line, labeled_at=at)


def _is_date_time(text: str) -> bool:
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return False
    try:
        datetime.strptime(found[1], "%Y-%m-%d")  # noqa: DTZ007 - only whether the calendar has that day
    except ValueError:
        return False
    return True


CHECK = Check(
    name="bad-labeled-at",
    severity="warning",
    order=127,
    summary="a labeled_at that is no RFC 3339 date and time",
    why="nothing can be ordered or selected by it, and a schema-checking reader refuses the row",
    certainty="certain",
    watch=_Times,
)
