"""What an agent sees of a task and of a result, and what that costs: the bytes of the canonical JSON."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any

import msgspec

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.records import AgentTask, Coordinate, Evidence, plain
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import InputError, quoted

_COORDINATE = Coordinate.__struct_encode_fields__
_encode = msgspec.json.Encoder().encode
#: From here on canonical JSON prints the nearest double.
_LARGEST = 2**53
#: Names, colons and commas of what evidence holds for the harness alone.
_MEMBERS = len(',"backendSourceHash":,"backendSpanHash":,"backendHashUnavailableReason":')


def visible_task(task: AgentTask) -> dict[str, Any]:
    """The task as the agent gets it: all of it, for a task holds nothing that is hidden."""
    found: dict[str, Any] = plain(task)
    return found


def visible_evidence(evidence: Sequence[Evidence]) -> list[dict[str, Any]]:
    """Evidence as the agent sees it: the coordinate and the text, without the backend's hashes."""
    shown = []
    for item in evidence:
        whole = plain(item)
        shown.append({**{name: whole[name] for name in _COORDINATE}, "text": item.text})
    return shown


def visible_result(result: ToolResult) -> dict[str, Any]:
    """A tool result as the agent sees it.

    A bundle whose content already carries every item of evidence, under `evidence` of a JSON object, does not carry
    them again: each passage is charged once.
    """
    evidence = visible_evidence(result.evidence)
    if result.result_role == "evidence_bundle" and _carries(result.content, evidence):
        evidence = []
    return {
        "status": result.status,
        "resultRole": result.result_role,
        "content": result.content,
        "evidence": evidence,
        "errorCode": result.error_code,
    }


def visible_bytes(result: ToolResult) -> int:
    """The UTF-8 bytes of the canonical JSON of `visible_result(result)`.

    Raises:
        InputError: half a surrogate pair stands in it, which has no UTF-8.
    """
    hidden = 0
    try:
        for each in result.evidence:
            if each.start_line > _LARGEST or each.end_line > _LARGEST:
                return len(canonical_json(visible_result(result)).encode())
            hidden += _hidden(each.backend_source_hash, each.backend_span_hash, each.backend_hash_unavailable_reason)
        # Order does not change the length, and texts are escaped as canonical JSON escapes them; what is hidden comes off.
        if result.result_role == "evidence_bundle":
            return len(_encode(visible_result(result)))
        return len(_encode(result)) - hidden
    except UnicodeEncodeError as error:
        raise InputError(f"{quoted(error.object[error.start : error.end])} is half a surrogate pair") from error


@functools.lru_cache(maxsize=1024)
def _hidden(*values: str | None) -> int:
    return _MEMBERS + sum(4 if value is None else len(_encode(value)) for value in values)


def _carries(content: str, evidence: list[dict[str, Any]]) -> bool:
    try:
        carried = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(carried, dict) and carried.get("evidence") == evidence
