"""Each step of scoring, by a receipt that was right before one thing was changed. The task is in support/receipts.py."""

from __future__ import annotations

import json

import pytest
from support.receipts import (
    MONEY,
    call,
    calls,
    claim,
    envelope,
    evidence,
    failed,
    oracle,
    oracle_claim,
    receipt,
    sha,
    span,
    task,
)

from irbridge.agentic.records import AgentTask, HiddenOracle, plain, record
from irbridge.agentic.scoring import score, score_json
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError

DAY = claim("launchDate", "date", "2026-09-14", span("plan", 1))
SUM = claim("budget", "number", 250, span("money", 1))
COLOUR = claim("colour", "string", " GRÜN ", span("money", 3))


def scored(of=None, *, asked=None, true=None, match="exact"):
    """The score as JSON of a receipt, a whole one or an envelope."""
    of = receipt() if of is None else of if "canonical" in of else receipt(of)
    return plain(
        score(
            record(AgentTask, asked or task()), record(HiddenOracle, true or oracle()), record(TrajectoryReceipt, of), match
        )
    )  # fmt: skip


def members(found, *names):
    return {name: found[name] for name in names}


RIGHT = {
    "taskId": "t0000001", "adapterId": "lexical", "trialId": "fixture-01", "seed": 0, "lifecycle": "cold",
    "agentId": "fixture", "match": "exact", "scored": True, "exclusionReason": None, "success": 1, "completed": True,
    "supportedClaims": ["launchDate", "budget"], "unsupportedClaims": [], "unsupportedSubstantiveClaims": [],
    "missingRequiredClaims": [], "forbiddenEvidenceClaims": [], "invalidOutputs": [], "correctAbstention": False,
    "prematureStop": False, "unnecessaryRead": False, "collectionCorrect": True, "filtersCorrect": True,
    "substantiveClaims": 2, "linkedSupportedClaims": 2,
}  # fmt: skip
FAILED = {
    **RIGHT, "success": 0, "completed": False, "supportedClaims": [], "missingRequiredClaims": ["launchDate", "budget"],
    "collectionCorrect": False, "filtersCorrect": False, "substantiveClaims": 0, "linkedSupportedClaims": 0,
}  # fmt: skip


def test_a_right_receipt():
    assert scored() == RIGHT


# ------------------------------------------------------------------------------------------------------------ steps 1-4


