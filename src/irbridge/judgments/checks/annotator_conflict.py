"""Annotators who do not agree about one label."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Tally, Watcher
from irbridge.model import Judgment


class _Annotators(Watcher):
    def __init__(self, check: Check, tally: Tally) -> None:
        super().__init__(check, tally)
        # (annotator, grade, line) of what is judged more than once; the first row is known to the tally
        self._votes: dict[tuple[str, str], list[tuple[str | None, int, int]]] = {}

    def repeated(self, label: Judgment, line: int, first: int) -> Issue | None:
        tally = self.tally
        votes = self._votes.setdefault(
            (label.query_id, label.target), [(tally.names[tally.by[first]], tally.grades[first], tally.lines[first])]
        )
        votes.append((label.labeled_by, label.relevance, line))
        return None

    def end(self) -> Iterator[Issue]:
        for (query_id, target), votes in self._votes.items():
            named = [vote for vote in votes if vote[0] is not None]
            if not _differ(named):
                continue
            said = ", ".join(f"{by} says {grade}" for by, grade, _ in named)
            key = target.partition("\0")[0]
            yield self.issue(
                f"annotators disagree about query {query_id} and target {key}: {said}",
                votes[-1][2],
                query_id=query_id,
                key=key,
                votes=[{"labeled_by": by, "relevance": grade, "line": line or None} for by, grade, line in named],
            )


def _differ(votes: list[tuple[str | None, int, int]]) -> bool:
    """Whether two annotators gave two grades."""
    by_grade: dict[int, set[str | None]] = {}
    for by, grade, _ in votes:
        by_grade.setdefault(grade, set()).add(by)
    # With two grades there is a pair of different annotators, unless one person alone gave them all.
    return len(by_grade) > 1 and len(set().union(*by_grade.values())) > 1


CHECK = Check(
    name="annotator-conflict",
    severity="warning",
    order=121,
    summary="a query and a document or chunk that two annotators (labeled_by) gave different grades; also a duplicate-label",
    why="which grade is right has to be decided by a person, not by the order of the rows (irbridge qrels agree measures how often)",
    certainty="certain",
    watch=_Annotators,
)
