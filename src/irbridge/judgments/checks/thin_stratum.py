"""A stratum with few labels."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import THIN, UNSTRATIFIED, Check, Issue, Watcher


class _Strata(Watcher):
    def end(self) -> Iterator[Issue]:
        for name, labels in sorted(self.tally.strata.items()):
            if labels < THIN and name != UNSTRATIFIED:
                yield self.issue(f"stratum '{name}' has only {labels} labels, too few to gate on")


CHECK = Check(
    name="thin-stratum",
    severity="warning",
    order=25,
    summary=f"a named stratum with fewer than {THIN} labels; names sorted by code point",
    why="one label more or less moves its score across any gate",
    certainty="certain",
    watch=_Strata,
)