@pytest.mark.parametrize(
    "text, said",
    [
        (b"", "not JSON"),
        (b"{}", "not a TrajectoryReceipt"),
        (b"[1]", "not a TrajectoryReceipt"),
        (b'"\xff"', "not UTF-8"),
        (json.dumps({**receipt(), "extra": 1}).encode(), "unknown field"),
        (json.dumps(receipt()).encode() + b"x", "not JSON"),
        (json.dumps(receipt(seed="0")).encode(), r"\$.canonical.seed"),
        (json.dumps(receipt(agentCalls=-1)).encode(), r"\$.canonical.agentCalls"),
        (json.dumps(receipt(agentCalls=True)).encode(), r"\$.canonical.agentCalls"),
        (json.dumps(receipt(seed=float("nan"))).encode(), "NaN"),
        (json.dumps(receipt()).replace('"seed": 0', '"seed": 0, "seed": 0').encode(), "'seed' stands twice"),
        (json.dumps(receipt(), separators=(",", ":")).replace('"year":2026', '"year":1,"year":2026'), "'year' stands twice"),
        (json.dumps(receipt()).replace('"seed": 0', '"seed" :0, "seed": 0').encode(), "'seed' stands twice"),
        (json.dumps(receipt(envelope(claim("budget", "money", 250)))).encode(), "finalEnvelope"),
        (json.dumps(receipt()).replace('"query": "launch"', '"query": ' + "[" * 9000 + "]" * 9000).encode(), "nested"),
        (json.dumps(receipt()).replace('"seed": 0', '"seed": ' + "9" * 5000).encode(), "beyond the range"),
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_an_input_error(text, said):
    with pytest.raises(InputError, match=said):
        score_json(record(AgentTask, task()), record(HiddenOracle, oracle()), text)


@pytest.mark.parametrize(
    "written", [json.dumps, lambda of: json.dumps(of, indent=1), lambda of: json.dumps(of).encode()]
)
def test_json_is_scored_as_its_record_is(written):
    found = score_json(record(AgentTask, task()), record(HiddenOracle, oracle()), written(receipt()))
    assert plain(found) == RIGHT


def test_half_a_surrogate_pair_in_a_result_is_an_input_error():
    made = [call(0, "search", {}, "candidates", "x"), *calls()[1:]]
    made[0]["result"]["content"] = "\ud800"
    with pytest.raises(InputError, match="surrogate"):
        scored(receipt(made=made))


@pytest.mark.parametrize("which", ["task", "oracle", "receipt"])
def test_another_task_is_a_failure(which):
    said = {
        "asked": task(taskId="t0000002") if which == "task" else None,
        "true": oracle(taskId="t0000002") if which == "oracle" else None,
        "of": receipt(taskId="t0000002") if which == "receipt" else None,
    }
    assert scored(**said) == {
        **FAILED, "invalidOutputs": ["task_identity_mismatch"],
        "taskId": "t0000002" if which == "receipt" else "t0000001",
    }  # fmt: skip


def test_a_failure_of_the_harness_is_not_scored():
    found = scored(failed("harness_error", "cold_trial_setup_failed"))
    assert found == {**FAILED, "scored": False, "exclusionReason": "harness_error", "missingRequiredClaims": []}


def test_another_task_comes_before_a_failure_of_the_harness():
    found = scored(failed("harness_error", "x", taskId="t0000002"))
    assert members(found, "scored", "invalidOutputs") == {"scored": True, "invalidOutputs": ["task_identity_mismatch"]}


@pytest.mark.parametrize("fault", ["agent_error", "product_error"])
def test_a_failure_of_agent_or_product_counts(fault):
    found = scored(failed(fault, "tool_timeout", made=[]))
    assert found == {**FAILED, "invalidOutputs": ["invalid_final_envelope:there is none"]}


def test_a_refused_call_over_the_budget_is_no_unnecessary_read():
    over = [
        *calls(),
        call(3, "get", {}, "source", "", deliveredToAgent=False, failureCode="agent_call_budget_exceeded"),
    ]
    over[3]["modelVisibleUtf8Bytes"] = 0
    assert scored(failed("agent_error", "agent_call_budget_exceeded", over))["unnecessaryRead"] is False


def test_an_envelope_that_the_schema_refuses_has_no_claims():
    found = scored(envelope(claim("launchDate", "date", "2026-02-30", span("plan", 1)), SUM))
    assert found == {**FAILED, "invalidOutputs": ["invalid_final_envelope:launchDate is no day of the calendar"]}


# ------------------------------------------------------------------------------------------------------------ steps 5, 6


def test_invalid_outputs_are_those_of_meaning_and_of_accounting():
    found = scored(receipt(envelope(DAY, SUM, DAY), backendInvocations=0))
    assert found["invalidOutputs"] == ["duplicate_claim:launchDate", "backend_invocations_mismatch"]
    assert members(found, "success", "completed", "prematureStop") == {
        "success": 0,
        "completed": False,
        "prematureStop": True,
    }


@pytest.mark.parametrize(
    "claims, expected",
    [
        pytest.param(
            [DAY, SUM, COLOUR], {"supportedClaims": ["launchDate", "budget", "colour"], "success": 1}, id="all"
        ),
        pytest.param([SUM, DAY], {"supportedClaims": ["launchDate", "budget"], "success": 1}, id="in any order"),
        pytest.param(
            [DAY, claim("budget", "number", 300, span("money", 1))],
            {"unsupportedClaims": ["budget"], "unsupportedSubstantiveClaims": ["budget"], "linkedSupportedClaims": 1},
            id="another value",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 3))],
            {"unsupportedClaims": ["budget"]},
            id="other evidence",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 1, provenance="backend_provided"))],
            {"unsupportedClaims": ["budget"]},
            id="other provenance",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 1, 2))],
            {"unsupportedClaims": ["budget"]},
            id="more lines",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 1), span("plan", 2))],
            {"unsupportedClaims": ["budget"], "forbiddenEvidenceClaims": []},
            id="one citation too many, of what was not delivered",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 1), span("plan", 3))],
            {"supportedClaims": ["launchDate", "budget"], "success": 1},
            id="one citation too many, of what was delivered",
        ),
        pytest.param(
            [DAY, claim("budget", "number", 250, span("money", 1), span("money", 2))],
            {"unsupportedClaims": ["budget"], "forbiddenEvidenceClaims": ["budget"]},
            id="forbidden",
        ),
        pytest.param(
            [DAY, SUM, claim("colour", "string", "rot")],
            {"unsupportedClaims": ["colour"], "unsupportedSubstantiveClaims": [], "substantiveClaims": 2, "success": 0},
            id="not substantive, and wrong",
        ),
        pytest.param([DAY, SUM, claim("colour", "string", "grün")], {"success": 1}, id="uncited and not required"),
    ],
)
def test_claims_against_the_oracle(claims, expected):
    found = scored(envelope(*claims))
    assert members(found, *expected) == expected
    assert found["success"] == expected.get("success", 0)
    assert found["prematureStop"] is not bool(found["success"])


