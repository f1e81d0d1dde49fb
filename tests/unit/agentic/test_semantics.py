from __future__ import annotations

import pytest
from support.receipts import claim, envelope, span, task

from irbridge.agentic.records import AgentTask, FinalEnvelope, record
from irbridge.agentic.semantics import envelope_problem, semantic_issues

DAY = claim("launchDate", "date", "2026-09-14", span("plan", 1))
SUM = claim("budget", "number", 250, span("money", 1))
GAP = {"claimKey": "budget", "reason": "missing_evidence"}


def issues(*claims, **changes):
    return semantic_issues(record(AgentTask, task()), record(FinalEnvelope, envelope(*claims, **changes)))


def test_a_right_envelope_has_no_issue():
    assert issues(DAY, SUM) == []


@pytest.mark.parametrize(
    "claims, gaps, expected",
    [
        pytest.param([DAY, SUM, DAY], [], ["duplicate_claim:launchDate"], id="duplicate claim"),
        pytest.param([DAY, SUM], [GAP, GAP], ["duplicate_gap:budget"], id="duplicate gap"),
        pytest.param([DAY, SUM, claim("venue", "string", "Oslo")], [], ["extra_claim:venue"], id="extra claim"),
        pytest.param([DAY, SUM], [{**GAP, "claimKey": "venue"}], ["extra_gap:venue"], id="extra gap"),
        pytest.param([DAY], [], ["missing_required_claim:budget"], id="missing"),
        pytest.param([DAY], [GAP], [], id="a gap is an answer too"),
        pytest.param([DAY, SUM], [GAP], [], id="a claim may have a gap beside it"),
        pytest.param(
            [DAY, claim("budget", "string", "250", span("money", 1))], [], ["type_mismatch:budget"], id="type"
        ),
        pytest.param([DAY, claim("budget", "number", 250)], [], ["uncited_required_claim:budget"], id="uncited"),
        pytest.param([DAY, SUM, claim("colour", "string", "grün")], [], [], id="uncited but not required"),
        pytest.param(
            [DAY, claim("budget", "number", 250, {**span("money", 1), "startLine": 2})],
            [],
            ["invalid_evidence_range:budget"],
            id="range",
        ),
    ],
)
def test_each_code(claims, gaps, expected):
    assert issues(*claims, gaps=gaps) == expected


def test_of_an_extra_claim_nothing_else_is_said():
    backwards = {**span("money", 1), "startLine": 3}
    assert issues(DAY, SUM, claim("venue", "number", 1, backwards)) == ["extra_claim:venue"]


def test_an_extra_claim_twice_is_both():
    extra = claim("venue", "string", "Oslo")
    assert issues(DAY, SUM, extra, extra) == ["duplicate_claim:venue", "extra_claim:venue"]


def test_issues_stand_once_and_in_no_order_of_the_envelope():
    backwards = {**span("money", 1), "startLine": 3}
    wrong = claim("budget", "string", "", backwards, backwards)
    first, second = issues(wrong, wrong, DAY), issues(DAY, wrong, wrong)
    assert first == second == ["duplicate_claim:budget", "invalid_evidence_range:budget", "type_mismatch:budget"]


@pytest.mark.parametrize(
    "kind, value, problem",
    [
        ("date", "2026-02-28", None),
        ("date", "2024-02-29", None),  # a leap year
        ("date", "2026-02-29", "budget is no day of the calendar"),
        ("date", "2026-13-01", "budget is no day of the calendar"),
        ("date", "0000-02-29", None),  # ISO 8601 has a year 0, and it is a leap year
        ("date", "0000-02-30", "budget is no day of the calendar"),
        ("string", "2026-02-29", None),
    ],
)
def test_what_the_form_of_a_record_does_not_say(kind, value, problem):
    assert envelope_problem(record(FinalEnvelope, envelope(claim("budget", kind, value)))) == problem
