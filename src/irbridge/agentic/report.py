"""The report of a run: receipts, scores and what they rest on, under one fingerprint that no observation can change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from irbridge._version import __version__
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.fixture import Fixture
from irbridge.agentic.promotion import PromotionGateResult
from irbridge.agentic.records import Code, Count, Id, Lifecycle, Match, Record, Sha256, Version, plain
from irbridge.agentic.replays import CapsuleReplay
from irbridge.agentic.scoring import score
from irbridge.agentic.trajectory import CanonicalReceipt, TaskScore, TrajectoryReceipt
from irbridge.errors import InputError

BENCHMARK: Literal["agentic-retrieval@1"] = "agentic-retrieval@1"

METHODOLOGY = (
    "Every adapter gets the same tools over the same frozen corpus; the agent sees the public task and tool results only.",
    "Bytes are those of the canonical JSON of what the agent was shown; calls are its own choices, not the backend's.",
    "Claims are compared with hidden typed values, citations with exact lines; no model judges.",
    "A failure of the harness is attempted and excluded with its reason; one of agent or product counts as a failure.",
)
LIMITATIONS = (
    "The corpus is controlled regression evidence, not a sample of all agents, domains or languages.",
    "The fixture agent is narrower than a general model.",
    "Bytes are the measure of context across adapters; tokens compare under one tokenizer only.",
    "Times belong to the machine; they stand in the observations and decide nothing.",
)

Pair = tuple[str, str, str, str, bool, int, str]


class TrialIdentity(Record, frozen=True):
    """One repetition: its id and the seed that the agent was given."""

    trial_id: Id
    seed: int | None


class Schedule(Record, frozen=True):
    """What was asked for: the matrix of its four lists. `complete`: all tasks of the fixture, cold and warm."""

    adapters: list[Id]
    lifecycles: list[Lifecycle]
    trials: list[TrialIdentity]
    tasks: list[Id]
    complete: bool

    def pairs(self, agent: str) -> list[Pair]:
        """The identity of each receipt that there must be, in the order of a report."""
        return sorted(
            (adapter, task, trial.trial_id, lifecycle, trial.seed is not None, trial.seed or 0, agent)
            for adapter in self.adapters
            for lifecycle in self.lifecycles
            for trial in self.trials
            for task in self.tasks
        )


class Environment(Record, frozen=True):
    """What decides, beside the receipts. Interpreter and machine do not; they stand in the observations."""

    irbridge_version: str
    fixture_version: str
    fixture_fingerprint: Sha256
    corpus_fingerprint: Sha256
    agent_id: Id
    schedule: Schedule
    match: Match


class PreparationIdentity(Record, frozen=True):
    """What was prepared for an adapter; null where that failed."""

    adapter_id: Id
    config_fingerprint: Sha256 | None
    index_fingerprint: Sha256 | None


class Exclusion(Record, frozen=True):
    """An attempted pair that was not scored, and why."""

    task_id: Id
    adapter_id: Id
    trial_id: Id
    seed: int | None
    lifecycle: Lifecycle
    agent_id: Id
    reason: Literal["harness_error"]
    code: Code | None


class BenchmarkReport(Record, frozen=True):
    """All of a run. `canonicalFingerprint` is that of `canonical_part`."""

    schema_version: Version
    benchmark_id: Literal["agentic-retrieval@1"]
    canonical_fingerprint: Sha256
    fixture_fingerprint: Sha256
    environment: Environment
    methodology: list[str]
    limitations: list[str]
    preparations: list[PreparationIdentity]
    attempted_pairs: Count
    scored_pairs: Count
    exclusions: list[Exclusion]
    receipts: list[TrajectoryReceipt]
    scores: list[TaskScore]
    capsule_replays: list[CapsuleReplay]
    promotion: PromotionGateResult | None


def pair_of(of: CanonicalReceipt | TaskScore) -> Pair:
    """What a receipt or a score is of, in the order of a report: adapter, task, trial, lifecycle, seed, agent."""
    return (of.adapter_id, of.task_id, of.trial_id, of.lifecycle, of.seed is not None, of.seed or 0, of.agent_id)


def words(pair: Pair) -> str:
    """A pair as people read it: `lexical cold t1234567 fixture-01`, the seed behind it if there is one."""
    adapter, task, trial, lifecycle, seeded, seed, _ = pair
    return f"{adapter} {lifecycle} {task} {trial}" + (f" seed {seed}" if seeded else "")


def scores_of(fixture: Fixture, receipts: Iterable[TrajectoryReceipt], match: Match = "exact") -> list[TaskScore]:
    """The score of each receipt, in their order.

    Raises:
        InputError: a receipt of a task that the fixture does not have.
    """
    found = []
    for receipt in receipts:
        task_id = receipt.canonical.task_id
        if task_id not in fixture.tasks:
            raise InputError(
                f"a receipt of task {task_id}, which the fixture does not have",
                hint="--fixture DIR names the fixture that it was run on",
            )
        found.append(score(fixture.tasks[task_id], fixture.oracles[task_id], receipt, match))
    return found


def build_report(
    fixture: Fixture,
    schedule: Schedule,
    agent: str,
    receipts: Sequence[TrajectoryReceipt],
    *,
    preparations: Sequence[PreparationIdentity] = (),
    methodology: Sequence[str] = (),
    scores: Sequence[TaskScore] | None = None,
    match: Match = "exact",
    replays: Sequence[CapsuleReplay] = (),
    promotion: PromotionGateResult | None = None,
) -> BenchmarkReport:
    """A report.

    Args:
        fixture: what was run on.
        schedule: what was asked for.
        agent: the agent's id.
        receipts: one for each pair of the schedule.
        preparations: one for each adapter.
        methodology: sentences about the adapters, behind those about all of them.
        scores: of the receipts; computed where they are not given.
        match: how citations are matched.
        replays: of the candidate's evidence bundles.
        promotion: the gate's decision, where two adapters were to be compared.

    Raises:
        InputError: the receipts, or the scores, are not exactly those of the schedule.
    """
    ordered = sorted(receipts, key=lambda receipt: pair_of(receipt.canonical))
    _hold_to(schedule.pairs(agent), [pair_of(receipt.canonical) for receipt in ordered], "receipt")
    found = scores_of(fixture, ordered, match) if scores is None else sorted(scores, key=pair_of)
    _hold_to(schedule.pairs(agent), [pair_of(each) for each in found], "score")
    report = BenchmarkReport(
        schema_version="1.0",
        benchmark_id=BENCHMARK,
        canonical_fingerprint="0" * 64,
        fixture_fingerprint=fixture.fingerprint,
        environment=Environment(
            irbridge_version=__version__,
            fixture_version=fixture.manifest.fixture_version,
            fixture_fingerprint=fixture.fingerprint,
            corpus_fingerprint=fixture.snapshot.fingerprint,
            agent_id=agent,
            schedule=schedule,
            match=match,
        ),
        methodology=[*METHODOLOGY, *methodology],
        limitations=list(LIMITATIONS),
        preparations=sorted(preparations, key=lambda each: each.adapter_id),
        attempted_pairs=len(ordered),
        scored_pairs=sum(each.scored for each in found),
        exclusions=exclusions_of(ordered),
        receipts=ordered,
        scores=found,
        capsule_replays=list(replays),
        promotion=promotion,
    )
    return sealed_report(report)


def exclusions_of(receipts: Iterable[TrajectoryReceipt]) -> list[Exclusion]:
    """The receipts that are failures of the harness, in their order."""
    return [
        Exclusion(
            task_id=each.task_id, adapter_id=each.adapter_id, trial_id=each.trial_id, seed=each.seed,
            lifecycle=each.lifecycle, agent_id=each.agent_id, reason="harness_error", code=each.failure.code,
        )
        for each in (receipt.canonical for receipt in receipts)
        if each.failure.class_ == "harness_error"
    ]  # fmt: skip


def canonical_part(report: BenchmarkReport) -> dict[str, Any]:
    """What the fingerprint covers: everything but the fingerprint itself and the observations of the receipts."""
    part = {name: value for name, value in plain(report).items() if name != "canonicalFingerprint"}
    part["receipts"] = [receipt["canonical"] for receipt in part["receipts"]]
    return part


def sealed_report(report: BenchmarkReport) -> BenchmarkReport:
    """The report with the fingerprint that it must have."""
    import msgspec

    sealed: BenchmarkReport = msgspec.structs.replace(report, canonical_fingerprint=fingerprint(canonical_part(report)))
    return sealed


def _hold_to(wanted: Sequence[Pair], found: Sequence[Pair], what: str) -> None:
    """Refuse anything but the matrix: a pair that is lost would make a cohort smaller, unsaid."""
    if list(wanted) == list(found):
        return
    missing, extra = sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted))
    if missing:
        raise InputError(f"no {what} of {words(missing[0])}, which was to be run")
    if extra:
        raise InputError(f"a {what} of {words(extra[0])}, which was not to be run")
    counts = Counter(found)
    counts.subtract(wanted)
    odd = next(pair for pair in found if counts[pair])
    raise InputError(
        f"two {what}s of {words(odd)}" if counts[odd] > 0 else f"{words(odd)} stands twice in the schedule"
    )
