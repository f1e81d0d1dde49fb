"""A small frozen corpus and a task over it, for tests of systems under test."""

from __future__ import annotations

import hashlib
from types import MappingProxyType

from irbridge.agentic.evidence import Source
from irbridge.agentic.records import AgentTask, record
from irbridge.agentic.snapshot import CorpusSnapshot

ALPHA = "# Alpha\n\nThe launch date is 2026-09-14.\nOwner: Ana\n"
BETA = "# Beta\r\n\r\nBudget: 4200 euro\r\n"
GAMMA = "# Gamma\n\nThe launch date is secret.\n"


def source(collection: str, path: str, text: str) -> Source:
    uri = f"corpus://{collection}/{path}"
    return Source(uri, collection, path, text, hashlib.sha256(text.encode()).hexdigest())


def snapshot() -> CorpusSnapshot:
    """ca: a.md and sub/b.md, which belong to t1; cb: c.md, which belongs to t2."""
    sources = (source("ca", "a.md", ALPHA), source("ca", "sub/b.md", BETA), source("cb", "c.md", GAMMA))
    return CorpusSnapshot(sources, MappingProxyType({"ca": "t1", "cb": "t2"}))


def task(*collections: str, task_id: str = "t1", keys: tuple[str, ...] = ("launchDate",)) -> AgentTask:
    """A task that may see these collections; ca by default."""
    return record(
        AgentTask,
        {
            "schemaVersion": "1.0",
            "taskId": task_id,
            "category": "temporal",
            "brief": {"goal": "When is the launch?", "instructions": ["Cite."]},
            "claims": [{"claimKey": key, "valueType": "date", "substantive": True, "required": True} for key in keys],
            "allowedTools": ["search", "get", "multi_get"],
            "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12_000},
            "corpus": {"collections": list(collections or ("ca",))},
        },
    )