def test_what_is_not_answered_is_in_no_denominator():
    gap = {"claimKey": "budget", "reason": "missing_evidence"}
    found = scored(envelope(DAY, gaps=[gap]))
    assert members(found, "missingRequiredClaims", "substantiveClaims", "linkedSupportedClaims", "success") == {
        "missingRequiredClaims": ["budget"], "substantiveClaims": 1, "linkedSupportedClaims": 1, "success": 0,
    }  # fmt: skip
    assert found["invalidOutputs"] == []


def test_what_was_not_delivered_cannot_be_cited():
    made = calls()
    made[2].update(deliveredToAgent=False, failureCode="context_byte_budget_exceeded", modelVisibleUtf8Bytes=0)
    found = scored(receipt(made=made))
    assert members(found, "supportedClaims", "unsupportedClaims") == {
        "supportedClaims": ["launchDate"], "unsupportedClaims": ["budget"],
    }  # fmt: skip


def test_linked_is_substantive_supported_and_cited():
    true = oracle(claims=[oracle_claim("colour", "string", "grün", "exact-v1")])
    definition = {"claimKey": "colour", "valueType": "string", "substantive": True, "required": False}
    for citations, linked in (((), 0), ((span("money", 3),), 1)):
        found = scored(
            envelope(claim("colour", "string", "grün", *citations)), asked=task(claims=[definition]), true=true
        )
        assert (found["supportedClaims"], found["substantiveClaims"]) == (["colour"], 1)
        assert found["linkedSupportedClaims"] == linked


def test_of_two_claims_the_last_is_held_against_the_oracle():
    wrong = claim("budget", "number", 1, span("money", 1))
    assert scored(envelope(DAY, wrong, SUM))["supportedClaims"] == ["launchDate", "budget"]
    assert scored(envelope(DAY, SUM, wrong))["supportedClaims"] == ["launchDate"]


def test_a_claim_that_the_oracle_has_no_value_for_cannot_be_supported():
    true = oracle(claims=oracle()["claims"][:1], expectedMissing=["budget"])
    found = scored(envelope(DAY, SUM), true=true)
    assert members(found, "unsupportedClaims", "unsupportedSubstantiveClaims", "success", "substantiveClaims") == {
        "unsupportedClaims": ["budget"], "unsupportedSubstantiveClaims": ["budget"], "success": 0, "substantiveClaims": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    "reason, missing",
    [
        ("missing_evidence", []),
        ("conflicting_evidence", []),
        ("budget_exhausted", ["budget"]),
        ("tool_unavailable", ["budget"]),
    ],
)
def test_a_part_that_is_missing_is_said_to_be(reason, missing):
    true = oracle(claims=oracle()["claims"][:1], expectedMissing=["budget"])
    found = scored(envelope(DAY, gaps=[{"claimKey": "budget", "reason": reason}]), true=true)
    assert members(found, "missingRequiredClaims", "success") == {
        "missingRequiredClaims": missing,
        "success": int(not missing),
    }


# --------------------------------------------------------------------------------------------------------------- step 8

UNKNOWN = oracle(
    claims=[],
    expectedMissing=["launchDate", "budget"],
    completion={**oracle()["completion"], "expectAbstention": True},
)
GAPS = [{"claimKey": key, "reason": "missing_evidence"} for key in ("launchDate", "budget")]


def nothing(**changes):
    return {**envelope(gaps=GAPS, abstained=True, stopReason="abstained"), "claims": [], **changes}


def test_a_right_abstention():
    found = scored(nothing(), true=UNKNOWN)
    assert found == {
        **RIGHT, "correctAbstention": True, "supportedClaims": [], "substantiveClaims": 0, "linkedSupportedClaims": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"abstained": False},
        {"stopReason": "budget_exhausted"},
        {"claims": [claim("colour", "string", "rot", span("money", 3))]},
        {"gaps": GAPS[:1]},
        {"gaps": [GAPS[0], {**GAPS[1], "reason": "tool_unavailable"}]},
        {"gaps": [*GAPS, GAPS[0]]},
    ],
)
def test_no_right_abstention(changes):
    found = scored(nothing(**changes), true=UNKNOWN)
    assert members(found, "correctAbstention", "success") == {"correctAbstention": False, "success": 0}


def test_who_abstains_claims_nothing_not_even_what_is_true():
    true = {**UNKNOWN, "claims": oracle()["claims"][2:]}
    found = scored(nothing(claims=[COLOUR]), true=true)
    assert members(found, "supportedClaims", "correctAbstention") == {
        "supportedClaims": ["colour"],
        "correctAbstention": False,
    }


def test_to_abstain_where_there_is_an_answer_is_a_failure():
    found = scored(nothing())
    assert members(found, "correctAbstention", "success", "missingRequiredClaims", "prematureStop") == {
        "correctAbstention": False, "success": 0, "missingRequiredClaims": ["launchDate", "budget"], "prematureStop": False,
    }  # fmt: skip


def test_an_invented_answer_is_no_success_where_nothing_can_be_known():
    found = scored(envelope(DAY, SUM), true=UNKNOWN)
    assert members(found, "unsupportedClaims", "success") == {
        "unsupportedClaims": ["launchDate", "budget"],
        "success": 0,
    }


# ---------------------------------------------------------------------------------------------------------- steps 9 - 12


def search(**arguments):
    made = calls()
    made[0]["arguments"] = arguments
    return scored(receipt(made=made))


@pytest.mark.parametrize(
    "arguments, correct",
    [
        ({"collection": "c001"}, True),
        ({"collection": "c002"}, False),
        ({"collections": ["c001"]}, False),
        ({}, False),
    ],
)
def test_the_collection_of_some_call_is_the_expected_one(arguments, correct):
    found = search(query="x", filters={"year": 2026, "draft": False}, **arguments)
    assert (found["collectionCorrect"], found["success"]) == (correct, int(correct))


@pytest.mark.parametrize(
    "arguments, correct",
    [
        ({"filters": {"year": 2026, "draft": False}}, True),
        ({"filters": {"year": 2026.0, "draft": False, "more": 1}}, True),
        ({"year": 2026, "draft": False}, True),
        ({"year": 2026, "filters": {"draft": False}}, True),
        ({"year": 1, "filters": {"year": 2026, "draft": False}}, True),  # one of the two places is enough
        ({"filters": {"year": 2026}}, False),
        ({"filters": {"year": "2026", "draft": False}}, False),
        ({"filters": {"year": 2026, "draft": 0}}, False),
        ({"filters": {"year": 2026, "draft": None}}, False),
        ({"filters": [2026, False]}, False),
        ({}, False),
    ],
)
def test_filters_are_those_of_one_call(arguments, correct):
    found = search(query="x", collection="c001", **arguments)
    assert (found["filtersCorrect"], found["success"]) == (correct, int(correct))


def test_filters_of_two_calls_do_not_add_up():
    made = calls()
    made[0]["arguments"], made[1]["arguments"] = {"collection": "c001", "year": 2026}, {"draft": False}
    assert scored(receipt(made=made))["filtersCorrect"] is False


def test_where_no_scope_is_expected_any_is_right():
    made = calls()
    for each in made:
        each["arguments"] = {"collection": "c009"}
    found = scored(receipt(made=made), true=oracle(expectedScope={"collection": None, "filters": {}}))
    assert members(found, "collectionCorrect", "filtersCorrect", "success") == {
        "collectionCorrect": True, "filtersCorrect": True, "success": 1,
    }  # fmt: skip


def limited(**limits):
    return oracle(completion={**oracle()["completion"], **limits})


TOTAL = sum(each["modelVisibleUtf8Bytes"] for each in calls())


@pytest.mark.parametrize(
    "limits, unnecessary",
    [
        ({"maxAgentCalls": 3}, False),
        ({"maxAgentCalls": 2}, True),
        ({"maxModelVisibleBytes": TOTAL}, False),
        ({"maxModelVisibleBytes": TOTAL - 1}, True),
        ({"failOnUnexpectedEvidence": True}, True),  # line 3 of the plan is evidence of no claim
    ],
)
def test_unnecessary_reads(limits, unnecessary):
    found = scored(true=limited(**limits))
    assert members(found, "unnecessaryRead", "success", "completed") == {
        "unnecessaryRead": unnecessary, "success": int(not unnecessary), "completed": True,
    }  # fmt: skip


