"""An agent without a model and without answers: it searches by the claim's words, reads what it finds, and copies values.

    search per claim -> candidates: read them (get, multi_get) -> source lines: pick values -> final envelope
                     -> evidence bundle: pick values at once

It acts on the role of a result and never on an adapter's name, and it keeps within the public budgets: with its last
call spent it answers from what it has, candidates too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.agents.base import Agent, Shown, Trial
from irbridge.agentic.agents.picking import Line, cue_of, filters_of, picked
from irbridge.agentic.canonical_json import canonical_json

SYSTEM = "irbridge fixture agent 1: one search a claim by its words, read the candidates, copy typed values from their lines."
#: A line of 50 bytes costs about ten times that with its coordinates: what is read is planned by this factor.
_COST = 10
_READ = 4
_AROUND = 3


class FixtureRuntime:
    """The state machine; it holds the task, and learns the rest from the history at each step."""

    system_prompt = SYSTEM
    model_fingerprint = None
    tokenizer_fingerprint = None

    def __init__(self) -> None:
        self._task: Mapping[str, Any] = {}

    def begin(self, task: Mapping[str, Any], seed: int | None) -> None:
        self._task = task

    def close(self) -> None:
        """Nothing is held."""

    def step(self, history: Sequence[Shown], timeout: float) -> Any:
        """The next call while one is useful and allowed, else the answer."""
        left = self._task["budgets"]["maxAgentCalls"] - len(history)
        bundled = any(shown.result["resultRole"] == "evidence_bundle" for shown in history)
        if left < 1 or bundled:
            return self._final(history)
        searches = [shown for shown in history if shown.tool_name == "search"]
        claims = self._task["claims"]
        if "search" in self._task["allowedTools"] and len(searches) < len(claims) and (left > 1 or not searches):
            return self._search(claims[len(searches)])
        return self._read(history) or self._final(history)

    def _search(self, claim: Mapping[str, Any]) -> dict[str, Any]:
        brief = self._task["brief"]
        arguments: dict[str, Any] = {
            "query": cue_of(claim["claimKey"], brief),
            "collection": self._task["corpus"]["collections"][0],
        }
        filters = filters_of(brief)
        if filters:
            arguments["filters"] = filters
        return {"kind": "tool", "toolName": "search", "arguments": arguments}

    def _read(self, history: Sequence[Shown]) -> dict[str, Any] | None:
        """The read of what the searches found and no read has yet asked for."""
        asked = {uri for shown in history for uri in _asked(shown)}
        found = [line for line in _lines(history) if line.coordinate["uri"] not in asked]
        uris = list(dict.fromkeys(line.coordinate["uri"] for line in found))[:_READ]
        allowed = self._task["allowedTools"]
        if not uris or not {"get", "multi_get"} & set(allowed):
            return None
        if "multi_get" in allowed and (len(uris) > 1 or "get" not in allowed):
            spent = sum(len(canonical_json(dict(shown.result)).encode()) for shown in history)
            room = max(1, (self._task["budgets"]["maxModelVisibleBytes"] - spent) // _COST)
            return {"kind": "tool", "toolName": "multi_get", "arguments": {"uris": uris, "maxBytes": room}}
        first = min(line.coordinate["startLine"] for line in found if line.coordinate["uri"] == uris[0])
        start = max(1, first - _AROUND)
        count = 2 * _AROUND + 1
        return {"kind": "tool", "toolName": "get", "arguments": {"uri": uris[0], "fromLine": start, "lineCount": count}}

    def _final(self, history: Sequence[Shown]) -> dict[str, Any]:
        lines = _lines(history)
        claims, gaps = [], []
        for claim in self._task["claims"]:
            value, used, reason = picked(claim, self._task["brief"], lines)
            if value is None:
                gaps.append({"claimKey": claim["claimKey"], "reason": reason})
            else:
                citations = [line.coordinate for line in used]
                claims.append({"claimKey": claim["claimKey"], "value": value, "citations": citations})
        envelope = {
            "schemaVersion": "1.0",
            "claims": claims,
            "gaps": gaps,
            "abstained": not claims,
            "stopReason": "complete" if claims else "abstained",
        }
        return {"kind": "final", "envelope": envelope}


def _asked(shown: Shown) -> list[str]:
    return [shown.arguments["uri"]] if shown.tool_name == "get" else list(shown.arguments.get("uris", ()))


def _lines(history: Sequence[Shown]) -> list[Line]:
    """All lines of evidence seen, each once, in the order of their places."""
    found: dict[tuple[str, int, int], Line] = {}
    for shown in history:
        items = shown.result["evidence"] or _bundled(shown.result)
        for item in items:
            coordinate = {name: value for name, value in item.items() if name != "text"}
            found[coordinate["uri"], coordinate["startLine"], coordinate["endLine"]] = Line(item["text"], coordinate)
    return [found[place] for place in sorted(found)]


def _bundled(result: Mapping[str, Any]) -> list[Any]:
    if result["resultRole"] != "evidence_bundle":
        return []
    try:
        return list(json.loads(result["content"])["evidence"])
    except (ValueError, KeyError, TypeError):
        return []


def start(settings: Mapping[str, str], timeout: float) -> FixtureRuntime:
    """A new state machine."""
    return FixtureRuntime()


def trials(settings: Mapping[str, str]) -> list[Trial]:
    """One: it has no chance in it."""
    return [Trial("fixture-01", 0)]


AGENT = Agent(
    name="fixture",
    summary="a deterministic state machine without a model: the standard lane",
    start=start,
    trials=trials,
)
