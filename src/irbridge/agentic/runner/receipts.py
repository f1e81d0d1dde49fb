"""From what happened to the receipt: the canonical part, equal on every machine, and the observations."""

from __future__ import annotations

import datetime as dt
import platform
from dataclasses import dataclass, field, replace

from irbridge.agentic.adapters.base import Adapter
from irbridge.agentic.canonical_json import fingerprint
from irbridge.agentic.records import AgentTask, plain
from irbridge.agentic.runner.preparing import Ready
from irbridge.agentic.runner.schedule import Slot
from irbridge.agentic.runner.trial import Trace
from irbridge.agentic.toolset import TOOLS, tools_fingerprint
from irbridge.agentic.trajectory import (
    CanonicalReceipt,
    Failure,
    Fingerprints,
    Observations,
    ProcessFacts,
    Timing,
    Timings,
    TrajectoryReceipt,
)

#: What decides how a trial is run. The interpreter and the machine do not; they stand in the observations.
RUNNER = "irbridge-agentic@1"
NONE = "0" * 64


@dataclass(frozen=True)
class Lane:
    """What all receipts of an adapter share."""

    adapter: Adapter
    agent: str
    corpus: str
    config: str = NONE
    index: str = NONE
    model: str = NONE
    preparation_ms: float | None = None

    def of(self, ready: Ready) -> Lane:
        """The same with the identity of what was prepared."""
        return replace(self, config=ready.config, index=ready.index, preparation_ms=ready.took_ms)

    def with_model(self, model: str) -> Lane:
        """The same with the agent's model."""
        return replace(self, model=model)


@dataclass
class Clock:
    """The times of one trial in milliseconds; None where they could not be told, with the reason."""

    startup: float | None = None
    end_to_end: float | None = None
    why_not: str = "not reached"
    places: list[str] = field(default_factory=list)


def prompt_fingerprint(system_prompt: str, task: AgentTask) -> str:
    """The SHA-256 of all that the agent is told before its first step."""
    return fingerprint({"system": system_prompt, "brief": plain(task.brief), "claims": plain(task.claims)})


def receipt_of(lane: Lane, slot: Slot, prompt: str | None, trace: Trace, clock: Clock) -> TrajectoryReceipt:
    """The receipt of a slot.

    Args:
        lane: the adapter's identity.
        slot: what was to be run.
        prompt: the prompt's fingerprint; None where no agent was started.
        trace: what happened.
        clock: how long it took.
    """
    delivered = [call for call in trace.calls if call.delivered_to_agent]
    tokens = [call.measured_tokens for call in delivered if call.measured_tokens is not None]
    fault, code = trace.failure
    canonical = CanonicalReceipt(
        schema_version="1.0",
        task_id=slot.task_id,
        adapter_id=slot.adapter,
        trial_id=slot.trial.trial_id,
        seed=slot.trial.seed,
        lifecycle=slot.lifecycle,
        agent_id=lane.agent,
        capabilities=lane.adapter.capabilities,
        calls=trace.calls,
        agent_calls=len(trace.calls),
        backend_invocations=sum(call.backend_invocations for call in trace.calls),
        model_visible_utf8_bytes=sum(call.model_visible_utf8_bytes for call in trace.calls),
        measured_tokens=sum(tokens) if tokens else None,
        final_envelope=trace.envelope,
        stop_reason="error" if trace.envelope is None else trace.envelope.stop_reason,
        failure=Failure(class_=fault, code=code, redacted_message=None),
        fingerprints=Fingerprints(
            corpus=lane.corpus,
            prompt=prompt or NONE,
            tools=tools_fingerprint(TOOLS),
            model=lane.model,
            runtime=fingerprint({"runner": RUNNER}),
            config=lane.config,
            index=lane.index,
        ),
    )
    return TrajectoryReceipt(
        schema_version="1.0", canonical=canonical, observations=_observed(lane, slot, trace, clock)
    )


def _observed(lane: Lane, slot: Slot, trace: Trace, clock: Clock) -> Observations:
    can = lane.adapter.capabilities
    started = clock.startup if slot.lifecycle == "cold" and can.startup_timing else None
    why = "started before the first trial" if slot.lifecycle == "warm" else "the adapter cannot tell"
    peak = _peak_rss()
    return Observations(
        recorded_at=dt.datetime.now(dt.timezone.utc).isoformat(timespec="milliseconds"),
        platform={
            "machine": platform.machine(),
            "python": platform.python_version(),
            "system": platform.system(),
        },
        timings=Timings(
            preparation=timing(lane.preparation_ms, "preparation failed"),
            startup=timing(started, why if clock.end_to_end is not None else clock.why_not),
            model_load=timing(None, "not told apart from the first call"),
            tool=timing(trace.tool_ms if can.tool_timing else None, "the adapter cannot tell"),
            driver=timing(trace.driver_ms, ""),
            end_to_end=timing(clock.end_to_end, clock.why_not),
        ),
        process=ProcessFacts(
            peak_rss_bytes=peak, unavailable_reason="this system does not tell" if peak is None else None
        ),
        temp_paths=list(clock.places),
        diagnostics=list(trace.diagnostics),
    )


def timing(value_ms: float | None, why_not: str) -> Timing:
    """A time in milliseconds to three decimals, never below 0; or the reason why there is none."""
    if value_ms is None:
        return Timing(value_ms=None, unavailable_reason=why_not)
    return Timing(value_ms=max(0.0, round(value_ms, 3)), unavailable_reason=None)


def _peak_rss() -> int | None:
    try:
        import resource
    except ImportError:  # no such thing on Windows
        return None
    scale = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale
