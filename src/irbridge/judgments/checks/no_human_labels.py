"""Only machines have judged."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Judges(Watcher):
    def end(self) -> Iterator[Issue]:
        if self.tally.synthetic and not self.tally.human:
            yield self.issue(
                "every label is synthetic. Without human labels you cannot measure judge calibration, "
                "and synthetic labels quietly become ground truth"
            )


CHECK = Check(
    name="no-human-labels",
    severity="warning",
    order=23,
    summary="labels of synthetic: and none of human:",
    why="how well the judging model judges can only be told from labels that people made",
    certainty="certain, as far as labeled_by is filled in",
    watch=_Judges,
)
