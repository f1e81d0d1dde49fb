"""A model on this machine as the agent, or none: the lane runs with exactly the file of its lock, or it fails closed.

Nothing is downloaded, no address is looked up and no key is read. llama-cpp-python runs the model, if it is installed.
The model answers with one JSON object a turn, an action or a final envelope; prose and a key given twice are its errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.agents.base import Agent, AgentFailure, Shown, Trial
from irbridge.agentic.agents.model_lock import ModelLock, read_lock, verified_model
from irbridge.agentic.canonical_json import canonical_json, fingerprint
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.toolset import TOOLS
from irbridge.errors import InputError

SYSTEM = (
    "You answer the claims of a task from a corpus that only the tools can read. Each of your turns is one JSON object"
    ' and nothing else: {"kind":"tool","toolName":...,"arguments":{...}} to call a tool, or'
    ' {"kind":"final","envelope":{"schemaVersion":"1.0","claims":[{"claimKey":...,"value":{"type":...,"value":...},'
    '"citations":[...]}],"gaps":[{"claimKey":...,"reason":"missing_evidence"}],"abstained":false,'
    '"stopReason":"complete"}} to end. Copy the citations from evidence that a tool returned, without its text.'
)


class LocalModelRuntime:
    """A loaded model."""

    system_prompt = SYSTEM

    def __init__(self, lock: ModelLock, path: str) -> None:
        try:
            from llama_cpp import Llama
        except ImportError as error:
            raise Unavailable(
                "model_runtime_missing", "llama-cpp-python is not installed", hint="pip install llama-cpp-python"
            ) from error
        self._lock = lock
        self.model_fingerprint = fingerprint({"uri": lock.uri, "sha256": lock.sha256})
        self.tokenizer_fingerprint = fingerprint({"tokenizerId": lock.tokenizer_id, "model": lock.sha256})
        try:
            self._model = Llama(model_path=path, n_ctx=32768, verbose=False)
        except Exception as error:
            raise Unavailable("model_load_failed", f"the model cannot be loaded: {error}") from error
        self._messages: list[dict[str, str]] = []
        self._seed: int | None = None
        self._steps = 0

    def begin(self, task: Mapping[str, Any], seed: int | None) -> None:
        tools = [tool.visible() for tool in TOOLS if tool.name in task["allowedTools"]]
        self._seed, self._steps = seed, 0
        self._messages = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": canonical_json({"task": dict(task), "tools": tools})},
        ]

    def step(self, history: Sequence[Shown], timeout: float) -> Any:
        if self._steps >= self._lock.max_steps:
            raise AgentFailure("agent_step_budget_exceeded", f"no answer within {self._lock.max_steps} steps")
        self._steps += 1
        if history and self._steps > 1:
            self._messages.append({"role": "user", "content": canonical_json(dict(history[-1].result))})
        answer = self._model.create_chat_completion(
            messages=self._messages, seed=self._seed, temperature=0.7, max_tokens=self._lock.max_output_tokens
        )
        said = answer["choices"][0]["message"]["content"] or ""
        self._messages.append({"role": "assistant", "content": said})
        try:
            return strict_json(said.strip())
        except InputError as error:
            raise AgentFailure("invalid_agent_step", error.message) from error

    def close(self) -> None:
        """The model goes with this object."""


def start(settings: Mapping[str, str], timeout: float) -> LocalModelRuntime:
    """Load the model of the settings `lock` and `model`, after its bytes have been compared.

    Raises:
        Unavailable: something is not there, or not what the lock says.
    """
    lock = read_lock(settings.get("lock"))
    return LocalModelRuntime(lock, verified_model(settings.get("model"), lock))


def trials(settings: Mapping[str, str]) -> list[Trial]:
    """The lock's three; without a lock, one that will say what is missing."""
    try:
        return [Trial(trial.trial_id, trial.seed) for trial in read_lock(settings.get("lock")).trials]
    except Unavailable:
        return [Trial("local-unavailable", None)]


AGENT = Agent(
    name="local-model",
    summary="a model file on this machine, pinned by its SHA-256; nothing is downloaded",
    start=start,
    trials=trials,
    settings={"lock": "the lock file: sha256, budgets, three seeds", "model": "the absolute path of the model file"},
)
