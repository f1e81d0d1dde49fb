"""Each code of accounting, by a receipt that was right before one thing was changed."""

from __future__ import annotations

import copy
import json

import pytest
from support.receipts import call, calls, charged, evidence, failed, receipt

from irbridge.agentic.accounting import accounting_issues
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.projection import visible_bytes, visible_result
from irbridge.agentic.records import record
from irbridge.agentic.trajectory import ToolResult, TrajectoryReceipt
from irbridge.errors import InputError

TOKENIZER, OTHER = "a" * 64, "b" * 64


def issues(of):
    return accounting_issues(record(TrajectoryReceipt, of))


def broken(code="tool_timeout", **changes):
    """A last call that the agent was not shown."""
    nothing = {"status": "error", "resultRole": "source", "content": "", "evidence": [], "errorCode": code}
    made = call(3, "get", {"uri": "corpus://c001/plan.md"}, "source", "")
    return {
        **made, "result": nothing, "deliveredToAgent": False, "failureCode": code, "modelVisibleUtf8Bytes": 0, **changes,
    }  # fmt: skip


def with_calls(change, **canonical):
    made = calls()
    change(made)
    return receipt(made=made, **canonical)


def measured(*tokens, fingerprints=(TOKENIZER, TOKENIZER, TOKENIZER), total="sum"):
    made = calls()
    for each, number, fingerprint in zip(made, tokens, fingerprints, strict=True):
        each.update(measuredTokens=number, tokenizerFingerprint=fingerprint)
    return receipt(made=made, measuredTokens=sum(tokens) if total == "sum" else total)


def test_a_right_receipt_has_no_issue():
    assert issues(receipt()) == []
    assert issues(measured(10, 20, 30)) == []
    assert issues(failed("product_error", "tool_timeout", [*calls(), broken()])) == []
    assert issues(failed("agent_error", "agent_timeout")) == []
    assert issues(receipt(made=[])) == []


def test_bytes_are_counted_by_hand():
    # {"content":"é\n","errorCode":null,"evidence":[],"resultRole":"source","status":"ok"}
    # members: "content": 10, "é\n" = 2 quotes + 2 bytes + 2 of the escape = 6; "errorCode": 12 + null 4; "evidence": 11 + [] 2;
    # "resultRole": 13 + "source" 8; "status": 9 + "ok" 4; four commas and two braces 6: 16 + 16 + 13 + 21 + 13 + 6 = 85.
    result = {"status": "ok", "resultRole": "source", "content": "é\n", "evidence": [], "errorCode": None}
    assert visible_bytes(record(ToolResult, result)) == charged(result) == 85


@pytest.mark.parametrize("content", ["", '"\\/\b\f\n\r\t\0\x1f\x7f', "\u2028\ufeff", "grün 😀 \ud7ff\ue000"])
@pytest.mark.parametrize("role", ["candidates", "source", "evidence_bundle"])
def test_bytes_are_those_of_the_canonical_json_of_what_is_shown(content, role):
    for start in (1, 2**53, 2**53 + 1, 2**70):  # from 2**53 on canonical JSON prints doubles
        item = {
            **evidence("plan", 1), "startLine": start, "text": content, "backendSourceHash": "c" * 64,
            "backendSpanHash": "d" * 64, "backendHashUnavailableReason": None,
        }  # fmt: skip
        other = {**evidence("money", 3), "backendHashUnavailableReason": content}
        result = {
            "status": "error",
            "resultRole": role,
            "content": content,
            "evidence": [item, other],
            "errorCode": "x",
        }
        made = record(ToolResult, result)
        assert visible_bytes(made) == len(canonical_json(visible_result(made)).encode())


def test_a_bundle_that_carries_its_evidence_is_charged_once():
    # Items as the agent sees them; the content is a text, so each of its quotes costs a backslash more.
    item = {name: value for name, value in evidence("plan", 1).items() if not name.startswith("backend")}
    content = json.dumps({"evidence": [item]}, separators=(",", ":"))
    result = {"status": "ok", "resultRole": "evidence_bundle", "content": content, "evidence": [], "errorCode": None}
    empty = charged(result)
    result["evidence"] = [evidence("plan", 1)]
    assert visible_bytes(record(ToolResult, result)) == empty
    # One that carries other evidence, or another role, is charged for both: the item is compact JSON itself, and "source" has
    # nine letters less than "evidence_bundle".
    both = empty + len(json.dumps(item, separators=(",", ":"))) - 9
    assert visible_bytes(record(ToolResult, {**result, "resultRole": "source"})) == both
    result["evidence"] = [evidence("plan", 3)]
    assert visible_bytes(record(ToolResult, result)) == charged(result)


