"""Hits x measures -> scores: per query and in the aggregate, under a convention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irbridge.collect import Judged
from irbridge.conventions import Convention, get_convention
from irbridge.errors import InputError, UnknownName, UsageError, shown
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.registry import nearest
from irbridge.wording import worded

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How many measures `repr` names.
_SHOWN = 6


class Coverage(NamedTuple):
    """Which queries count, and why others do not.

    Attributes:
        judged: number of judged queries.
        answered: of these, how many the run answers.
        scored: how many count in the aggregates.
        missing: judged queries that the run does not answer.
        no_positives: judged queries without a label at the relevance level.
        extra: number of answered queries without judgments.
        repeated: queries whose ranking holds a document twice.
        contradicting: queries whose rank column contradicts the scores.
        judged_hits: retrieved documents that are judged.
        judged_at_10: share of the documents in the top 10 that are judged, 0 to 1; None where nothing was retrieved.
    """

    judged: int
    answered: int
    scored: int
    missing: list[str]
    no_positives: list[str]
    extra: int
    repeated: list[str]
    contradicting: list[str]
    judged_hits: int
    judged_at_10: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Values of measures over the queries that count. Nothing is rounded.

    Attributes:
        measures: as resolved under the convention, in the order asked.
        query_ids: the queries that count, in qrels order.
        values: float64 of shape (measures, queries).
        overall: number of a measure -> its aggregate, where that is not made of its values.
    """

    measures: tuple[Measure, ...]
    query_ids: list[str]
    values: NDArray[np.float64]
    convention: Convention
    coverage: Coverage
    overall: Mapping[int, float] = field(default_factory=dict)

    def aggregate(self, number: int) -> float | None:
        """The mean (the sum for counts) of measure `number`; None if no query counts."""
        row = self.values[number]
        if len(row) == 0:
            return None
        return self.overall[number] if number in self.overall else self.measures[number].family.aggregate(row)

    def aggregates(self) -> dict[str, float]:
        """{asked name: aggregate}; empty if no query counts."""
        found = ((measure.asked, self.aggregate(number)) for number, measure in enumerate(self.measures))
        return {name: value for name, value in found if value is not None}

    def per_query(self) -> Iterator[tuple[str, str, float]]:
        """(query_id, asked name, value), by query, then measure."""
        names = [measure.asked for measure in self.measures]
        for query_id, row in zip(self.query_ids, self.values.T.tolist(), strict=True):
            for name, value in zip(names, row, strict=True):
                yield query_id, name, value

    def __repr__(self) -> str:
        """What a person wants to see of it: the means, over how many queries, under which convention."""
        said = [f"{name}={value:.4f}" for name, value in islice(self.aggregates().items(), _SHOWN)]
        more = len(self.measures) - _SHOWN
        said += [f"and {more:,} more"] if more > 0 else []
        queries = worded("{n} {query|queries}", len(self.query_ids))
        return f"<Scores {', '.join(said) or 'of nothing'}; {queries}; {self.convention.name}>"

    def of(self, name: str) -> dict[str, float]:
        """{query_id: value} of the measure asked for as `name`.

        Raises:
            UnknownName: it was not asked for.
        """
        for number, measure in enumerate(self.measures):
            if measure.asked == name:
                return dict(zip(self.query_ids, self.values[number].tolist(), strict=True))
        asked = [measure.asked for measure in self.measures]
        raise UnknownName(
            "measure of these scores", name, nearest(str(name), asked), hint=f"one of: {', '.join(asked)}"
        )


def _coverage(judged: Judged, counted: NDArray[np.bool_], positives: NDArray[np.bool_]) -> Coverage:
    hits = judged.hits
    query_ids = hits.qrels.query_ids
    looked_at = int(np.minimum(hits.retrieved, 10).sum())
    return Coverage(
        judged=hits.queries,
        answered=int(hits.answered.sum()),
        scored=int(counted.sum()),
        missing=[query_ids[number] for number in np.flatnonzero(~hits.answered)],
        no_positives=[query_ids[number] for number in np.flatnonzero(~positives)],
        extra=judged.extra_count,
        repeated=judged.repeated,
        contradicting=judged.contradicting,
        judged_hits=len(hits.label),
        judged_at_10=float((hits.rank <= 10).sum() / looked_at) if looked_at else None,
    )


