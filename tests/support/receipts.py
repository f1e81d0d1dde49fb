"""One task, its oracle and a right receipt, as JSON, for the tests of scoring to take apart.

Two documents of three lines. The task asks for the day of a launch (required), its budget (required) and its colour.
The right agent searches, reads two sources and cites a line each for day and budget; of the colour it says nothing.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

Json = dict[str, Any]

PLAN = ("Launch: 2026-09-14", "", "Venue: Oslo")
MONEY = ("Budget: 250", "Old budget: 300", "Colour: grün 😀")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def span(name: str, start: int, end: int | None = None, provenance: str = "harness_observed") -> Json:
    """Lines of `plan` or `money` as a coordinate."""
    lines = {"plan": PLAN, "money": MONEY}[name]
    end = start if end is None else end
    return {
        "uri": f"corpus://c001/{name}.md",
        "sourceHash": sha("\n".join(lines) + "\n"),
        "startLine": start,
        "endLine": end,
        "spanHash": sha("\n".join(lines[start - 1 : end])),
        "sourceHashProvenance": provenance,
        "spanHashProvenance": provenance,
    }


def evidence(name: str, start: int, end: int | None = None) -> Json:
    """The same with its text, as a tool returns it."""
    lines = {"plan": PLAN, "money": MONEY}[name]
    return {
        **span(name, start, end),
        "text": "\n".join(lines[start - 1 : start if end is None else end]),
        "backendSourceHash": None,
        "backendSpanHash": None,
        "backendHashUnavailableReason": "none of its own",
    }


def task(**changes: Any) -> Json:
    return {
        "schemaVersion": "1.0",
        "taskId": "t0000001",
        "category": "temporal",
        "brief": {"goal": "When is the launch, and what may it cost?", "instructions": ["Cite the lines."]},
        "claims": [
            {"claimKey": "launchDate", "valueType": "date", "substantive": True, "required": True},
            {"claimKey": "budget", "valueType": "number", "substantive": True, "required": True},
            {"claimKey": "colour", "valueType": "string", "substantive": False, "required": False},
        ],
        "allowedTools": ["search", "get", "multi_get"],
        "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12000},
        "corpus": {"collections": ["c001"]},
        **changes,
    }


def oracle(**changes: Any) -> Json:
    return {
        "schemaVersion": "1.0",
        "taskId": "t0000001",
        "claims": [
            oracle_claim("launchDate", "date", "2026-09-14", "iso-date-v1", required=[span("plan", 1)]),
            oracle_claim(
                "budget", "number", 250, "exact-v1", required=[span("money", 1)], forbidden=[span("money", 2)]
            ),
            oracle_claim("colour", "string", "grün", "trim-lower-v1", optional=[span("money", 3)]),
        ],
        "expectedMissing": [],
        "expectedScope": {"collection": "c001", "filters": {"year": 2026, "draft": False}},
        "completion": {
            "expectAbstention": False,
            "maxAgentCalls": 3,
            "maxModelVisibleBytes": 12000,
            "failOnUnexpectedEvidence": False,
        },
        "leakCanaries": ["canary-f00d-1"],
        **changes,
    }


def oracle_claim(
    key: str,
    kind: str,
    value: Any,
    normalizer: str,
    required: list[Json] | None = None,
    optional: list[Json] | None = None,
    forbidden: list[Json] | None = None,
) -> Json:
    return {
        "claimKey": key,
        "expectedValue": {"type": kind, "value": value},
        "normalizer": {"id": normalizer, "version": 1},
        "requiredEvidence": required or [],
        "optionalEvidence": optional or [],
        "forbiddenEvidence": forbidden or [],
    }


def claim(key: str, kind: str, value: Any, *citations: Json) -> Json:
    return {"claimKey": key, "value": {"type": kind, "value": value}, "citations": list(citations)}


def envelope(*claims: Json, **changes: Any) -> Json:
    """The right one, if no claims are given."""
    right = (
        claim("launchDate", "date", "2026-09-14", span("plan", 1)),
        claim("budget", "number", 250, span("money", 1)),
    )
    return {
        "schemaVersion": "1.0",
        "claims": list(claims or right),
        "gaps": [],
        "abstained": False,
        "stopReason": "complete",
        **changes,
    }


def call(place: int, tool: str, arguments: Json, role: str, content: str, *found: Json, **changes: Any) -> Json:
    """A delivered call, charged for what the agent sees of it."""
    result = {"status": "ok", "resultRole": role, "content": content, "evidence": list(found), "errorCode": None}
    return {
        "callIndex": place,
        "toolName": tool,
        "arguments": arguments,
        "result": result,
        "deliveredToAgent": True,
        "failureCode": None,
        "modelVisibleUtf8Bytes": charged(result),
        "measuredTokens": None,
        "tokenizerFingerprint": None,
        "backendInvocations": 1,
        **changes,
    }


def charged(result: Json) -> int:
    """The bytes of a result without the backend's hashes, as compact JSON; not told by the code under test."""
    shown = [
        {name: value for name, value in each.items() if not name.startswith("backend")} for each in result["evidence"]
    ]
    return len(json.dumps({**result, "evidence": shown}, ensure_ascii=False, separators=(",", ":")).encode())


