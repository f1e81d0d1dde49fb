"""Hits x measures -> scores: per query and in the aggregate, under a convention."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

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

Compute = Callable[[Hits, Measure], "NDArray[np.float64]"]
Extremes = tuple["NDArray[np.float64]", "NDArray[np.float64]"]
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
        bounds: number of a measure -> (worst, best), float64 per query, over all grades of the unjudged documents, where the
            convention asks for them and they are known.
    """

    measures: tuple[Measure, ...]
    query_ids: list[str]
    values: NDArray[np.float64]
    convention: Convention
    coverage: Coverage
    overall: Mapping[int, float] = field(default_factory=dict)
    bounds: Mapping[int, Extremes] = field(default_factory=dict)

    def aggregate(self, number: int) -> float | None:
        """The mean (the sum for counts) of measure `number`; None if no query counts."""
        row = self.values[number]
        if len(row) == 0:
            return None
        return self.overall[number] if number in self.overall else self.measures[number].family.aggregate(row)

    def bound(self, number: int) -> tuple[float, float] | None:
        """The worst and the best mean of measure `number`; each query's documents have grades of their own."""
        if number not in self.bounds or not len(self.query_ids):
            return None
        worst, best = (self.measures[number].family.aggregate(row) for row in self.bounds[number])
        return worst, best

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

    def of(self, measure: Any) -> dict[str, float]:
        """{query_id: value} of a measure: the name that was asked for, or an object.

        Raises:
            UnknownName: it was not asked for.
        """
        from irbridge.measures.names import asked_name

        name = asked_name(measure)
        for number, each in enumerate(self.measures):
            if each.asked == name:
                return dict(zip(self.query_ids, self.values[number].tolist(), strict=True))
        asked = [each.asked for each in self.measures]
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
    bounds: dict[int, Extremes] = {}
    for number, measure in enumerate(resolved):
        seen: Hits = looked_at.judged if measure.judged_only else looked_at
        values[number] = _within(computed[number], seen, measure)[counted]
        if convention.unjudged == "bounds" and measure.family.extremes is not None:
            both = [_within(compute, seen, measure)[counted] for compute in _extremes(measure, convention)]
            bounds[number] = both[0], both[1]
        whole = None if measure.family.overall is None else measure.family.overall(seen, measure)
        if whole is not None:
            overall[number] = whole
    query_ids = [query_id for query_id, wanted in zip(hits.qrels.query_ids, counted, strict=True) if wanted]
    return Scores(resolved, query_ids, values, convention, _coverage(judged, counted, positives), overall, bounds)


def convention_of(convention: str | Convention | None, measures: Sequence[Measure]) -> Convention:
    """A convention by name or as it is; without one the specification's for its own measure names, else ir_measures'.

    Preference measures break ties by ascending document id where others do by descending id, as in trec_eval.

    Raises:
        UnknownName: there is no preset of that name.
        UsageError: preference measures are asked for beside others, for which that would change the order.
    """
    if isinstance(convention, Convention):
        return convention
    if convention is None:
        own = bool(measures) and all(measure.dialect == "spec" for measure in measures)
        convention = "retrieval-eval" if own else "ir_measures"
    preset = get_convention(convention)
    ordered = [measure for measure in measures if measure.family.ordered]
    mine = [measure for measure in ordered if measure.family.needs == "preferences"]
    if not mine or preset.ties != "docid-desc":
        return preset
    if len(mine) < len(ordered):
        other = next(measure for measure in ordered if measure.family.needs != "preferences")
        raise UsageError(
            f"{shown(mine[0].asked)} orders equal scores by ascending document id, {shown(other.asked)} by descending id",
            hint="ask for preference measures alone, as in trec_eval",
        )
    return preset.changed(ties="docid-asc")


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


def _computation(measure: Measure, convention: Convention) -> Compute:
    """What computes a measure: for the mean over ties it is another function, which few families have."""
    family = measure.family
    if convention.unjudged in {"worst", "best"}:
        return _extremes(measure, convention)[convention.unjudged == "best"]
    if convention.tied != "expected" or not family.ordered:
        return family.compute
    if family.expected is None:
        raise UsageError(
            f"{shown(measure.asked)} has no mean over ties here",
            hint="--tied best and --tied worst bound every measure",
        )
    if convention.depth is not None or convention.judged_only or measure.judged_only or measure.budget is not None:
        raise UsageError(
            "the mean over ties goes with neither --depth nor --judged-only nor a budget",
            hint="give the measure a cutoff, as in nDCG@10",
        )
    return family.expected


def top_grade(hits: Hits, convention: Convention) -> int:
    """The highest grade that unjudged documents may have."""
    return convention.unjudged_grade or max(1, int(hits.qrels.grades.max(initial=0)))


def _extremes(measure: Measure, convention: Convention) -> tuple[Compute, Compute]:
    """What computes a measure with unjudged documents at their worst and at their best.

    Raises:
        UsageError: nobody has proven what they are, or unjudged documents are left out or tied otherwise.
    """
    found = measure.family.extremes
    if found is None:
        raise UsageError(
            f"{shown(measure.asked)} has no worst and best over unjudged documents here",
            hint="--unjudged bounds leaves such measures without; irbridge measures NAME says which have them",
        )
    if convention.judged_only or measure.judged_only or convention.tied == "expected":
        raise UsageError(
            f"--unjudged {convention.unjudged} goes with neither --judged-only nor --tied expected",
            hint="grades of documents that are left out change nothing",
        )

    def of(best: bool) -> Compute:  # noqa: FBT001 - the place in the pair
        return lambda hits, measure: found(hits, measure, top_grade(hits, convention))[best]

    return of(best=False), of(best=True)


def _within(compute: Compute, hits: Hits, measure: Measure) -> NDArray[np.float64]:
    """A measure of the documents that fit into its budget, for each query so many.

    A family that goes without a cutoff looks at them without one, so that what it divides by does not depend on what was
    returned. One that cannot has the number of documents that fit as its cutoff, and is 0 where none does.
    """
    budget = measure.budget
    if budget is None:
        return compute(hits, measure)
    if budget not in hits.depths:
        raise UsageError(
            f"{shown(measure.asked)} needs the lengths of documents",
            hint="irbridge score and irbridge.score take a corpus or lengths for that",
        )
    if measure.judged_only:
        raise UsageError(
            f"{shown(measure.asked)}: a budget goes without judged-only",
            hint="unjudged documents take room in it like others",
        )
    depth = np.minimum(hits.depths[budget], hits.retrieved)
    seen = hits.cut(depth)
    if not measure.family.needs_cutoff:
        return compute(seen, measure)
    values = np.zeros(hits.queries)
    for cutoff in np.unique(depth[depth > 0]).tolist():
        here = depth == cutoff
        values[here] = compute(seen, replace(measure, cutoff=cutoff))[here]
    return values


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
