"""From a plan to its report: run, score, replay the candidate's bundles, decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from irbridge.agentic.promotion import PromotionGateResult, promote
from irbridge.agentic.records import Match
from irbridge.agentic.replays import CapsuleReplay, bundles_of, replay_of
from irbridge.agentic.report import (
    BenchmarkReport,
    PreparationIdentity,
    Schedule,
    TrialIdentity,
    build_report,
    pair_of,
    scores_of,
)
from irbridge.agentic.runner.running import Plan, Preparation, run
from irbridge.agentic.thresholds import USUAL, Thresholds, limits_of
from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt
from irbridge.errors import UsageError, quoted


@dataclass(frozen=True)
class Gate:
    """Two adapters to be compared, and what the candidate must reach."""

    baseline: str
    candidate: str
    thresholds: Thresholds = USUAL

    def check(self, adapters: Sequence[str]) -> None:
        """Find out before a run, not after it, that the comparison cannot be made.

        Raises:
            UsageError: an adapter that is not run, or a threshold that is none.
        """
        limits_of(self.thresholds)
        if self.baseline == self.candidate:
            raise UsageError(f"{quoted(self.baseline)} is held against itself", hint="name two adapters")
        for name in (self.baseline, self.candidate):
            if name not in adapters:
                raise UsageError(f"{quoted(name)} is to be compared and is not run", hint="add it to --adapter")

    def decide(
        self, receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore], replays: Sequence[CapsuleReplay] = ()
    ) -> PromotionGateResult:
        """The decision."""
        return promote(receipts, scores, self.baseline, self.candidate, self.thresholds, replays)


class Benchmarked(NamedTuple):
    """A report, and what was seen while the adapters were prepared."""

    report: BenchmarkReport
    prepared: list[dict[str, Any]]


def exit_code(report: BenchmarkReport) -> int:
    """2 if any receipt is a failure of the harness, 1 if the promotion fails, else 0."""
    if report.exclusions:
        return 2
    return 1 if report.promotion is not None and not report.promotion.passed else 0


def schedule_of(plan: Plan) -> Schedule:
    """The matrix of a plan, with its lists sorted.

    Raises:
        UsageError: nothing to run, or something named twice or unknown.
    """
    slots = plan.slots()
    trials = {(slot.trial.trial_id, slot.trial.seed) for slot in slots}
    tasks = sorted({slot.task_id for slot in slots})
    lifecycles = sorted({slot.lifecycle for slot in slots})
    return Schedule(
        adapters=sorted({slot.adapter for slot in slots}),
        lifecycles=lifecycles,
        trials=[TrialIdentity(trial_id=name, seed=seed) for name, seed in sorted(trials, key=lambda each: each[0])],
        tasks=tasks,
        complete=len(tasks) == len(plan.fixture.tasks) and len(lifecycles) == 2,
    )


def benchmark(
    plan: Plan, match: Match = "exact", gate: Gate | None = None, on_receipt: Callable[[], None] | None = None
) -> Benchmarked:
    """Carry out a plan.

    Args:
        plan: what to run.
        match: how citations are matched.
        gate: the comparison to decide; None for none.
        on_receipt: called after each trial, those of the replay as well.

    Raises:
        UsageError: a plan or a comparison that cannot be carried out.
    """
    schedule = schedule_of(plan)
    if gate is not None:
        gate.check(schedule.adapters)
    told = _telling(on_receipt)
    done = run(plan, told)
    replays = [] if gate is None else _replays(plan, gate.candidate, done.receipts, told)
    ordered = sorted(done.receipts, key=lambda receipt: pair_of(receipt.canonical))
    scores = scores_of(plan.fixture, ordered, match)
    report = build_report(
        plan.fixture,
        schedule,
        plan.agent.name,
        ordered,
        preparations=[_identity(each) for each in done.preparations],
        methodology=[f"{adapter.name}: {adapter.methodology}" for adapter in sorted(plan.adapters, key=_name)],
        scores=scores,
        match=match,
        replays=replays,
        promotion=None if gate is None else gate.decide(ordered, scores, replays),
    )
    return Benchmarked(report, [_seen(each) for each in done.preparations])


def _telling(on_receipt: Callable[[], None] | None) -> Callable[[TrajectoryReceipt], None] | None:
    return None if on_receipt is None else lambda _: on_receipt()


def _replays(
    plan: Plan,
    candidate: str,
    receipts: Sequence[TrajectoryReceipt],
    on_receipt: Callable[[TrajectoryReceipt], None] | None,
) -> list[CapsuleReplay]:
    """The candidate's bundles once more, from unchanged input; nothing is run where it returned none."""
    own = {pair_of(each.canonical): each.canonical for each in receipts if each.canonical.adapter_id == candidate}
    if not any(bundles_of(receipt) for receipt in own.values()):
        return []
    again = run(replace(plan, adapters=[each for each in plan.adapters if each.name == candidate]), on_receipt)
    found = []
    for receipt in sorted(again.receipts, key=lambda receipt: pair_of(receipt.canonical)):
        bundles = bundles_of(receipt.canonical)
        replay = replay_of(own[pair_of(receipt.canonical)], bundles[0]) if len(bundles) == 1 else None
        if replay is not None:
            found.append(replay)
    return found


def _name(of: Any) -> str:
    return str(of.name)


def _identity(of: Preparation) -> PreparationIdentity:
    return PreparationIdentity(
        adapter_id=of.adapter_id, config_fingerprint=of.config_fingerprint, index_fingerprint=of.index_fingerprint
    )


def _seen(of: Preparation) -> dict[str, Any]:
    took = None if of.took_ms is None else round(of.took_ms, 3)
    return {"adapterId": of.adapter_id, "tookMs": took, "diagnostics": list(of.diagnostics)}
