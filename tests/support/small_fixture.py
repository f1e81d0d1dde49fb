"""A fixture of a few tiny tasks, written to a folder and sealed; and a product and an agent that do what a test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from irbridge.agentic.adapters.base import CAPABILITIES, Adapter, Outcome
from irbridge.agentic.agents.base import Agent, Shown, Trial
from irbridge.agentic.evidence import evidence_of
from irbridge.agentic.fixture import Fixture, load_fixture, seal
from irbridge.agentic.records import AgentTask
from irbridge.agentic.toolset import TOOLS, Tool
from irbridge.agentic.trajectory import ToolResult

TASK_IDS = ("t0000001", "t0000002", "t0000003")


def task(task_id: str, collection: str, **changes: Any) -> dict[str, Any]:
    """A task that asks for a launch date."""
    return {
        "schemaVersion": "1.0",
        "taskId": task_id,
        "category": "temporal",
        "brief": {"goal": "When is the launch?", "instructions": ["Give the date."]},
        "claims": [{"claimKey": "launchDate", "valueType": "date", "substantive": True, "required": True}],
        "allowedTools": ["search", "get", "multi_get"],
        "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12_000},
        "corpus": {"collections": [collection]},
        **changes,
    }


def write_fixture(folder: Path, **changes: Any) -> Path:
    """Three tasks with one collection of one document each; `changes` go into every task."""
    for number, task_id in enumerate(TASK_IDS, start=1):
        collection = f"c00{number}"
        place = folder / "corpus" / task_id / collection
        place.mkdir(parents=True)
        (place / "notes.md").write_bytes(f"# Notes\n\nLaunch date: 2026-09-1{number}\nOwner: Ada\n".encode())
        said = task(task_id, collection, **changes)
        oracle = {
            "schemaVersion": "1.0",
            "taskId": task_id,
            "claims": [],
            "expectedMissing": ["launchDate"],
            "expectedScope": {"collection": None, "filters": {}},
            "completion": {
                "expectAbstention": False,
                "failOnUnexpectedEvidence": False,
                **said["budgets"],
            },
            "leakCanaries": [f"canary-{number}-gannet"],
        }
        for part, value in (("tasks", said), ("oracles", oracle)):
            (folder / part).mkdir(exist_ok=True)
            (folder / part / f"{task_id}.json").write_text(json.dumps(value))
    seal(folder, version="1", license_name="MIT", provenance="written for a test")
    return folder


def small_fixture(folder: Path, **changes: Any) -> Fixture:
    """The written fixture, loaded."""
    return load_fixture(write_fixture(folder, **changes))


def result(fixture: Fixture, task_id: str = "t0000001", role: Any = "source") -> ToolResult:
    """A result that shows the line with the date of a task."""
    collection = fixture.tasks[task_id].corpus.collections[0]
    source = fixture.snapshot.by_uri[f"corpus://{collection}/notes.md"]
    return ToolResult(status="ok", result_role=role, content="", evidence=[evidence_of(source, 3, 3)], error_code=None)


class Product:
    """A session and its preparation in one; each of its acts may be replaced by a function."""

    config_fingerprint = "1" * 64
    index_fingerprint = "2" * 64
    diagnostics: Sequence[str] = ()

    def __init__(self, fixture: Fixture, **acts: Callable[..., Any]) -> None:
        self.fixture = fixture
        self.acts = acts
        self.done: list[str] = []
        self.task: AgentTask | None = None

    def _act(self, name: str, usual: Callable[[], Any], *given: Any) -> Any:
        self.done.append(name)
        return self.acts[name](*given) if name in self.acts else usual()

    def prepare(self, snapshot: Any, home: Any, timeout: float, settings: Mapping[str, str]) -> Product:
        return self._act("prepare", lambda: self, home)

    def attach(self, timeout: float) -> Product:
        return self._act("attach", lambda: self)

    def tools(self) -> Sequence[Tool]:
        return self._act("tools", lambda: TOOLS)

    def probe(self, task: AgentTask) -> None:
        self._act("probe", lambda: None, task)

    def reset(self, task: AgentTask) -> None:
        self.task = task
        self._act("reset", lambda: None, task)

    def call(self, tool: str, arguments: Mapping[str, Any], timeout: float) -> Outcome:
        usual = lambda: Outcome(result(self.fixture, self.task.task_id), 1)  # noqa: E731 - shorter than a method
        return self._act("call", usual, tool, arguments)

    def close(self) -> None:
        self._act("close", lambda: None)

    def adapter(self, name: str = "product") -> Adapter:
        return Adapter(name=name, summary="", capabilities=CAPABILITIES, prepare=self.prepare, methodology="")


SEARCH = {"kind": "tool", "toolName": "search", "arguments": {"query": "launch date"}}


def envelope(**changes: Any) -> dict[str, Any]:
    """A final step that leaves the claim open."""
    said = {
        "schemaVersion": "1.0",
        "claims": [],
        "gaps": [{"claimKey": "launchDate", "reason": "missing_evidence"}],
        "abstained": True,
        "stopReason": "abstained",
        **changes,
    }
    return {"kind": "final", "envelope": said}


class Script:
    """An agent that gives prepared steps, one after the other; a step may be a function of the history."""

    system_prompt = "script"
    model_fingerprint = None
    tokenizer_fingerprint = None

    def __init__(self, *steps: Any, begin: Callable[[], None] = lambda: None) -> None:
        self.steps = steps
        self.started = begin
        self.seen: list[Any] = []

    def begin(self, task: Mapping[str, Any], seed: int | None) -> None:
        self.started()
        self.seen.append(dict(task))
        self.left = list(self.steps)

    def step(self, history: Sequence[Shown], timeout: float) -> Any:
        self.seen.append(history)
        step = self.left.pop(0) if self.left else envelope()
        return step(history) if callable(step) else step

    def close(self) -> None:
        pass

    def agent(self, trials: Sequence[Trial] = (Trial("one", 0),)) -> Agent:
        return Agent(name="script", summary="", start=lambda settings, timeout: self, trials=lambda settings: trials)