def test_required_optional_and_forbidden_evidence_of_any_claim_is_expected():
    true = limited(failOnUnexpectedEvidence=True)
    true["claims"][2]["optionalEvidence"].append(span("plan", 3))
    assert scored(true=true)["unnecessaryRead"] is False


def test_evidence_that_was_not_delivered_was_not_read():
    true = limited(failOnUnexpectedEvidence=True)
    made = [calls()[0], call(1, "get", {}, "source", "", evidence("plan", 3), deliveredToAgent=False, failureCode="x")]
    assert scored(receipt(made=made), true=true)["unnecessaryRead"] is False


@pytest.mark.parametrize(
    "stop, claims, premature",
    [("complete", [DAY], True), ("budget_exhausted", [DAY], False), ("complete", [DAY, SUM], False)],
)
def test_a_premature_stop_is_complete_and_is_not(stop, claims, premature):
    assert scored(envelope(*claims, stopReason=stop))["prematureStop"] is premature


@pytest.mark.parametrize("stop", ["abstained", "budget_exhausted", "tool_unavailable", "error"])
def test_only_a_complete_answer_is_completed(stop):
    assert members(scored(envelope(DAY, SUM, stopReason=stop)), "completed", "success") == {
        "completed": False,
        "success": 0,
    }
    assert scored(envelope(DAY, SUM, abstained=True))["completed"] is False


def test_a_failed_trial_is_no_success_whatever_it_answers():
    failure = {"class": "agent_error", "code": "x", "redactedMessage": None}
    found = scored(receipt(failure=failure))
    assert members(found, "success", "invalidOutputs") == {
        "success": 0,
        "invalidOutputs": ["failure_envelope_invariant_invalid"],
    }


# ------------------------------------------------------------------------------------------------------- match = covering


def delivered(*found):
    """A receipt's calls that deliver this evidence, in one search of the right scope."""
    return [call(0, "search", calls()[0]["arguments"], "candidates", "", *found)]


LINES = [evidence("plan", 1), evidence("money", 1), evidence("money", 2), evidence("money", 3)]
PASSAGES = [evidence("plan", 1, 3), evidence("money", 1, 3)]


@pytest.mark.parametrize("found", [LINES, PASSAGES])
@pytest.mark.parametrize(
    "citations, exact, covering",
    [
        pytest.param([span("money", 1)], True, True, id="the line"),
        pytest.param([span("money", 1, 2)], False, False, id="with the forbidden line beside it"),
        pytest.param([span("money", 2, 3)], False, False, id="other lines"),
        pytest.param([span("money", 1), span("money", 3)], True, True, id="the line and another"),
        pytest.param([span("money", 1, provenance="backend_provided")], False, True, id="hashed by somebody else"),
        pytest.param([{**span("money", 1), "sourceHash": "0" * 64}], False, False, id="another version"),
        pytest.param(
            [{**span("money", 1), "spanHash": "0" * 64}], False, False, id="a hash that is not that of the lines"
        ),
        pytest.param([{**span("money", 1), "endLine": 4}], False, False, id="beyond the end"),
        pytest.param([{**span("money", 1), "endLine": 10**15}], False, False, id="far beyond the end"),
        pytest.param([{**span("money", 1), "uri": "corpus://c001/other.md"}], False, False, id="another source"),
    ],
)
def test_covering_citations(found, citations, exact, covering):
    of = receipt(envelope(DAY, claim("budget", "number", 250, *citations)), delivered(*found))
    if found is LINES:
        assert ("budget" in scored(of)["supportedClaims"]) is exact
    result = scored(of, match="covering")
    assert ("budget" in result["supportedClaims"], result["match"]) == (covering, "covering")


def test_a_passage_covers_a_line_and_leaves_out_no_text_that_was_not_delivered():
    passage = claim("launchDate", "date", "2026-09-14", span("plan", 1, 3))  # its second line is empty
    whole = receipt(envelope(passage, SUM), delivered(evidence("plan", 1), evidence("plan", 3), *LINES[1:]))
    assert scored(whole)["supportedClaims"] == ["budget"]
    assert scored(whole, match="covering")["supportedClaims"] == ["launchDate", "budget"]
    part = receipt(envelope(passage, SUM), delivered(*LINES))  # the third was not shown
    assert scored(part, match="covering")["supportedClaims"] == ["budget"]


