"""Any program as the agent: one line of JSON in, one line of JSON out.

    to it    {"type":"task","task":{...},"tools":[...],"system":"...","seed":0}     a new task begins; no answer
             {"type":"turn","result":null}                                          what now? (first turn: no result yet)
             {"type":"turn","result":{"status":...,"content":...,"evidence":[...]}} the last call's visible result
    from it  {"kind":"tool","toolName":"search","arguments":{...}}
             {"kind":"final","envelope":{...}}

It is started once per runtime: per trial when cold, per cohort when warm. Where it fails, the last line of its standard
error is told.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.agents.base import Agent, AgentFailure, Shown, Trial
from irbridge.agentic.processes import LineProcess, ProcessFailure, environment
from irbridge.agentic.toolset import TOOLS
from irbridge.errors import UsageError, quoted

SYSTEM = (
    "Answer the claims of the task from the corpus alone, with the tools. Cite for each claim the exact evidence"
    " coordinates that a tool returned. What the corpus does not say is a gap. Answer with one JSON object per turn."
)


class CommandRuntime:
    """A started program; see the module."""

    system_prompt = SYSTEM
    model_fingerprint = None
    tokenizer_fingerprint = None

    def __init__(self, command: Sequence[str]) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="irbridge-agent-", ignore_cleanup_errors=True)
        try:
            self._process = LineProcess(command, env=environment(self._home.name))
        except ProcessFailure as error:
            self._home.cleanup()
            raise Unavailable("agent_start_failed", error.message) from error

    def begin(self, task: Mapping[str, Any], seed: int | None) -> None:
        tools = [tool.visible() for tool in TOOLS if tool.name in task["allowedTools"]]
        self._send({"type": "task", "task": task, "tools": tools, "system": SYSTEM, "seed": seed})

    def step(self, history: Sequence[Shown], timeout: float) -> Any:
        self._send({"type": "turn", "result": dict(history[-1].result) if history else None})
        try:
            return self._process.receive(timeout)
        except TimeoutError:
            raise AgentFailure("agent_timeout", f"no answer after {timeout:g} s") from None
        except ProcessFailure as error:
            raise AgentFailure(f"agent_{error.code}", error.message) from error

    def _send(self, message: Any) -> None:
        try:
            self._process.send(message)
        except ProcessFailure as error:
            raise AgentFailure(f"agent_{error.code}", error.message) from error

    def close(self) -> None:
        self._process.close()
        self._home.cleanup()


def start(settings: Mapping[str, str], timeout: float) -> CommandRuntime:
    """Start the program of the setting `command`."""
    return CommandRuntime(_command(settings))


def trials(settings: Mapping[str, str]) -> list[Trial]:
    """As many as `trials` says, with the seeds 0, 1, ...; one without it.

    Raises:
        UsageError: no command, or a number of trials that is none.
    """
    _command(settings)
    said = settings.get("trials", "1")
    if not said.isascii() or not said.isdigit() or len(said) > 4 or not 1 <= int(said) <= 1000:
        raise UsageError(f"trials={quoted(said, 40)} is no number from 1 to 1000")
    return [Trial(f"command-{number + 1:02d}", number) for number in range(int(said))]


def _command(settings: Mapping[str, str]) -> list[str]:
    try:
        command = shlex.split(settings.get("command", ""))
    except ValueError as error:
        raise UsageError(f"the agent's command cannot be split into words: {error}") from error
    if not command:
        raise UsageError("the command agent needs a command", hint="--agent-set command='python my_agent.py'")
    return command


AGENT = Agent(
    name="command",
    summary="any program that reads and writes one JSON object a line",
    start=start,
    trials=trials,
    settings={"command": "the program and its arguments", "trials": "how often each task is run; default 1"},
)
