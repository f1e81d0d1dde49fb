"""Hits x measures -> scores: per query and in the aggregate, under a convention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from irbridge.collect import Judged
from irbridge.conventions import Convention, get_convention
from irbridge.errors import InputError, UsageError, shown
from irbridge.hits import Hits
from irbridge.measures.base import Measure
from irbridge.scores import Coverage, Extremes, Scores
from irbridge.wording import some

if TYPE_CHECKING:
    from numpy.typing import NDArray

Compute = Callable[[Hits, Measure], "NDArray[np.float64]"]


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
            f"the run does not answer {len(missing):,} of {hits.queries:,} judged queries: {some(missing, 3)}",
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
    if convention.tied in {"best", "worst"} and not family.by_grade:
        raise UsageError(
            f"{shown(measure.asked)} asks what is judged, and --tied {convention.tied} orders ties by grade",
            hint="score it apart, in the order of --ties",
        )
    if convention.tied != "expected" or not family.ordered:
        return family.compute
    if family.expected is None:
        raise UsageError(
            f"{shown(measure.asked)} has no mean over ties here",
            hint="--tied best and --tied worst bound it"
            if family.by_grade
            else "score it apart, in the order of --ties",
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
