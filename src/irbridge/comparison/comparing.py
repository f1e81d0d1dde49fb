"""Systems against a baseline: every difference tested, bounded and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.comparison.clusters import Clusters, labels_with_clusters
from irbridge.comparison.label_sets import label_sets
from irbridge.comparison.plan import Plan, baseline_of
from irbridge.comparison.result import Comparison, Difference
from irbridge.comparison.systems import Systems, score_systems
from irbridge.comparison.verdicts import Evidence, verdict
from irbridge.conventions import Convention
from irbridge.errors import UsageError
from irbridge.inputs import opened, qrels_of, repeatable
from irbridge.measures.base import Measure, need_pool, need_subtopics
from irbridge.qrels import Qrels
from irbridge.report import now
from irbridge.stats.bounds import bounds
from irbridge.stats.effect_size import effect_size
from irbridge.stats.paired import PairedResult, paired_result
from irbridge.stats.power import detectable
from irbridge.stats.units import Units, differences, record, standard_error, units


def compare(
    judgments: Any,
    runs: Sequence[Any],
    measures: Sequence[Measure],
    convention: Convention,
    plan: Plan,
    *,
    names: Sequence[str] | None = None,
    baseline: Any = None,
    first: int = 0,
    other_judgments: Any = None,
) -> Comparison:
    """Compare runs on the same labels.

    Args:
        judgments: anything that `irbridge.load` takes, an `Input`, or `Qrels`.
        runs: likewise, one for each system.
        measures: what to compare by.
        convention: how to evaluate.
        plan: how to compare.
        names: of the systems; None: those of their files.
        baseline: the name or the number of the system that the others are held against; None: nothing is tested.
        first: the number of the first system.
        other_judgments: labels under which the order of the systems is held against that under `judgments`.

    Raises:
        UsageError: there is no such baseline, nothing to cluster by, or the convention asks for bounds.
        IrbridgeError: an input cannot be used.
    """
    if convention.unjudged == "bounds":
        raise UsageError(
            "a comparison is of one value a query, not of bounds over unjudged documents",
            hint="--unjudged worst or best; irbridge score shows the bounds of each run",
        )
    if other_judgments is not None:
        runs = [repeatable(run) for run in runs]
    clusters = None if plan.cluster_by is None else Clusters(plan.cluster_by, convention.rel)
    source = judgments if isinstance(judgments, Qrels) else opened(judgments, "judgments")
    wanted = {"subtopics": need_subtopics(measures), "pool": need_pool(measures)}
    qrels = qrels_of(source, **wanted) if clusters is None else labels_with_clusters(source, clusters, **wanted)
    sources = [opened(run, "run") for run in runs]
    systems = score_systems(qrels, sources, names, measures, convention)
    against = baseline_of(baseline, systems.names, first=first)
    groups = None if clusters is None else clusters.of(systems.query_ids)
    others = None
    if other_judgments is not None:
        labels = opened(other_judgments, "judgments")
        second = score_systems(qrels_of(labels, **wanted), sources, systems.names, measures, convention)
        others = label_sets(systems, second, labels.label)
    return Comparison(
        systems,
        plan,
        against,
        () if against is None else tuple(against_baseline(systems, against, plan, groups)),
        None if groups is None else len(set(groups)),
        others,
        now(),
    )


def against_baseline(
    systems: Systems, baseline: int, plan: Plan, clusters: Sequence[str] | None = None
) -> list[Difference]:
    """Each system but the baseline by each measure; p values are corrected over all of them, test by test."""
    pairs = [
        (measure, system)
        for measure in range(len(systems.measures))
        for system in range(len(systems.names))
        if system != baseline
    ]
    apart = [
        differences(systems.values[system, measure], systems.values[baseline, measure]) for measure, system in pairs
    ]
    of = [units(found, clusters) for found in apart]
    said = [{test.name: paired_result(test, each, plan.seed) for test in plan.tests} for each in of]
    corrected = {test.name: _corrected([each[test.name] for each in said], plan) for test in plan.tests}
    made: list[Difference] = []
    for place, ((measure, system), found) in enumerate(zip(pairs, apart, strict=True)):
        adjusted = {name: values[place] for name, values in corrected.items()}
        evidence = _evidence(of[place], said[place], adjusted, plan, len(pairs))
        made.append(
            Difference(
                system,
                measure,
                of[place].mean,
                record(found),
                evidence.interval,
                said[place],
                adjusted,
                effect_size(found),
                evidence.detectable,
                verdict(evidence, plan),
            )
        )
    return made


def _corrected(said: Sequence[PairedResult], plan: Plan) -> list[float | None]:
    """What cannot be tested counts in the family all the same, as a comparison that finds nothing."""
    adjusted = plan.correction.adjust([1.0 if each.p is None else each.p for each in said])
    return [None if each.p is None else value for each, value in zip(said, adjusted, strict=True)]


def _evidence(
    of: Units, said: Mapping[str, PairedResult], adjusted: Mapping[str, float | None], plan: Plan, family: int
) -> Evidence:
    name = plan.tests[0].name
    error = standard_error(of)
    return Evidence(
        of,
        said[name],
        adjusted[name],
        family,
        bounds(of, 1 - plan.alpha, plan.seed),
        None if error is None else detectable(error, len(of.sums) - 1, plan.alpha),
    )
