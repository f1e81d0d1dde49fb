"""The two ways to run an adapter's trials: cold, each with a fresh system and agent; warm, all with one of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from irbridge.agentic.adapters.base import Session
from irbridge.agentic.agents.base import Agent, AgentRuntime
from irbridge.agentic.fixture import Fixture
from irbridge.agentic.runner.preparing import NotReady, Ready, attached, disposed, within
from irbridge.agentic.runner.receipts import Clock, Lane, prompt_fingerprint, receipt_of
from irbridge.agentic.runner.schedule import Slot
from irbridge.agentic.runner.trial import Stopped, Trace, run_trial
from irbridge.agentic.trajectory import TrajectoryReceipt

#: After these nobody knows what a warm system is still doing: the rest of its cohort cannot be measured.
CORRUPTING = frozenset({"tool_timeout", "tool_call_failed", "invalid_tool_result"})


@dataclass(frozen=True)
class Cohort:
    """The slots of one adapter and one lifecycle, and what they are run with; so many cold ones at a time as `jobs` says."""

    fixture: Fixture
    agent: Agent
    agent_settings: Mapping[str, str]
    timeout: float
    ready: Ready
    lane: Lane
    slots: Sequence[Slot]
    jobs: int = 1

    def cold(self) -> Iterator[TrajectoryReceipt]:
        """Each slot with a new session and a new agent; the clock starts before they do."""
        if self.jobs == 1:
            yield from map(self._cold_one, self.slots)
            return
        pool = ThreadPoolExecutor(self.jobs)
        try:
            yield from pool.map(self._cold_one, self.slots)
        finally:
            # Who is told to end waits for the trials under way, which put away what they started, and for no other.
            pool.shutdown(cancel_futures=True)

    def _cold_one(self, slot: Slot) -> TrajectoryReceipt:
        clock, start = Clock(places=[self.ready.home]), time.perf_counter()
        session: Session | None = None
        runtime: AgentRuntime | None = None
        prompt: str | None = None
        try:
            session = attached(self.ready, self.timeout)
            self._reset(session, slot)
            clock.startup = 1000 * (time.perf_counter() - start)
            runtime = self._started()
            prompt = self._prompt(runtime, slot)
            trace = self._trial(session, runtime, slot)
            clock.end_to_end = 1000 * (time.perf_counter() - start)
        except NotReady as error:
            trace = _failed(error, "cold_trial_setup_failed")
        finally:
            for each in (runtime, session):
                if each is not None:
                    disposed(each, self.timeout)
        return receipt_of(self._lane(runtime), slot, prompt, trace, clock)

    def warm(self) -> Iterator[TrajectoryReceipt]:
        """All slots with one session and one agent, after one probe that is thrown away."""
        session: Session | None = None
        runtime: AgentRuntime | None = None
        try:
            try:
                session = attached(self.ready, self.timeout)
                self._reset(session, self.slots[0])
                self._probe(session)
                runtime = self._started()
            except NotReady as error:
                yield from self._excluded(self.slots, error, "warm_cohort_setup_failed")
                return
            for number, slot in enumerate(self.slots):
                receipt = self._warm_one(session, runtime, slot)
                yield receipt
                if receipt.canonical.failure.code in CORRUPTING:
                    left = NotReady("warm_cohort_corrupted", f"after {receipt.canonical.failure.code}")
                    yield from self._excluded(self.slots[number + 1 :], left, "warm_cohort_corrupted")
                    return
        finally:
            for each in (runtime, session):
                if each is not None:
                    disposed(each, self.timeout)

    def _warm_one(self, session: Session, runtime: AgentRuntime, slot: Slot) -> TrajectoryReceipt:
        clock = Clock(places=[self.ready.home])
        prompt = self._prompt(runtime, slot)
        try:
            self._reset(session, slot)
            start = time.perf_counter()
            trace = self._trial(session, runtime, slot)
            clock.end_to_end = 1000 * (time.perf_counter() - start)
        except NotReady as error:
            trace = _failed(error, error.code)
        return receipt_of(self._lane(runtime), slot, prompt, trace, clock)

    def _reset(self, session: Session, slot: Slot) -> None:
        task = self.fixture.tasks[slot.task_id]
        within(lambda: session.reset(task), self.timeout, "adapter_reset")

    def _probe(self, session: Session) -> None:
        task = self.fixture.tasks[self.slots[0].task_id]
        within(lambda: session.probe(task), self.timeout, "readiness_probe")

    def _started(self) -> AgentRuntime:
        return within(lambda: self.agent.start(self.agent_settings, self.timeout), self.timeout, "agent_start")

    def _prompt(self, runtime: AgentRuntime, slot: Slot) -> str:
        return prompt_fingerprint(runtime.system_prompt, self.fixture.tasks[slot.task_id])

    def _trial(self, session: Session, runtime: AgentRuntime, slot: Slot) -> Trace:
        task, seed = self.fixture.tasks[slot.task_id], slot.trial.seed
        return run_trial(session, runtime, task, self.fixture.snapshot, seed=seed, timeout=self.timeout)

    def _lane(self, runtime: AgentRuntime | None) -> Lane:
        if runtime is None or runtime.model_fingerprint is None:
            return self.lane
        return self.lane.with_model(runtime.model_fingerprint)

    def _excluded(self, slots: Sequence[Slot], error: NotReady, code: str) -> Iterator[TrajectoryReceipt]:
        return excluded(self.lane, slots, error, code)


def excluded(lane: Lane, slots: Sequence[Slot], error: NotReady, code: str) -> Iterator[TrajectoryReceipt]:
    """Receipts of slots that could not be run: they are attempted and counted, under the harness's own fault."""
    for slot in slots:
        yield receipt_of(lane, slot, None, _failed(error, code), Clock(why_not=code))


def _failed(error: NotReady, code: str) -> Trace:
    trace = Trace().fail(Stopped("harness_error", code, error.said))
    if error.code != code:
        trace.diagnostics.append(f"because of {error.code}")
    return trace


RunCohort = Callable[[Cohort], Iterator[TrajectoryReceipt]]
LIFECYCLES: Mapping[str, RunCohort] = {"cold": Cohort.cold, "warm": Cohort.warm}