def test_an_empty_line_alone_was_not_delivered():
    blank = claim("launchDate", "date", "2026-09-14", span("plan", 1), span("plan", 2))
    whole = receipt(envelope(blank, SUM), delivered(*LINES))
    assert scored(whole, match="covering")["supportedClaims"] == ["budget"]


def test_lines_cover_no_passage_together():
    true = oracle()
    true["claims"][0]["requiredEvidence"] = [span("plan", 1, 3)]
    found = delivered(evidence("plan", 1), evidence("plan", 3), *LINES[1:])
    apart = claim("launchDate", "date", "2026-09-14", span("plan", 1), span("plan", 3))
    whole = claim("launchDate", "date", "2026-09-14", span("plan", 1, 3))
    assert scored(receipt(envelope(apart, SUM), found), true=true, match="covering")["supportedClaims"] == ["budget"]
    assert scored(receipt(envelope(whole, SUM), found), true=true, match="covering")["success"] == 1


def test_delivered_lines_must_be_those_of_the_required_span():
    # Somebody says that line 1 of this version is another text; the hash is that text's own.
    false = {**evidence("money", 1), "text": "Budget: 900", "spanHash": sha("Budget: 900")}
    cited = {**span("money", 1), "spanHash": sha("Budget: 900")}
    of = receipt(envelope(DAY, claim("budget", "number", 250, cited)), delivered(LINES[0], false))
    assert scored(of, match="covering")["supportedClaims"] == ["launchDate"]


def test_what_shares_a_line_with_forbidden_evidence_is_forbidden():
    true = oracle()
    true["claims"][1]["forbiddenEvidence"] = [span("money", 2, 3)]
    for citation, forbidden in (
        (span("money", 1), []),
        (span("money", 1, 2), ["budget"]),
        (span("money", 3), ["budget"]),
    ):
        of = receipt(envelope(DAY, claim("budget", "number", 250, span("money", 1), citation)), delivered(*LINES))
        assert scored(of, true=true, match="covering")["forbiddenEvidenceClaims"] == forbidden
    # What the oracle itself asks for or allows is not, although it lies around a forbidden line.
    true["claims"][1]["requiredEvidence"] = [span("money", 1, 3)]
    true["claims"][1]["forbiddenEvidence"] = [span("money", 2)]
    of = receipt(envelope(DAY, claim("budget", "number", 250, span("money", 1, 3))), delivered(*LINES))
    assert scored(of, true=true, match="covering")["success"] == 1


def test_covering_expects_evidence_within_known_spans_only():
    true = limited(failOnUnexpectedEvidence=True)
    true["claims"][1]["requiredEvidence"] = [span("money", 1, 3)]
    true["claims"][1]["forbiddenEvidence"] = []
    of = receipt(envelope(DAY, claim("budget", "number", 250, span("money", 1, 3))), delivered(*LINES))
    assert scored(of, true=true, match="covering")["unnecessaryRead"] is False
    more = receipt(made=delivered(evidence("plan", 1, 3), *LINES[1:]))
    assert scored(more, true=true, match="covering")["unnecessaryRead"] is True


def test_a_citation_over_too_many_lines_counts_as_not_delivered():
    lines = ["x", *[""] * 9_998, "y"]
    for lines_more, supported in ((0, True), (1, False)):
        text = "\n".join(["x", *[""] * (9_998 + lines_more), "y"])
        end = len(lines) + lines_more
        first = {**evidence("plan", 1), "text": "x", "spanHash": sha("x")}
        last = {**first, "startLine": end, "endLine": end, "text": "y", "spanHash": sha("y")}
        cited = {**span("plan", 1), "endLine": end, "spanHash": sha(text)}
        true = oracle(claims=[oracle_claim("launchDate", "date", "2026-09-14", "iso-date-v1")])
        of = receipt(envelope(claim("launchDate", "date", "2026-09-14", cited)), delivered(first, last))
        assert (scored(of, true=true, match="covering")["supportedClaims"] == ["launchDate"]) is supported


def test_the_documents_are_as_the_tests_think():
    assert span("money", 1, 2)["spanHash"] == sha(MONEY[0] + "\n" + MONEY[1])
