"""One task of a query and the lines that its spans lie in: its files, under ids that say nothing."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.evidence import Source, coordinate, evidence_of, lines_of
from irbridge.agentic.projection import visible_bytes
from irbridge.agentic.records import AgentTask, Category, HiddenOracle, plain, record
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import InputError, quoted

Claimed = Literal["evidence", "answer"]
CLAIMS: tuple[Claimed, ...] = get_args(Claimed)
_BREAK = re.compile(r"\r\n|\r|\n")
_ASKS: Mapping[Claimed, str] = {
    "evidence": "Claim true if you have found the passages that answer the question, and cite each of their lines.",
    "answer": "Answer with the exact text of the passages that answer the question, and cite each of their lines.",
}


@dataclass(frozen=True)
class Options:
    """How tasks are made.

    Attributes:
        claim: what is asked for.
        relevance: the lowest grade of a label that counts.
        documents: how many documents a task's collection has, with those of its spans: the others are in the way.
        spans: queries with more spans are left out.
        calls, byte_budget: what an agent may use.
        category: the group that the tasks are shown in; a judgment does not say one.
        version, license, provenance: what the manifest says.
    """

    claim: Claimed = "evidence"
    relevance: int = 1
    documents: int = 20
    spans: int = 8
    calls: int = 3
    byte_budget: int = 12_000
    category: Category = "ambiguity"
    version: str = "1"
    license: str = "as the judgments and documents"
    provenance: str = "made of span judgments by irbridge agentic from-judgments"


class Place(NamedTuple):
    """A span of a document, as a label names it."""

    doc_id: str
    start: int
    end: int
    revision: str | None


def write_task(
    folder: str, query_id: str, text: str, places: Sequence[Place], documents: Mapping[str, str], options: Options
) -> tuple[str | None, int]:
    """Write the files of one task.

    Returns:
        Why not, if not; and the bytes that a result takes in which its required evidence stands and nothing else.
    """
    task_id, collection = opaque("t", query_id), opaque("c", query_id)
    if os.path.exists(os.path.join(folder, "tasks", f"{task_id}.json")):
        raise InputError(f"two queries have the task id {task_id}", hint="leave one of them out")
    sources = {doc_id: _source(collection, doc_id, text) for doc_id, text in documents.items()}
    lines = sorted({(place.doc_id, line) for place in places for line in _lines(documents[place.doc_id], place)})
    evidence = [(sources[doc_id], line) for doc_id, line in lines]
    shown = [evidence_of(source, line, line) for source, line in evidence]
    least = ToolResult(status="ok", result_role="source", content="", evidence=shown, error_code=None)
    size = visible_bytes(least)
    if size > options.byte_budget:
        return "too-large", size
    quotes = list(dict.fromkeys(documents[place.doc_id][place.start : place.end].strip() for place in places))
    task = _task(task_id, collection, text, len(quotes), options)
    oracle = _oracle(task, quotes, [plain(coordinate(source, line, line)) for source, line in evidence], options)
    record(AgentTask, task)
    record(HiddenOracle, oracle)
    _put(folder, f"tasks/{task_id}.json", canonical_json(task) + "\n")
    _put(folder, f"oracles/{task_id}.json", canonical_json(oracle) + "\n")
    for source in sources.values():
        _put(folder, f"corpus/{task_id}/{collection}/{source.path}", source.text)
    return None, size


def _task(task_id: str, collection: str, text: str, quotes: int, options: Options) -> dict[str, Any]:
    return {
        "schemaVersion": "1.0",
        "taskId": task_id,
        "category": options.category,
        "brief": {"goal": text, "instructions": [_ASKS[options.claim], "A line is cited by itself."]},
        "claims": [
            {
                "claimKey": options.claim,
                "valueType": _value_type(options.claim, quotes),
                "substantive": True,
                "required": True,
            }
        ],
        "allowedTools": ["get", "multi_get", "search"],
        "budgets": {"maxAgentCalls": options.calls, "maxModelVisibleBytes": options.byte_budget},
        "corpus": {"collections": [collection]},
    }


def _value_type(claim: Claimed, quotes: int) -> str:
    return "boolean" if claim == "evidence" else "string" if quotes == 1 else "string[]"


def _oracle(
    task: Mapping[str, Any], quotes: list[str], evidence: list[dict[str, Any]], options: Options
) -> dict[str, Any]:
    kind = task["claims"][0]["valueType"]
    value: Any = {"boolean": True, "string": quotes[0], "string[]": quotes}[kind]
    rule = {"boolean": "exact-v1", "string": "trim-lower-v1", "string[]": "string-set-v1"}[kind]
    return {
        "schemaVersion": "1.0",
        "taskId": task["taskId"],
        "claims": [
            {
                "claimKey": options.claim,
                "expectedValue": {"type": kind, "value": value},
                "normalizer": {"id": rule, "version": 1},
                "requiredEvidence": evidence,
                "optionalEvidence": [],
                "forbiddenEvidence": [],
            }
        ],
        "expectedMissing": [],
        "expectedScope": {"collection": None, "filters": {}},
        "completion": {
            "expectAbstention": False,
            "maxAgentCalls": options.calls,
            "maxModelVisibleBytes": options.byte_budget,
            "failOnUnexpectedEvidence": False,
        },
        "leakCanaries": [f"canary-{digest('canary' + task['taskId'])[:32]}"],
    }


def _lines(text: str, place: Place) -> list[int]:
    """The lines, from 1, that share a character other than white space with a place."""
    found, start = [], 0
    for number, line in enumerate(lines_of(text), 1):
        low, high = max(start, place.start), min(start + len(line), place.end)
        if low < high and text[low:high].strip():
            found.append(number)
        broken = _BREAK.match(text, start + len(line))
        start = broken.end() if broken else len(text)
    return found


def _source(collection: str, doc_id: str, text: str) -> Source:
    path = f"{opaque('d', doc_id)}.md"
    try:
        digest = hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise InputError(f"document {quoted(doc_id)} holds half a surrogate pair, which has no UTF-8") from error
    return Source(f"corpus://{collection}/{path}", collection, path, text, digest)


def opaque(kind: str, name: str) -> str:
    """An id that says nothing of what it stands for, and is the same in every run."""
    return kind + digest(f"{kind}\0{name}")[:15]


def digest(text: str) -> str:
    """The SHA-256 of a text, whatever it holds."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _put(folder: str, path: str, text: str) -> None:
    place = os.path.join(folder, *path.split("/"))
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "x", encoding="utf-8", newline="") as stream:
        stream.write(text)
