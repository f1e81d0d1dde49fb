"""What an agent is: started once per runtime, given a task and a history, it answers with one step at a time.

A step is `{"kind": "tool", "toolName": ..., "arguments": {...}}` or `{"kind": "final", "envelope": {...}}`, with exactly
these members; whatever else it answers is the agent's error. The history holds what it has been shown: pairs of its own
steps and the visible projection of their results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from irbridge.agentic.records import Id, record
from irbridge.errors import IrbridgeError


class AgentFailure(IrbridgeError):
    """The agent failed; `code` is closed: agent_call_failed, invalid_agent_step, ..."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Trial:
    """One repetition: its id, and the seed that the agent is given."""

    trial_id: str
    seed: int | None


@dataclass(frozen=True)
class Shown:
    """One delivered call as the agent saw it: its own step and the projection of the result."""

    tool_name: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]


class AgentRuntime(Protocol):
    """A started agent. Fingerprints are SHA-256 in hex, None for none; `system_prompt` enters the prompt's."""

    @property
    def system_prompt(self) -> str: ...
    @property
    def model_fingerprint(self) -> str | None: ...
    @property
    def tokenizer_fingerprint(self) -> str | None: ...

    def begin(self, task: Mapping[str, Any], seed: int | None) -> None: ...
    def step(self, history: Sequence[Shown], timeout: float) -> Any: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Agent:
    """An agent's descriptor.

    Attributes:
        start: (settings, timeout in seconds) -> AgentRuntime. Raises Unavailable of adapters' kind: the lane fails closed.
        trials: (settings) -> the repetitions of each task.
    """

    name: str
    summary: str
    start: Callable[[Mapping[str, str], float], AgentRuntime]
    trials: Callable[[Mapping[str, str]], Sequence[Trial]]
    settings: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an agent that receipts could not name; the registry reports a third party's and skips it.

        Raises:
            InputError: its name is no id.
        """
        record(Id, self.name)
