"""spec/agentic/*.schema.json, made from the records: `cd tests && python -m support.agentic_schemas` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from irbridge.agentic.manifest import Manifest
from irbridge.agentic.records import AgentTask, FinalEnvelope, HiddenOracle
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.trajectory import TrajectoryReceipt

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "agentic"
KINDS = {
    "agent-task": AgentTask,
    "hidden-oracle": HiddenOracle,
    "final-envelope": FinalEnvelope,
    "trajectory-receipt": TrajectoryReceipt,
    "benchmark-report": BenchmarkReport,
    "fixture-manifest": Manifest,
}


def schema(kind: type) -> dict[str, Any]:
    """The draft-07 schema of a record and of all that it holds."""
    _, parts = msgspec.json.schema_components([kind], ref_template="#/definitions/{name}")
    top = _draft7(parts.pop(kind.__name__))
    definitions = {name: _draft7(parts[name]) for name in sorted(parts)}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **top,
        **({"definitions": definitions} if definitions else {}),
    }


def page(name: str) -> str:
    """The text of a schema's file."""
    return json.dumps(schema(KINDS[name]), ensure_ascii=False, indent=2) + "\n"


def path(name: str) -> Path:
    """Where it lies."""
    return FOLDER / f"{name}.schema.json"


def _draft7(value: Any) -> Any:
    """Without what draft-07 does not know; `\\Z` of Python is `$` of ECMA-262."""
    if isinstance(value, list):
        return [_draft7(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _draft7(each) for name, each in value.items() if name != "discriminator"}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = found["pattern"].replace(r"\Z", "$")
    return found


if __name__ == "__main__":
    for name in KINDS:
        path(name).write_text(page(name), encoding="utf-8", newline="\n")
