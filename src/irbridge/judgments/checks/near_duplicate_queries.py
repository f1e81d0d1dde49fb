"""Queries that have nearly the same words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from irbridge.judgments.base import Check, Issue, Watcher
from irbridge.judgments.near_duplicates import groups

ALIKE = Fraction(4, 5)
_LISTED = 10


class _Alike(Watcher):
    def end(self) -> Iterator[Issue]:
        texts = ((query_id, self.tally.text_of(query_id) or "") for query_id in self.tally.keys)
        for ids in groups(texts, ALIKE):
            rest = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
            yield self.issue(
                f"queries {', '.join(ids[:3])}{rest} have nearly the same words",
                count=len(ids),
                query_ids=ids[:_LISTED],
            )


CHECK = Check(
    name="near-duplicate-queries",
    severity="info",
    order=122,
    summary="queries whose sets of words have a Jaccard index of 4/5 or more, each with the next",
    why="one question counts several times, and with labels of its own each time, which may not agree",
    certainty="certain that the words are alike; two years in two questions are enough to mean something else",
    watch=_Alike,
)
