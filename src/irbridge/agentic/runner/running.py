"""The whole matrix: every slot gets a receipt, whatever happens to its adapter, its agent or its neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from irbridge.agentic.adapters.base import Adapter
from irbridge.agentic.agents.base import Agent
from irbridge.agentic.fixture import Fixture
from irbridge.agentic.records import Lifecycle
from irbridge.agentic.runner.bounded import redacted
from irbridge.agentic.runner.cohorts import LIFECYCLES, Cohort, excluded
from irbridge.agentic.runner.preparing import NotReady, Ready, prepared
from irbridge.agentic.runner.receipts import Lane
from irbridge.agentic.runner.schedule import Slot, schedule
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import UnknownName
from irbridge.registry import nearest

Settings = Mapping[str, str]


@dataclass(frozen=True)
class Preparation:
    """How an adapter was made ready: the identity of its index, and what it had to say."""

    adapter_id: str
    config_fingerprint: str | None
    index_fingerprint: str | None
    took_ms: float | None
    diagnostics: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunResult:
    """The receipts in the order of the schedule, one a slot, and the preparations in the order of the adapters."""

    slots: tuple[Slot, ...]
    receipts: tuple[TrajectoryReceipt, ...]
    preparations: tuple[Preparation, ...]


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes:
        fixture: tasks, oracles and corpus; the oracles are not looked at here.
        adapters: the systems under test.
        agent: what drives them.
        lifecycles: cold, warm, or both in the order given.
        tasks: ids of tasks; None for all of the fixture.
        timeout: seconds for each operation.
        settings: adapter name -> what it needs to know.
        agent_settings: what the agent needs to know.
        jobs: cold trials of an adapter at a time. Receipts are the same; what they took then includes that others ran.
    """

    fixture: Fixture
    adapters: Sequence[Adapter]
    agent: Agent
    lifecycles: Sequence[Lifecycle] = ("cold", "warm")
    tasks: Sequence[str] | None = None
    timeout: float = 30.0
    settings: Mapping[str, Settings] = field(default_factory=dict)
    agent_settings: Settings = field(default_factory=dict)
    jobs: int = 1

    def slots(self) -> list[Slot]:
        """The schedule.

        Raises:
            UnknownName: a task that the fixture does not have.
            UsageError: nothing to run, or something named twice.
        """
        tasks = sorted(self.fixture.tasks) if self.tasks is None else self.tasks
        for task_id in tasks:
            if task_id not in self.fixture.tasks:
                raise UnknownName("task of the fixture", task_id, nearest(task_id, list(self.fixture.tasks)))
        trials = self.agent.trials(self.agent_settings)
        return schedule([adapter.name for adapter in self.adapters], self.lifecycles, trials, tasks)


def run(plan: Plan, on_receipt: Callable[[TrajectoryReceipt], None] | None = None) -> RunResult:
    """Run a plan.

    Args:
        plan: what to run.
        on_receipt: is told of each receipt as soon as it is there.
    """
    slots = plan.slots()
    adapters = {adapter.name: adapter for adapter in plan.adapters}
    receipts: list[TrajectoryReceipt] = []
    preparations: list[Preparation] = []
    for name, group in itertools.groupby(slots, key=lambda slot: slot.adapter):
        for receipt in _adapter(plan, adapters[name], list(group), preparations):
            receipts.append(receipt)
            if on_receipt is not None:
                on_receipt(receipt)
    return RunResult(tuple(slots), tuple(receipts), tuple(preparations))


def _adapter(
    plan: Plan, adapter: Adapter, slots: list[Slot], preparations: list[Preparation]
) -> Iterator[TrajectoryReceipt]:
    lane = Lane(adapter, plan.agent.name, plan.fixture.snapshot.fingerprint)
    try:
        settings = plan.settings.get(adapter.name, {})
        with prepared(adapter, plan.fixture.snapshot, plan.timeout, settings) as ready:
            said = tuple(redacted(line) for line in ready.prepared.diagnostics)
            preparations.append(Preparation(adapter.name, ready.config, ready.index, ready.took_ms, said))
            yield from _cohorts(plan, lane.of(ready), ready, slots)
    except NotReady as error:
        preparations.append(Preparation(adapter.name, None, None, None, (redacted(error.said),)))
        yield from excluded(lane, slots, error, error.code)


def _cohorts(plan: Plan, lane: Lane, ready: Ready, slots: list[Slot]) -> Iterator[TrajectoryReceipt]:
    for lifecycle, group in itertools.groupby(slots, key=lambda slot: slot.lifecycle):
        cohort = Cohort(
            plan.fixture, plan.agent, plan.agent_settings, plan.timeout, ready, lane, list(group), plan.jobs
        )
        yield from LIFECYCLES[lifecycle](cohort)
