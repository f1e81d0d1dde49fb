"""Systems against a baseline: every difference tested, bounded and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.budgets import Budgets
from irbridge.comparison.clusters import Clusters, labels_with_clusters
from irbridge.comparison.label_sets import label_sets
from irbridge.comparison.plan import Plan, baseline_of
from irbridge.comparison.result import Comparison, Difference
from irbridge.comparison.systems import Systems, score_systems
from irbridge.comparison.verdicts import Evidence, verdict
from irbridge.conventions import Convention
from irbridge.corpora import corpus_of
from irbridge.errors import UsageError
from irbridge.inputs import Input, at_hand, opened, qrels_of, repeatable
from irbridge.lengths import budgets_of
from irbridge.measures.base import Measure, budgets, need_pool, need_subtopics
from irbridge.provenance import InputRecord, files_beside, now
from irbridge.qrels import Qrels
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
    corpus: Any = None,
    lengths: Any = None,
    tokenizer: Any = None,
    digests: bool = True,
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
        corpus: the documents or chunks that the runs return, for measures with a budget; counted once (`irbridge.lengths`).
        lengths: instead of it their lengths.
        tokenizer: what a token of the corpus is.
        digests: read the input files once more for their SHA-256.

    Raises:
        UsageError: there is no such baseline, nothing to cluster by, or a corpus or lengths and no budget.
        IrbridgeError: an input cannot be used.
    """
    corpus = repeatable(at_hand(corpus))
    within = _budgets(measures, corpus, lengths, tokenizer)
    if other_judgments is not None:
        runs = [repeatable(run) for run in runs]
    clusters = None if plan.cluster_by is None else Clusters(plan.cluster_by, convention.rel)
    source = judgments if isinstance(judgments, Qrels) else opened(judgments, "judgments")
    wanted = {"subtopics": need_subtopics(measures), "pool": need_pool(measures)}
    qrels = qrels_of(source, **wanted) if clusters is None else labels_with_clusters(source, clusters, **wanted)
    sources = [opened(run, "run") for run in runs]
    systems = score_systems(qrels, sources, names, measures, convention, within, digests=digests)
    against = baseline_of(baseline, systems.names, first=first)
    groups = None if clusters is None else clusters.of(systems.query_ids)
    inputs = [InputRecord.of("judgments", source, digest=digests)] if isinstance(source, Input) else []
    inputs += systems.inputs
    others = None
    if other_judgments is not None:
        labels = opened(other_judgments, "judgments")
        second = score_systems(qrels_of(labels, **wanted), sources, systems.names, measures, convention, within)
        others = label_sets(systems, second, labels.label)
        inputs.append(InputRecord.of("other_judgments", labels, digest=digests))
    counted = None if corpus is None or lengths is not None else corpus_of(corpus)
    inputs += files_beside(measures, lengths, counted, digest=digests)
    return Comparison(
        systems,
        plan,
        against,
        () if against is None else tuple(against_baseline(systems, against, plan, groups)),
        None if groups is None else len(set(groups)),
        others,
        now(),
        tuple(inputs),
    )


def _budgets(measures: Sequence[Measure], corpus: Any, lengths: Any, tokenizer: Any) -> Budgets | None:
    """What budgets need; a corpus is there for them alone."""
    found = budgets_of(budgets(measures), corpus=corpus, lengths=lengths, tokenizer=tokenizer)
    if found is None and corpus is not None:
        raise UsageError(
            "the corpus is for budgets, and no measure has one",
            hint="ask for one, such as nDCG@2000tok, or leave it out",
        )
    return found


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
                _range(systems, measure, system, baseline),
            )
        )
    return made


def _range(systems: Systems, measure: int, system: int, baseline: int) -> tuple[float, float] | None:
    """The least and the most that the change can be, each system's unjudged documents against it, and for it."""
    own, other = systems.bounds[system].get(measure), systems.bounds[baseline].get(measure)
    if own is None or other is None:
        return None
    return units(differences(own[0], other[1])).mean, units(differences(own[1], other[0])).mean


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
