"""An annotator of no known kind."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher

_KINDS = ("human:", "synthetic:")


class _Annotators(Watcher):
    def end(self) -> Iterator[Issue]:
        for name in self.tally.names[1:]:
            if name is not None and (not name.startswith(_KINDS) or name in _KINDS):
                yield self.issue(f"labeled_by '{name}' is neither human:NAME nor synthetic:NAME", labeled_by=name)


CHECK = Check(
    name="bad-labeled-by",
    severity="warning",
    order=126,
    summary="a labeled_by that does not begin with human: or synthetic: and go on with a name",
    why="its labels count neither as people's nor as machines', and hide from no-human-labels",
    certainty="certain",
    watch=_Annotators,
)
