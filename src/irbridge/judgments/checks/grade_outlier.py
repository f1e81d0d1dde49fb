"""A grade that stands alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irbridge.judgments.base import Check, Issue, Watcher

#: Fewer labels than this say nothing about which grades are usual.
ENOUGH = 50
#: A grade is far from the next lower one from this ratio on.
FAR = 5


class _Grades(Watcher):
    def end(self) -> Iterator[Issue]:
        counts = Counter(self.tally.grades)
        if len(self.tally) < ENOUGH or len(counts) < 2:
            return
        grades = sorted(counts)
        for below, grade in zip([None, *grades], grades, strict=False):
            once = counts[grade] == 1
            rare = once or counts[grade] * 100 <= len(self.tally)
            far = rare and below is not None and below > 0 and grade >= FAR * below
            if not once and not far:
                continue
            row = self.tally.grades.index(grade)
            often = "once" if once else f"{counts[grade]} times"
            gap = f", the next lower grade is {below}" if far else ""
            yield self.issue(
                f"grade {grade} is given {often} in {len(self.tally)} labels{gap}",
                self.tally.place(row),
                grade=grade,
                count=counts[grade],
            )


CHECK = Check(
    name="grade-outlier",
    severity="warning",
    order=123,
    summary=f"among {ENOUGH} labels or more, a grade given once, or one in a hundred times and {FAR} times the next lower",
    why="a slip of the key (11 for 1) decides an nDCG with exponential gain by itself",
    certainty="a guess from counts; graded pools have rare grades by right",
    watch=_Grades,
)
