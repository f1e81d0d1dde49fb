"""Labels made on several corpora."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher


class _Fingerprints(Watcher):
    def end(self) -> Iterator[Issue]:
        count = len(self.tally.fingerprints)
        if count > 1:
            yield self.issue(
                f"judgments span {count} corpus fingerprints; run 'drift' before trusting any metric",
                fingerprints=list(self.tally.fingerprints),
            )


CHECK = Check(
    name="mixed-fingerprints",
    severity="warning",
    order=24,
    summary="more than one corpus_fingerprint",
    why="some of the labels were made on another state of the corpus and may point at what is no longer there",
    certainty="certain; whether a label has decayed is what irbridge drift tells",
    watch=_Fingerprints,
)
