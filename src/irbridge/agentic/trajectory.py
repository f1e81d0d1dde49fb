"""The records of a trial, closed as those of `records`: what was called and returned, what was observed, what it is worth."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from irbridge.agentic.records import (
    Code,
    Count,
    Evidence,
    FailureClass,
    FinalEnvelope,
    Id,
    Lifecycle,
    Match,
    Record,
    Role,
    Sha256,
    State,
    StopReason,
    ToolName,
    Version,
)

# -------------------------------------------------------------------------------------------------------------- receipt


class ToolResult(Record, frozen=True):
    """What a tool returned."""

    status: Literal["ok", "error"]
    result_role: Role
    content: str
    evidence: list[Evidence]
    error_code: Code | None


class Call(Record, frozen=True):
    """One choice of a tool, whether or not its result reached the agent."""

    call_index: Count
    tool_name: ToolName
    arguments: dict[str, Any]
    result: ToolResult
    delivered_to_agent: bool
    failure_code: Code | None
    model_visible_utf8_bytes: Annotated[int, Meta(ge=0)] = msgspec.field(name="modelVisibleUtf8Bytes")
    measured_tokens: Count | None
    tokenizer_fingerprint: Sha256 | None
    backend_invocations: Count


class ToolStates(Record, frozen=True, rename=None):
    """What an adapter can do with each tool."""

    search: State
    get: State
    multi_get: State


class LifecycleStates(Record, frozen=True):
    """Which lifecycles an adapter has."""

    cold: State
    warm: State


class Capabilities(Record, frozen=True):
    """What an adapter can do and can account for."""

    backend_invocation_accounting: bool
    startup_timing: bool
    model_load_timing: bool
    tool_timing: bool
    tools: ToolStates
    exact_line_spans: State
    measured_tokens: State
    backend_hashes: State
    lifecycle: LifecycleStates


class Failure(Record, frozen=True):
    """Why a trial failed; the message stands in the observations, so that receipts stay comparable."""

    class_: FailureClass = msgspec.field(name="class")
    code: Code | None
    redacted_message: None


class Fingerprints(Record, frozen=True):
    """SHA-256 of what a trial rests on; 64 zeros for what it does not have."""

    corpus: Sha256
    prompt: Sha256
    tools: Sha256
    model: Sha256
    runtime: Sha256
    config: Sha256
    index: Sha256


class CanonicalReceipt(Record, frozen=True):
    """All that a decision rests on: byte-identical for unchanged inputs, on any machine."""

    schema_version: Version
    task_id: Id
    adapter_id: Id
    trial_id: Id
    seed: int | None
    lifecycle: Lifecycle
    agent_id: Id
    capabilities: Capabilities
    calls: list[Call]
    agent_calls: Count
    backend_invocations: Count
    model_visible_utf8_bytes: Annotated[int, Meta(ge=0)] = msgspec.field(name="modelVisibleUtf8Bytes")
    measured_tokens: Count | None
    final_envelope: FinalEnvelope | None
    stop_reason: StopReason
    failure: Failure
    fingerprints: Fingerprints


class Timing(Record, frozen=True):
    """Milliseconds, or null with the reason."""

    value_ms: Annotated[float, Meta(ge=0)] | None
    unavailable_reason: Code | None


class Timings(Record, frozen=True):
    """How long each part of a trial took."""

    preparation: Timing
    startup: Timing
    model_load: Timing
    tool: Timing
    driver: Timing
    end_to_end: Timing


class ProcessFacts(Record, frozen=True):
    """The most memory held, in bytes, or null with the reason."""

    peak_rss_bytes: Count | None
    unavailable_reason: Code | None


class Observations(Record, frozen=True):
    """What varies from run to run; no decision looks at it. `platform` names interpreter, system and machine."""

    recorded_at: str
    platform: dict[str, str]
    timings: Timings
    process: ProcessFacts
    temp_paths: list[str]
    diagnostics: list[str]


class TrajectoryReceipt(Record, frozen=True):
    """One trial: what decisions rest on, and what was only observed."""

    schema_version: Version
    canonical: CanonicalReceipt
    observations: Observations


# ---------------------------------------------------------------------------------------------------------------- score


class TaskScore(Record, frozen=True):
    """What a receipt is worth; identity first, then how citations were matched.

    Counts of claims are lists of claim keys where a person asks which.
    """

    task_id: Id
    adapter_id: Id
    trial_id: Id
    seed: int | None
    lifecycle: Lifecycle
    agent_id: Id
    match: Match
    scored: bool
    exclusion_reason: Literal["harness_error"] | None
    success: Literal[0, 1]
    completed: bool
    supported_claims: list[str]
    unsupported_claims: list[str]
    unsupported_substantive_claims: list[str]
    missing_required_claims: list[str]
    forbidden_evidence_claims: list[str]
    invalid_outputs: list[str]
    correct_abstention: bool
    premature_stop: bool
    unnecessary_read: bool
    collection_correct: bool
    filters_correct: bool
    substantive_claims: Count
    linked_supported_claims: Count
