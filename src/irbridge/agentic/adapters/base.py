"""What an adapter is: a system prepared once on the frozen corpus, attached per trial (cold) or once (warm).

    kind.prepare(snapshot, home, deadline) -> Prepared    unmeasured; builds the native index below `home`
    prepared.attach(deadline)              -> Session      a fresh process or connection on that index
    session.tools() / probe(task) / reset(task) / call(...) / close()

A session is told the task's visible form at each reset: nothing outside its collections may come back. Whatever it
raises is caught: `ToolFailure` (the product's fault, with a closed code), `Unavailable` (the lane cannot be run), all
else. An adapter never sees an oracle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from irbridge.agentic.records import AgentTask, Id, plain, record
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.agentic.toolset import Tool
from irbridge.agentic.trajectory import Capabilities, LifecycleStates, ToolResult, ToolStates
from irbridge.errors import IrbridgeError

#: What all adapters here can do and account for: the tools, lines and calls; not tokens, nor hashes of a backend's own.
CAPABILITIES = Capabilities(
    backend_invocation_accounting=True,
    startup_timing=True,
    model_load_timing=False,
    tool_timing=True,
    tools=ToolStates(search="supported", get="supported", multi_get="supported"),
    exact_line_spans="supported",
    measured_tokens="unavailable",
    backend_hashes="unavailable",
    lifecycle=LifecycleStates(cold="supported", warm="supported"),
)


class ToolFailure(IrbridgeError):
    """A call that the product failed. `code` is closed: tool_call_failed, invalid_tool_result, scope_violation, ..."""

    def __init__(self, code: str, message: str, *, backend_invocations: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.backend_invocations = backend_invocations


class Unavailable(IrbridgeError):
    """What the adapter needs is not here (a checkout, a model, a package); `code` goes into each receipt of its lane."""

    def __init__(self, code: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code


@dataclass(frozen=True)
class Outcome:
    """What a call returned, and what it took inside."""

    result: ToolResult
    backend_invocations: int = 0
    measured_tokens: int | None = None
    tokenizer_fingerprint: str | None = None


class Session(Protocol):
    """One attached system."""

    def tools(self) -> Sequence[Tool]: ...
    def probe(self, task: AgentTask) -> None: ...
    def reset(self, task: AgentTask) -> None: ...
    def call(self, tool: str, arguments: Mapping[str, Any], timeout: float) -> Outcome: ...
    def close(self) -> None: ...


class Prepared(Protocol):
    """A system with its index, ready to be attached. Fingerprints are SHA-256 in hex."""

    @property
    def config_fingerprint(self) -> str: ...
    @property
    def index_fingerprint(self) -> str: ...
    @property
    def diagnostics(self) -> Sequence[str]: ...

    def attach(self, timeout: float) -> Session: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Adapter:
    """An adapter's descriptor.

    Attributes:
        prepare: (snapshot, home, timeout in seconds, settings) -> Prepared; `home` is an empty folder of its own, removed
            after the run. Raises Unavailable.
        settings: what `settings` may hold, name -> meaning (a path, a command).
    """

    name: str
    summary: str
    capabilities: Capabilities
    prepare: Callable[[CorpusSnapshot, str | os.PathLike[str], float, Mapping[str, str]], Prepared]
    methodology: str
    settings: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an adapter whose receipts could not be written; the registry reports a third party's and skips it.

        Raises:
            InputError: its name is no id, its capabilities are none, or its method is no text.
        """
        record(Id, self.name)
        record(Capabilities, plain(self.capabilities))
        record(str, self.methodology)
