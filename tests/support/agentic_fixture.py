"""A small fixture written into a folder, for tests that break it: two tasks, three documents."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

FIRST, SECOND = "t0000001", "t0000002"
CORPUS = {
    f"{FIRST}/c001/a.md": "# Plan\r\n\r\nLaunch date: 2026-09-14\r\nOwner: Noor\r\n",
    f"{FIRST}/c001/old/b.md": "# Old plan\n\nLaunch date: 2026-06-30\n",
    f"{SECOND}/c002/a.md": "# Rooms\n\nSeats: 18\n",
}


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def coordinate(path: str, line: int, text: str) -> dict[str, Any]:
    """The coordinate of a line whose text is typed by hand."""
    return {
        "uri": "corpus://" + path.split("/", 1)[1],
        "sourceHash": sha(CORPUS[path]),
        "startLine": line,
        "endLine": line,
        "spanHash": sha(text),
        "sourceHashProvenance": "harness_observed",
        "spanHashProvenance": "harness_observed",
    }


def _task(task_id: str, key: str, kind: str, collection: str) -> dict[str, Any]:
    return {
        "schemaVersion": "1.0",
        "taskId": task_id,
        "category": "temporal",
        "brief": {"goal": "What is it?", "instructions": ["Look."]},
        "claims": [{"claimKey": key, "valueType": kind, "substantive": True, "required": True}],
        "allowedTools": ["search", "get", "multi_get"],
        "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12000},
        "corpus": {"collections": [collection]},
    }


def _oracle(task_id: str, key: str, value: dict[str, Any], normalizer: str, required: Any, forbidden: Any) -> Any:
    return {
        "schemaVersion": "1.0",
        "taskId": task_id,
        "claims": [
            {
                "claimKey": key,
                "expectedValue": value,
                "normalizer": {"id": normalizer, "version": 1},
                "requiredEvidence": required,
                "optionalEvidence": [],
                "forbiddenEvidence": forbidden,
            }
        ],
        "expectedMissing": [],
        "expectedScope": {"collection": None, "filters": {}},
        "completion": {
            "expectAbstention": False,
            "maxAgentCalls": 3,
            "maxModelVisibleBytes": 12000,
            "failOnUnexpectedEvidence": False,
        },
        "leakCanaries": [f"canary-of-{task_id}"],
    }


NEW = coordinate(f"{FIRST}/c001/a.md", 3, "Launch date: 2026-09-14")
OLD = coordinate(f"{FIRST}/c001/old/b.md", 3, "Launch date: 2026-06-30")
SEATS = coordinate(f"{SECOND}/c002/a.md", 3, "Seats: 18")
DATE = {"type": "date", "value": "2026-09-14"}
FILES: dict[str, Any] = {
    f"tasks/{FIRST}.json": _task(FIRST, "launchDate", "date", "c001"),
    f"tasks/{SECOND}.json": _task(SECOND, "seats", "number", "c002"),
    f"oracles/{FIRST}.json": _oracle(FIRST, "launchDate", DATE, "iso-date-v1", [NEW], [OLD]),
    f"oracles/{SECOND}.json": _oracle(SECOND, "seats", {"type": "number", "value": 18}, "exact-v1", [SEATS], []),
}


def write(folder: Path, change: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
    """Write the fixture, sealed by hand, after `change` had its way with path -> JSON value or text; the manifest's value."""
    files: dict[str, Any] = copy.deepcopy(FILES) | {f"corpus/{path}": text for path, text in CORPUS.items()}
    if change is not None:
        change(files)
    for path, value in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str | bytes) else json.dumps(value)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    manifest = _manifest(folder, sorted(files))
    write_manifest(folder, manifest)
    return manifest


def write_manifest(folder: Path, manifest: Any) -> None:
    """Write a manifest's value."""
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def _manifest(folder: Path, paths: list[str]) -> dict[str, Any]:
    entries, rows = [], []
    for path in paths:
        parts = path.split("/")
        digest = hashlib.sha256((folder / path).read_bytes()).hexdigest()
        corpus = parts[0] == "corpus"
        owner = parts[1] if corpus else parts[1].removesuffix(".json")
        collection = parts[2] if corpus else None
        kind = {"tasks": "task", "oracles": "oracle", "corpus": "corpus"}[parts[0]]
        entries.append({"path": path, "kind": kind, "sha256": digest, "taskId": owner, "collection": collection})
        if corpus:
            rows.append((owner, collection, "/".join(parts[3:]), digest))
    inventory = [
        f'{{"collection":"{collection}","relPath":"{path}","sourceHash":"{digest}","taskId":"{owner}"}}'
        for owner, collection, path, digest in sorted(rows)
    ]
    return {
        "schemaVersion": "1.0",
        "fixtureVersion": "1",
        "license": "CC0-1.0",
        "provenance": "typed for a test",
        "uriScheme": "corpus",
        "taskCount": sum(entry["kind"] == "task" for entry in entries),
        "files": entries,
        "corpusFingerprint": sha("[" + ",".join(inventory) + "]"),
    }
