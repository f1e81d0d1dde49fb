"""An agent in thirty lines: search with the words of the goal, read nothing more, copy the first line with a date or code.

It reads one JSON object a line from standard input and writes one a line to standard output; see recipes/agents.md.
"""

from __future__ import annotations

import json
import re
import sys

SHAPES = {"identifier": r"\b[A-Z][A-Z0-9]*(?:[-_.][A-Z0-9]+)+\b", "date": r"\b\d{4}-\d\d-\d\d\b"}


def search(task: dict) -> dict:
    return {"kind": "tool", "toolName": "search", "arguments": {"query": task["brief"]["goal"]}}


def answer(task: dict, result: dict) -> dict:
    lines = result["evidence"] or json.loads(result["content"] or "{}").get("evidence", [])
    claims, gaps = [], []
    for claim in task["claims"]:
        shape = SHAPES.get(claim["valueType"], r"(?!)")
        found = next(((line, match) for line in lines if (match := re.search(shape, line["text"]))), None)
        if found is None:
            gaps.append({"claimKey": claim["claimKey"], "reason": "missing_evidence"})
            continue
        citation = {name: value for name, value in found[0].items() if name != "text"}
        value = {"type": claim["valueType"], "value": found[1][0]}
        claims.append({"claimKey": claim["claimKey"], "value": value, "citations": [citation]})
    envelope = {"schemaVersion": "1.0", "claims": claims, "gaps": gaps}
    envelope |= {"abstained": not claims, "stopReason": "complete" if claims else "abstained"}
    return {"kind": "final", "envelope": envelope}


task = {}
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "task":
        task = said["task"]
    else:
        step = search(task) if said["result"] is None else answer(task, said["result"])
        print(json.dumps(step), flush=True)