def calls() -> list[Json]:
    search = {"query": "launch", "collection": "c001", "filters": {"year": 2026, "draft": False}}
    return [
        call(0, "search", search, "candidates", "plan.md, money.md", evidence("plan", 1)),
        call(1, "get", {"uri": "corpus://c001/plan.md"}, "source", "plan", evidence("plan", 1), evidence("plan", 3)),
        call(
            2, "get", {"uri": "corpus://c001/money.md"}, "source", "money", *(evidence("money", n) for n in (1, 2, 3))
        ),
    ]  # fmt: skip


def receipt(answer: Json | None = None, made: list[Json] | None = None, **changes: Any) -> Json:
    """A receipt whose counters are those of its calls; `changes` replace members of the canonical part."""
    answer = envelope() if answer is None else answer
    made = calls() if made is None else made
    canonical = {
        "schemaVersion": "1.0",
        "taskId": "t0000001",
        "adapterId": "lexical",
        "trialId": "fixture-01",
        "seed": 0,
        "lifecycle": "cold",
        "agentId": "fixture",
        "capabilities": {
            "backendInvocationAccounting": True,
            "startupTiming": True,
            "modelLoadTiming": False,
            "toolTiming": True,
            "tools": {"search": "supported", "get": "supported", "multi_get": "supported"},
            "exactLineSpans": "supported",
            "measuredTokens": "unavailable",
            "backendHashes": "unsupported",
            "lifecycle": {"cold": "supported", "warm": "supported"},
        },
        "calls": made,
        "agentCalls": len(made),
        "backendInvocations": sum(each["backendInvocations"] for each in made),
        "modelVisibleUtf8Bytes": sum(each["modelVisibleUtf8Bytes"] for each in made),
        "measuredTokens": None,
        "finalEnvelope": answer,
        "stopReason": answer["stopReason"],
        "failure": {"class": "none", "code": None, "redactedMessage": None},
        "fingerprints": dict.fromkeys(
            ("corpus", "prompt", "tools", "model", "runtime", "config", "index"), "0" * 64
        ),
        **changes,
    }  # fmt: skip
    return {"schemaVersion": "1.0", "canonical": canonical, "observations": observations()}


def failed(fault: str, code: str, made: list[Json] | None = None, **changes: Any) -> Json:
    """A receipt of a trial that came to no end."""
    failure = {"class": fault, "code": code, "redactedMessage": None}
    return receipt(None, made, finalEnvelope=None, stopReason="error", failure=failure, **changes)


def observations() -> Json:
    never = {"valueMs": None, "unavailableReason": "not measured"}
    return {
        "recordedAt": "2026-01-01T00:00:00.000Z",
        "platform": {"python": "3.11.7"},
        "timings": dict.fromkeys(("preparation", "startup", "modelLoad", "tool", "driver", "endToEnd"), never),
        "process": {"peakRssBytes": None, "unavailableReason": "not measured"},
        "tempPaths": [],
        "diagnostics": [],
    }
