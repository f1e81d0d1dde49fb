"""Several runs scored on the same labels, and the queries that count for all of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from irbridge.arguments import doubled
from irbridge.arrays import Floats
from irbridge.budgets import Budget, Budgets
from irbridge.collect import Judged
from irbridge.comparison.unjudged import joint_bounds
from irbridge.conventions import Convention
from irbridge.errors import InputError, UsageError, shown
from irbridge.evaluate import score
from irbridge.inputs import Input, judged_run, opened
from irbridge.measures.base import Measure
from irbridge.provenance import InputRecord
from irbridge.qrels import Qrels
from irbridge.scores import Extremes, Scores
from irbridge.source import Source


@dataclass(frozen=True, eq=False)
class Systems:
    """Systems on the same queries.

    Attributes:
        names: of the systems, each once.
        scores: of each, over all queries that count for it.
        query_ids: the queries that count for every system, in qrels order.
        values: float64 of shape (systems, measures, queries), of those queries.
        judged: of each, what was found.
        bounds: of each, number of a measure -> (worst, best), float64 per query of those, where the convention asks for them.
        inputs: the runs.
        notes: what was noticed while reading, in words.
        labels_sha256: the digest of the labels.
    """

    names: tuple[str, ...]
    scores: tuple[Scores, ...]
    query_ids: list[str]
    values: Floats
    judged: tuple[Judged, ...]
    bounds: tuple[Mapping[int, Extremes], ...]
    inputs: tuple[InputRecord, ...]
    notes: tuple[str, ...]
    labels_sha256: str

    @property
    def measures(self) -> tuple[Measure, ...]:
        """As resolved under the convention."""
        return self.scores[0].measures

    @property
    def convention(self) -> Convention:
        """How all of them were evaluated."""
        return self.scores[0].convention

    @cached_property
    def left_out(self) -> int:
        """How many queries count for one system and not for another, so that they are not compared."""
        return len(set().union(*(scores.query_ids for scores in self.scores))) - len(self.query_ids)

    def aggregate(self, system: int, measure: int) -> float | None:
        """The mean (the sum for counts) over the queries that are compared; None where there is none."""
        if not self.left_out:
            return self.scores[system].aggregate(measure)
        return self.measures[measure].family.aggregate(self.values[system, measure])

    def bound(self, system: int, measure: int) -> tuple[float, float] | None:
        """The worst and the best mean over the queries that are compared; None where they are not known."""
        both = self.bounds[system].get(measure)
        if both is None:
            return None
        worst, best = (self.measures[measure].family.aggregate(row) for row in both)
        return worst, best

    def fit(self, system: int) -> dict[Budget, float]:
        """How many documents of a ranking fit into each budget, in the mean over judged queries."""
        return {budget: float(depths.mean()) for budget, depths in self.judged[system].hits.depths.items()}


def score_systems(
    qrels: Qrels,
    runs: Sequence[Any],
    names: Sequence[str] | None,
    measures: Sequence[Measure],
    convention: Convention,
    within: Budgets | None = None,
    *,
    digests: bool = False,
) -> Systems:
    """Score runs on the same labels.

    Args:
        qrels: the labels.
        runs: each anything that `irbridge.load` takes, or an `Input`.
        names: of the systems; None: those of their files.
        measures: what to score by.
        convention: how.
        within: what measures with a budget need.
        digests: read the files of the runs once more for their SHA-256.

    Raises:
        UsageError: no run, or not one name for each.
        IrbridgeError: a run cannot be used.
    """
    sources = [opened(run, "run") for run in runs]
    called = names_of(sources) if names is None else _given(names, len(sources))
    if not sources:
        raise UsageError("no run is named", hint="give at least one")
    judged = tuple(judged_run(qrels, source, convention, budgets=within) for source in sources)
    scored = tuple(score(each, measures, convention) for each in judged)
    counted = set(scored[0].query_ids).intersection(*(set(each.query_ids) for each in scored[1:]))
    if not counted:
        hint = "--missing zero counts a query that a run does not answer as 0"
        raise InputError(
            "there is no query that counts for every run", path=sources[0].label,
            hint=hint if any(each.query_ids for each in scored) else f"no label reaches grade {convention.rel}",
        )  # fmt: skip
    kept = [[query in counted for query in each.query_ids] for each in scored]
    values = np.array([each.values[:, keep] for each, keep in zip(scored, kept, strict=True)])
    bounds = joint_bounds(judged, scored) if convention.unjudged == "bounds" else [{} for _ in scored]
    return Systems(
        tuple(called),
        scored,
        [query_id for query_id in scored[0].query_ids if query_id in counted],
        values,
        judged,
        tuple(
            {number: (worst[keep], best[keep]) for number, (worst, best) in each.items()}
            for each, keep in zip(bounds, kept, strict=True)
        ),
        tuple(InputRecord.of("run", source, digest=digests) for source in sources),
        tuple(f"{source.label}: {note}" for source in sources for note in source.reading.notes.values()),
        qrels.sha256(),
    )


def names_of(sources: Sequence[Input]) -> list[str]:
    """What systems are called where nobody says it: by file name without suffix; by label where that is not enough."""
    short: list[str] = []
    for number, source in enumerate(sources, 1):
        if isinstance(source.source, Source):
            short.append(os.path.splitext(os.path.basename(source.source.name))[0] or source.label)
        else:
            short.append(f"run {number}")
    for found in (short, [source.label for source in sources]):
        if len(set(found)) == len(found):
            return found
    return [f"{name} ({number})" for number, name in enumerate(short, 1)]


def _given(names: Any, count: int) -> list[str]:
    found = [names] if isinstance(names, str) else list(names)
    if len(found) != count or not all(isinstance(name, str) and name for name in found):
        raise UsageError(f"{count} runs need {count} names, not {len(found)}", hint="one text for each run, in order")
    if len(set(found)) != count:
        twice = doubled(found)
        raise UsageError(f"two systems are called '{shown(twice, 40)}'", hint="give each a name of its own")
    return found