def score(judged: Judged, measures: Sequence[Measure], convention: Convention) -> Scores:
    """Compute measures over judged hits.

    Raises:
        InputError: a judged query is not answered and the convention refuses that.
    """
    hits = judged.hits
    if convention.missing == "error" and not hits.answered.all():
        missing = [hits.qrels.query_ids[number] for number in np.flatnonzero(~hits.answered)]
        raise InputError(
            f"the run does not answer {len(missing):,} of {hits.queries:,} judged queries: "
            + ", ".join(shown(query_id, 30) for query_id in missing[:3])
            + (", ..." if len(missing) > 3 else ""),
            hint=f"{convention.name} refuses that; --missing zero counts them as 0, --missing skip leaves them out",
        )
    _same_level(measures, convention)
    computed = [_computation(measure, convention) for measure in measures]
    positives = hits.count_labels(convention.rel) > 0
    counted = np.ones(hits.queries, np.bool_)
    if convention.missing == "skip":
        counted &= hits.answered
    if convention.no_positives == "exclude":
        counted &= positives
    looked_at = hits.cut(convention.depth)
    resolved = tuple(measure.resolved(convention) for measure in measures)
    values = np.zeros((len(resolved), int(counted.sum())))
    overall: dict[int, float] = {}
    for number, measure in enumerate(resolved):
        seen: Hits = looked_at.judged if measure.judged_only else looked_at
        values[number] = computed[number](seen, measure)[counted]
        whole = None if measure.family.overall is None else measure.family.overall(seen, measure)
        if whole is not None:
            overall[number] = whole
    query_ids = [query_id for query_id, wanted in zip(hits.qrels.query_ids, counted, strict=True) if wanted]
    return Scores(resolved, query_ids, values, convention, _coverage(judged, counted, positives), overall)


def convention_of(convention: str | Convention | None, measures: Sequence[Measure]) -> Convention:
    """A convention by name or as it is; without one the specification's for its own measure names, else ir_measures'.

    Raises:
        UnknownName: there is no preset of that name.
    """
    if isinstance(convention, Convention):
        return convention
    if convention is not None:
        return get_convention(convention)
    own = bool(measures) and all(measure.dialect == "spec" for measure in measures)
    return get_convention("retrieval-eval" if own else "ir_measures")


def _same_level(measures: Sequence[Measure], convention: Convention) -> None:
    """Queries are left out by one level: a measure with a level of its own would be a mean over the wrong ones."""
    if convention.no_positives != "exclude":
        return
    for measure in measures:
        if measure.rel not in {None, convention.rel}:
            raise UsageError(
                f"{shown(measure.asked)} is relevant from grade {measure.rel}, but queries are left out for having no label"
                f" from grade {convention.rel}",
                hint=f"leave the level out of the name and give --rel {measure.rel}, or --no-positives zero",
            )


def _computation(measure: Measure, convention: Convention) -> Callable[[Hits, Measure], NDArray[np.float64]]:
    """What computes a measure: for the mean over ties it is another function, which few families have."""
    family = measure.family
    if convention.tied != "expected" or not family.ordered:
        return family.compute
    if family.expected is None:
        raise UsageError(
            f"{shown(measure.asked)} has no mean over ties here",
            hint="--tied best and --tied worst bound every measure",
        )
    if convention.depth is not None or convention.judged_only or measure.judged_only:
        raise UsageError(
            "the mean over ties goes with neither --depth nor --judged-only",
            hint="give the measure a cutoff, as in nDCG@10",
        )
    return family.expected


def by_stratum(judged: Judged, measures: Sequence[Measure], convention: Convention) -> dict[str, Scores]:
    """Scores against the labels of each stratum alone, strata sorted by code point; empty if no label has one."""
    strata = judged.hits.qrels.strata
    if strata is None:
        return {}
    names = np.array(strata)
    regraded = judged.hits.qrels.regraded
    several = [number for own in regraded.values() for number in own]
    found: dict[str, Scores] = {}
    for name in sorted({*strata, *regraded}):
        hits, keep = judged.hits, names == name
        if several:
            # A label with rows in several strata belongs to each of them, with the grade that it has there.
            own = regraded.get(name, {})
            keep[several] = False
            keep[list(own)] = True
            hits = hits.regraded(own)
        found[name] = score(Judged(hits.restricted(keep)), measures, convention)
    return found
