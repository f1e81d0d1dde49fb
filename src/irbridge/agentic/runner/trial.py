"""One task, from the first step of the agent to its final envelope or to what stopped it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from irbridge.agentic.adapters.base import Outcome, Session, ToolFailure
from irbridge.agentic.agents.base import AgentFailure, AgentRuntime, Shown
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.projection import visible_bytes, visible_result, visible_task
from irbridge.agentic.records import AgentTask, FailureClass, FinalEnvelope, plain, record
from irbridge.agentic.runner.bounded import TimedOut, bounded, code_of, redacted
from irbridge.agentic.runner.results import checked_outcome, is_count
from irbridge.agentic.semantics import envelope_problem, semantic_issues
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import check_arguments
from irbridge.agentic.trajectory import Call, ToolResult
from irbridge.errors import IrbridgeError


class Stopped(Exception):
    """The trial ends here: whose fault it is, under which code."""

    def __init__(self, fault: FailureClass, code: str, said: object = "") -> None:
        super().__init__(code)
        self.fault = fault
        self.code = code
        self.said = redacted(said) if said else ""


@dataclass
class Trace:
    """What a trial left behind; `failure` is (class, code), ("none", None) where the agent came to an end."""

    calls: list[Call] = field(default_factory=list)
    envelope: FinalEnvelope | None = None
    failure: tuple[FailureClass, str | None] = ("none", None)
    diagnostics: list[str] = field(default_factory=list)
    tool_ms: float = 0.0
    driver_ms: float = 0.0

    def fail(self, stopped: Stopped) -> Trace:
        """This trace, ended by a failure."""
        self.failure = (stopped.fault, stopped.code)
        if stopped.said:
            self.diagnostics.append(f"{stopped.code}: {stopped.said}")
        return self


def run_trial(
    session: Session,
    runtime: AgentRuntime,
    task: AgentTask,
    snapshot: CorpusSnapshot,
    *,
    seed: int | None,
    timeout: float,
) -> Trace:
    """Let the agent work on a task until it ends; never raises for what agent or product do.

    Args:
        session: a system that was reset to this task.
        runtime: a started agent.
        task: the task; the agent sees its visible form.
        snapshot: the corpus, to hold returned evidence against.
        seed: the trial's seed.
        timeout: seconds for each step and each call.
    """
    trace = Trace()
    trial = _Trial(session, runtime, task, snapshot, timeout, trace)
    try:
        trace.envelope = trial.work(seed)
    except Stopped as stopped:
        return trace.fail(stopped)
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of the harness must not end the other trials
        return trace.fail(Stopped("harness_error", "unexpected_harness_error", error))
    return trace


@dataclass
class _Trial:
    session: Session
    runtime: AgentRuntime
    task: AgentTask
    snapshot: CorpusSnapshot
    timeout: float
    trace: Trace
    history: list[Shown] = field(default_factory=list)
    visible: int = 0
    tokenizer: str | None = None

    def work(self, seed: int | None) -> FinalEnvelope:
        visible = visible_task(self.task)
        try:
            bounded(lambda: self.runtime.begin(visible, seed), self.timeout)
        except TimedOut:
            raise Stopped("harness_error", "agent_session_timeout") from None
        except AgentFailure as error:
            raise Stopped("agent_error", code_of(error, "agent_session_failed"), error) from error
        except Exception as error:
            raise Stopped("harness_error", "agent_session_failed", error) from error
        while True:
            step = self._step()
            if step["kind"] == "final":
                return self._envelope(step["envelope"])
            self._call(step["toolName"], step["arguments"])

    def _step(self) -> dict[str, Any]:
        start = time.perf_counter()
        try:
            step = bounded(lambda: self.runtime.step(tuple(self.history), self.timeout), self.timeout)
        except TimedOut:
            raise Stopped("agent_error", "agent_timeout") from None
        except AgentFailure as error:
            raise Stopped("agent_error", code_of(error, "agent_step_failed"), error) from error
        except Exception as error:
            raise Stopped("agent_error", "agent_step_failed", error) from error
        finally:
            self.trace.driver_ms += 1000 * (time.perf_counter() - start)
        return _checked_step(step)

    def _envelope(self, answer: Any) -> FinalEnvelope:
        try:
            envelope = record(FinalEnvelope, answer)
            canonical_json(answer)  # half a surrogate pair could not be written down
        except IrbridgeError as error:
            raise Stopped("agent_error", "invalid_final_envelope", error) from error
        problem = envelope_problem(envelope) or ", ".join(semantic_issues(self.task, envelope))
        if problem:
            raise Stopped("agent_error", "invalid_final_envelope", problem)
        return envelope

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> None:
        if tool not in self.task.allowed_tools:
            raise Stopped("agent_error", "tool_not_allowed", tool)
        problem = check_arguments(tool, arguments) or _unwritable(arguments)
        if problem is not None:
            raise Stopped("agent_error", "invalid_tool_arguments", problem)
        if len(self.trace.calls) >= self.task.budgets.max_agent_calls:
            self._undelivered(tool, arguments, Stopped("agent_error", "agent_call_budget_exceeded"))
        outcome = self._outcome(tool, arguments)
        size = visible_bytes(outcome.result)
        if self.visible + size > self.task.budgets.max_model_visible_bytes:
            self._undelivered(tool, arguments, Stopped("agent_error", "context_byte_budget_exceeded"), outcome)
        if outcome.measured_tokens is not None:
            if self.tokenizer not in {None, outcome.tokenizer_fingerprint}:
                self._undelivered(tool, arguments, Stopped("product_error", "tokenizer_changed"), outcome)
            self.tokenizer = outcome.tokenizer_fingerprint
        self.visible += size
        self.trace.calls.append(
            Call(
                call_index=len(self.trace.calls), tool_name=tool, arguments=dict(arguments), result=outcome.result,
                delivered_to_agent=True, failure_code=None, model_visible_utf8_bytes=size,
                measured_tokens=outcome.measured_tokens, tokenizer_fingerprint=outcome.tokenizer_fingerprint,
                backend_invocations=outcome.backend_invocations,
            )
        )  # fmt: skip
        self.history.append(Shown(tool, dict(arguments), visible_result(outcome.result)))

    def _outcome(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        start = time.perf_counter()
        try:
            outcome = bounded(lambda: self.session.call(tool, arguments, self.timeout), self.timeout)
        except TimedOut:
            self._undelivered(tool, arguments, Stopped("product_error", "tool_timeout"))
        except ToolFailure as error:
            inside = error.backend_invocations if is_count(error.backend_invocations) else 0
            code = code_of(error, "tool_call_failed")
            self._undelivered(tool, arguments, Stopped("product_error", code, error), invocations=inside)
        except Exception as error:  # noqa: BLE001 - whatever a product raises is its failure
            self._undelivered(tool, arguments, Stopped("product_error", "tool_call_failed", error))
        finally:
            self.trace.tool_ms += 1000 * (time.perf_counter() - start)
        try:
            return checked_outcome(outcome, self.task, self.snapshot)
        except ToolFailure as error:
            self._undelivered(tool, arguments, Stopped("product_error", error.code, error))

    def _undelivered(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        stopped: Stopped,
        outcome: Outcome | None = None,
        invocations: int = 0,
    ) -> NoReturn:
        """Write down the call that ends the trial: with its result where that was valid, else with a closed one."""
        nothing = ToolResult(
            status="error", result_role="candidates" if tool == "search" else "source", content="", evidence=[],
            error_code=stopped.code,
        )  # fmt: skip
        self.trace.calls.append(
            Call(
                call_index=len(self.trace.calls), tool_name=tool, arguments=dict(arguments),
                result=nothing if outcome is None else outcome.result, delivered_to_agent=False,
                failure_code=stopped.code, model_visible_utf8_bytes=0, measured_tokens=None, tokenizer_fingerprint=None,
                backend_invocations=invocations if outcome is None else outcome.backend_invocations,
            )
        )  # fmt: skip
        raise stopped


_STEPS = {"tool": {"kind", "toolName", "arguments"}, "final": {"kind", "envelope"}}


def _checked_step(step: Any) -> dict[str, Any]:
    kind = step.get("kind") if isinstance(step, dict) else None
    if not isinstance(kind, str) or kind not in _STEPS or set(step) != _STEPS[kind]:
        raise Stopped("agent_error", "invalid_agent_step", "a step is a tool choice or a final envelope")
    if kind == "tool" and not (isinstance(step["toolName"], str) and isinstance(step["arguments"], dict)):
        raise Stopped("agent_error", "invalid_agent_step", "toolName is a text and arguments an object")
    try:
        found: dict[str, Any] = plain(step)
    except Exception as error:
        raise Stopped("agent_error", "invalid_agent_step", error) from error
    return found


def _unwritable(arguments: Mapping[str, Any]) -> str | None:
    try:
        canonical_json(arguments)
    except IrbridgeError as error:
        return error.message
    return None
