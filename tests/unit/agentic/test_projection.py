"""What an agent sees, and how many bytes that is, counted by hand."""

from __future__ import annotations

import hashlib
import json

import pytest

from irbridge.agentic.evidence import Source, evidence_of
from irbridge.agentic.projection import visible_bytes, visible_evidence, visible_result, visible_task
from irbridge.agentic.records import AgentTask, record
from irbridge.agentic.trajectory import ToolResult
from irbridge.errors import InputError

TEXT = 'say "ü"\n'
SOURCE = Source("corpus://c0a1/n.md", "c0a1", "n.md", TEXT, hashlib.sha256(TEXT.encode()).hexdigest())
EVIDENCE = evidence_of(SOURCE, 1, 1)
SEEN = {
    "uri": "corpus://c0a1/n.md",
    "sourceHash": SOURCE.source_hash,
    "startLine": 1,
    "endLine": 1,
    "spanHash": hashlib.sha256('say "ü"'.encode()).hexdigest(),
    "sourceHashProvenance": "harness_observed",
    "spanHashProvenance": "harness_observed",
    "text": 'say "ü"',
}


def result(role="source", content="", evidence=(), status="ok", error=None):
    return ToolResult(status=status, result_role=role, content=content, evidence=list(evidence), error_code=error)


def test_bytes_of_an_empty_result():
    # {"content":"","errorCode":null,"evidence":[],"resultRole":"source","status":"ok"}
    #  12          + 1+16              + 1+13        + 1+21                + 1+13        + braces 2 = 81
    assert visible_bytes(result()) == 81


def test_quotes_and_letters_are_counted_as_json_in_utf8():
    assert visible_bytes(result(content='"')) == 81 + 2  # \"
    assert visible_bytes(result(content="\n")) == 81 + 2  # \n
    assert visible_bytes(result(content="\x01")) == 81 + 6  # \u0001
    assert visible_bytes(result(content="é")) == 81 + 2
    assert visible_bytes(result(content="€")) == 81 + 3
    assert visible_bytes(result(content="😀")) == 81 + 4
    assert visible_bytes(result(content="/\x7f\u2028")) == 81 + 1 + 1 + 3


def test_an_error_is_counted_too():
    assert visible_bytes(result(status="error", error="not_found")) == 81 + len('error"not_found"') - len("oknull")


def test_evidence_is_seen_without_the_backends_hashes():
    seen = visible_result(result(evidence=[EVIDENCE]))
    assert seen == {"status": "ok", "resultRole": "source", "content": "", "evidence": [SEEN], "errorCode": None}
    text = json.dumps(SEEN, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    assert visible_bytes(result(evidence=[EVIDENCE])) == 81 + len(text.encode())
    assert visible_bytes(result(evidence=[EVIDENCE, EVIDENCE])) == 81 + 2 * len(text.encode()) + 1


def test_a_bundle_that_carries_its_evidence_is_charged_once():
    content = json.dumps({"evidence": visible_evidence([EVIDENCE]), "v": "x@1"})
    assert visible_result(result("evidence_bundle", content, [EVIDENCE]))["evidence"] == []
    inside = len(json.dumps(content, ensure_ascii=False).encode()) - 2
    assert visible_bytes(result("evidence_bundle", content, [EVIDENCE])) == 81 + len("evidence_bundle") - 6 + inside


def test_a_bundle_in_a_form_of_its_own_is_charged_with_its_evidence():
    """The page says so of GNO's compact bundles (15): only a list under `evidence` is known to be the evidence."""
    content = json.dumps({"v": "gno-context-agent-v1", "e": [[*SEEN.values()]]})
    assert visible_result(result("evidence_bundle", content, [EVIDENCE]))["evidence"] == [SEEN]


@pytest.mark.parametrize(
    "role, content",
    [
        ("evidence_bundle", "no json"),
        ("evidence_bundle", "[]"),
        ("evidence_bundle", "{}"),
        ("evidence_bundle", json.dumps({"evidence": []})),
        ("evidence_bundle", json.dumps({"evidence": [{**SEEN, "text": "say"}]})),
        ("evidence_bundle", json.dumps({"evidence": [SEEN, SEEN]})),
        ("evidence_bundle", "[" * 100_000),
        ("source", json.dumps({"evidence": [SEEN]})),
        ("candidates", json.dumps({"evidence": [SEEN]})),
    ],
    ids=lambda each: each[:40],
)
def test_anything_else_is_charged_in_full(role, content):
    assert visible_result(result(role, content, [EVIDENCE]))["evidence"] == [SEEN]


def test_half_a_surrogate_has_no_bytes():
    for role in ("source", "evidence_bundle"):
        with pytest.raises(InputError, match="half a surrogate"):
            visible_bytes(result(role, content="\ud800"))


def test_the_task_is_seen_whole_and_as_a_copy():
    value = {
        "schemaVersion": "1.0",
        "taskId": "t0a1b2c3",
        "category": "temporal",
        "brief": {"goal": "When?", "instructions": ["Look."]},
        "claims": [{"claimKey": "launchDate", "valueType": "date", "substantive": True, "required": True}],
        "allowedTools": ["search"],
        "budgets": {"maxAgentCalls": 3, "maxModelVisibleBytes": 12000},
        "corpus": {"collections": ["c0a1"]},
    }
    task = record(AgentTask, value)
    seen = visible_task(task)
    assert seen == value
    seen["corpus"]["collections"].clear()
    assert task.corpus.collections == ["c0a1"]
