"""How much of a measure's movement is label decay, and how much is the retriever.

Labels that no longer match the corpus read as misses, whatever the retriever did. So a run is scored on the labels as they
stand, on the valid ones alone, and on those that hold: the valid ones and the repaired ones. Of two runs, one from before
and one from after the corpus changed, the movement is split:

    movement   = after, on the labels as they stand - before, on the labels as they were made
    retriever  = after - before, both on the labels that hold, each under the names of its own corpus
    decay      = movement - retriever

The three always add up. The retriever's part is a mean over queries, and has an interval; where that holds 0, nobody can
tell whether the retriever changed anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from irbridge.conventions import Convention
from irbridge.drift.findings import Drift
from irbridge.drift.fix import Repair
from irbridge.errors import InputError
from irbridge.evaluate import score
from irbridge.inputs import judged_run, opened
from irbridge.measures.base import Measure
from irbridge.model import Judgment
from irbridge.qrels import Qrels
from irbridge.scores import Scores
from irbridge.stats.interval import DECIMALS, interval


class Reading(NamedTuple):
    """One measure of one run after the change: on which labels, and over how many queries it is a mean of.

    Attributes:
        standing: on all labels as they stand.
        valid: on the valid labels alone.
        stale: on those that do not match the corpus.
        held: on the valid labels and the repaired ones.
    """

    measure: str
    standing: float | None
    valid: float | None
    stale: float | None
    held: float | None
    queries: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        numbers = {name: _rounded(getattr(self, name)) for name in ("standing", "valid", "stale", "held")}
        return {"measure": self.measure, **numbers, "queries": dict(self.queries)}


class Movement(NamedTuple):
    """One measure of two runs.

    Attributes:
        before: the earlier run, on all labels as they were made.
        after: the later run, on all labels as they stand.
        retriever: the change on the labels that hold, or None where none can be scored.
        low, high: its 95% interval over queries; None for fewer than two.
        queries: how many queries the retriever's part is a mean of.
    """

    measure: str
    before: float | None
    after: float | None
    retriever: float | None
    low: float | None
    high: float | None
    queries: int

    @property
    def movement(self) -> float | None:
        """After minus before."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def decay(self) -> float | None:
        """What the retriever does not explain."""
        moved = self.movement
        return None if moved is None or self.retriever is None else moved - self.retriever

    @property
    def telling(self) -> bool:
        """Whether the interval of the retriever's part leaves 0 out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def as_dict(self) -> dict[str, Any]:
        numbers = ("before", "after", "movement", "retriever", "low", "high", "decay")
        made = {name: _rounded(getattr(self, name)) for name in numbers}
        return {"measure": self.measure, **made, "queries": self.queries}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)


class Labels(NamedTuple):
    """The labels of a drift, in the selections that runs are scored on."""

    standing: list[Judgment]
    valid: list[Judgment]
    stale: list[Judgment]
    held: list[Judgment]
    held_before: list[Judgment]

    @classmethod
    def of(cls, labels: Sequence[Judgment], drift: Drift, repair: Repair) -> Labels:
        """The selections; what was absorbed in repair is held before and a part of another label after."""
        valid = [label for label, found in zip(labels, drift.findings, strict=True) if found.status == "VALID"]
        stale = [label for label, found in zip(labels, drift.findings, strict=True) if found.status != "VALID"]
        moved = set(repair.moved)
        holding = [found.status == "VALID" or number in moved for number, found in enumerate(drift.findings)]
        held = [row for row, holds in zip(repair.rows, holding, strict=True) if holds and row is not None]
        before = [label for label, holds in zip(labels, holding, strict=True) if holds]
        return cls(list(labels), valid, stale, held, before)


def decayed(labels: Labels, run: Any, measures: Sequence[Measure], convention: Convention) -> list[Reading]:
    """One run, made on the corpus as it is, on each selection of labels.

    Raises:
        InputError: the run cannot be read, or answers none of the judged queries.
    """
    run = opened(run, "run")  # once for all selections: a pipe can be read again, but not opened again
    standing = _scores(labels.standing, run, measures, convention)
    names = ("valid", "stale", "held")
    others = {name: _tried(getattr(labels, name), run, measures, convention) for name in names}
    found: list[Reading] = []
    for number, measure in enumerate(measures):
        values = {name: None if scores is None else scores.aggregate(number) for name, scores in others.items()}
        queries = {"standing": standing.coverage.scored} | {
            name: 0 if scores is None else scores.coverage.scored for name, scores in others.items()
        }
        found.append(Reading(measure.asked, standing.aggregate(number), **values, queries=queries))
    return found


def moved(
    labels: Labels, earlier: Any, later: Any, measures: Sequence[Measure], convention: Convention
) -> list[Movement]:
    """Two runs: the earlier one made on the corpus that the labels name, the later one on the corpus as it is.

    Raises:
        InputError: a run cannot be read, or answers none of the judged queries.
    """
    earlier, later = opened(earlier, "run"), opened(later, "run")
    before = _scores(labels.standing, earlier, measures, convention)
    after = _scores(labels.standing, later, measures, convention)
    held_before = _tried(labels.held_before, earlier, measures, convention)
    held_after = _tried(labels.held, later, measures, convention)
    return [
        Movement(
            measure.asked, before.aggregate(number), after.aggregate(number), *_change(held_before, held_after, number)
        )
        for number, measure in enumerate(measures)
    ]


def _change(
    before: Scores | None, after: Scores | None, number: int
) -> tuple[float | None, float | None, float | None, int]:
    """The mean change per query with its interval, over the queries that both were scored on."""
    if before is None or after is None:
        return None, None, None, 0
    old = dict(zip(before.query_ids, before.values[number].tolist(), strict=True))
    changes = np.array(
        [
            value - old[query_id]
            for query_id, value in zip(after.query_ids, after.values[number].tolist(), strict=True)
            if query_id in old
        ]
    )
    if not len(changes):
        return None, None, None, 0
    mean = float(changes.mean())
    if len(changes) == 1:
        return mean, None, None, 1
    low, high = interval(mean, float(changes.std(ddof=1)), len(changes))
    return mean, low, high, len(changes)


def _scores(labels: list[Judgment], run: Any, measures: Sequence[Measure], convention: Convention) -> Scores:
    qrels = Qrels.from_judgments(labels, repeats="last")
    return score(judged_run(qrels, run, convention), measures, convention)


def _tried(labels: list[Judgment], run: Any, measures: Sequence[Measure], convention: Convention) -> Scores | None:
    """The scores on a selection, or None where it has no label, or none of a query that the run answers."""
    if not labels:
        return None
    try:
        return _scores(labels, run, measures, convention)
    except InputError:
        # The run was read already, on all labels: what fails here is that this selection has no query in common with it.
        return None