def test_half_a_surrogate_pair_has_no_bytes():
    result = {"status": "ok", "resultRole": "source", "content": "\ud800", "evidence": [], "errorCode": None}
    with pytest.raises(InputError, match="surrogate"):
        visible_bytes(record(ToolResult, result))


@pytest.mark.parametrize(
    "code, wrong",
    [
        ("agent_calls_mismatch", receipt(agentCalls=4)),
        ("agent_calls_mismatch", receipt(agentCalls=0)),
        ("backend_invocations_mismatch", receipt(backendInvocations=2)),
        ("model_visible_bytes_mismatch", receipt(modelVisibleUtf8Bytes=0)),
        ("measured_tokens_mismatch", receipt(measuredTokens=0)),
        ("measured_tokens_mismatch", measured(10, 20, 30, total=59)),
        ("measured_tokens_mismatch", measured(10, 20, 30, total=None)),
        ("tokenizer_fingerprint_missing", measured(10, 20, 30, fingerprints=(TOKENIZER, None, TOKENIZER))),
        ("tokenizer_fingerprint_mismatch", measured(10, 20, 30, fingerprints=(TOKENIZER, OTHER, TOKENIZER))),
        ("stop_reason_mismatch", receipt(stopReason="abstained")),
        ("failure_payload_invariant_invalid", receipt(failure={"class": "none", "code": "x", "redactedMessage": None})),
    ],
)
def test_one_number_changed(code, wrong):
    assert issues(wrong) == [code]


@pytest.mark.parametrize(
    "code, change",
    [
        ("call_index_sequence_invalid", lambda made: made.reverse()),
        ("call_index_sequence_invalid", lambda made: made[1].update(callIndex=0)),
        ("call_model_visible_bytes_mismatch", lambda made: made[0].update(modelVisibleUtf8Bytes=1)),
        ("call_model_visible_bytes_mismatch", lambda made: made[0]["result"].update(content="plan.md, money.m")),
        ("evidence_text_mismatch", lambda made: made[1]["result"]["evidence"][0].update(text="Launch: 2026-09-15")),
        ("unexpected_tokenizer_fingerprint", lambda made: made[0].update(tokenizerFingerprint=TOKENIZER)),
        ("call_delivery_failure_invariant", lambda made: made[0].update(failureCode="x")),
        ("call_model_visible_bytes_mismatch", lambda made: made.append(broken(modelVisibleUtf8Bytes=1))),
    ],
)
def test_one_call_changed(code, change):
    assert code in issues(with_calls(change))


def test_a_call_that_was_not_shown():
    def of(*undelivered, code="tool_timeout"):
        return issues(failed("product_error", code, [*calls(), *undelivered]))

    assert of(broken("other")) == ["undelivered_call_failure_mismatch"]
    assert of(broken(), broken(callIndex=4)) == ["undelivered_call_failure_mismatch"]  # only one may be
    assert of(broken(), call(4, "get", {}, "source", "")) == ["undelivered_call_failure_mismatch"]  # and the last
    assert of(broken(failureCode=None)) == ["call_delivery_failure_invariant", "undelivered_call_failure_mismatch"]
    assert of(broken(measuredTokens=5, tokenizerFingerprint=TOKENIZER)) == ["call_delivery_failure_invariant"]
    # A trial that did not fail cannot have one.
    ended = receipt(made=[*calls(), broken()])
    assert issues(ended) == ["undelivered_call_failure_mismatch"]


def test_a_failure_has_a_code_and_no_envelope():
    assert issues(failed("agent_error", None)) == ["failure_payload_invariant_invalid"]
    failure = {"class": "agent_error", "code": "agent_timeout", "redactedMessage": None}
    assert issues(receipt(failure=failure)) == ["failure_envelope_invariant_invalid"]
    none = receipt(finalEnvelope=None, stopReason="error")
    assert issues(none) == ["failure_envelope_invariant_invalid"]
    assert issues(receipt(finalEnvelope=None)) == ["stop_reason_mismatch", "failure_envelope_invariant_invalid"]


def test_a_code_stands_once_and_all_are_found():
    made = copy.deepcopy(calls())
    for each in made:
        each.update(callIndex=7, modelVisibleUtf8Bytes=1)
    found = issues(receipt(made=made, agentCalls=9, backendInvocations=9, modelVisibleUtf8Bytes=9))
    assert found == [
        "agent_calls_mismatch", "call_index_sequence_invalid", "backend_invocations_mismatch",
        "model_visible_bytes_mismatch", "call_model_visible_bytes_mismatch",
    ]  # fmt: skip


def test_half_a_surrogate_pair_in_what_was_not_shown_is_an_issue():
    hidden = broken()
    hidden["result"] = {**hidden["result"], "evidence": [{**evidence("plan", 1), "text": "\ud800"}]}
    assert issues(failed("product_error", "tool_timeout", [*calls(), hidden])) == ["evidence_text_mismatch"]
