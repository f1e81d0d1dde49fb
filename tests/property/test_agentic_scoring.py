"""The laws of scoring: nothing that a receipt holds ends the scorer, and no damage to one is worth a point."""

from __future__ import annotations

import copy
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.mutants import damaged_text, mutant
from support.receipts import call, calls, claim, envelope, evidence, failed, oracle, receipt, span, task

from irbridge.agentic.records import AgentTask, HiddenOracle, record
from irbridge.agentic.scoring import score, score_json
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError

TASK, ORACLE = record(AgentTask, task()), record(HiddenOracle, oracle())
DAY = claim("launchDate", "date", "2026-09-14", span("plan", 1))
SUM = claim("budget", "number", 250, span("money", 1))
MATCHES = ("exact", "covering")
#: Mutants of each rule: of the right receipt, and of each of the failing ones.
OF_RIGHT, OF_EACH_FAILURE = 500, 120


def scored(of, match="exact"):
    return score_json(TASK, ORACLE, of if isinstance(of, bytes) else json.dumps(of), match)


def outcome(of, match):
    """The score, or None for what is no receipt; any other exception is the test's failure."""
    try:
        return scored(of, match)
    except InputError:
        return None


def without_first(made):
    """The calls without the evidence that the budget's line stands in."""
    return [made[0], made[1], call(2, "get", {"uri": "corpus://c001/money.md"}, "source", "", evidence("money", 3))]


def elsewhere(made):
    made[0]["arguments"]["collection"] = "c002"
    return made


#: Receipts that fail for want of something that stands nowhere in them, so that no damage can bring it about, and what
#: may not be put there by chance.
HOPELESS = {
    "another value": (receipt(envelope(DAY, claim("budget", "number", 300, span("money", 1)))), (250,)),
    "evidence that was not delivered": (receipt(envelope(DAY, SUM), without_first(calls())), ()),
    "evidence that was not cited": (
        receipt(envelope(DAY, claim("budget", "number", 250, span("money", 3))), without_first(calls())),
        (),
    ),
    "another collection": (receipt(made=elsewhere(calls())), ("c001",)),
    "four calls, with four numbers to mend": (
        receipt(made=[*calls(), call(3, "get", {"uri": "corpus://c001/plan.md"}, "source", "again")]),
        (),
    ),
    "another task": (receipt(taskId="t0000002"), ("t0000001",)),
    "no envelope": (failed("agent_error", "agent_timeout", calls()), ()),
    "a failure of the product": (failed("product_error", "tool_timeout", []), ()),
}


def test_two_thousand_mutants_are_held_against_a_gain():
    assert len(MATCHES) * (OF_RIGHT + len(HOPELESS) * OF_EACH_FAILURE) >= 2000


@pytest.mark.parametrize("match", MATCHES)
def test_a_damaged_right_receipt_never_gains(match):
    right, random = receipt(), Random(f"right {match}")
    best = scored(right, match)
    assert (best.success, best.supported_claims, best.linked_supported_claims) == (1, ["launchDate", "budget"], 2)
    results = [outcome(mutant(right, random), match) for _ in range(OF_RIGHT)]
    found = [each for each in results if each is not None]
    for each in found:
        assert set(each.supported_claims) <= set(best.supported_claims)
        assert each.linked_supported_claims <= each.substantive_claims <= 2
        assert each.linked_supported_claims <= len(each.supported_claims)
        assert not each.correct_abstention
    # The damage is of all kinds: some is refused, some costs the success, some (an observation, an id) changes nothing.
    assert (
        min(len(results) - len(found), sum(each.success for each in found), sum(not each.success for each in found))
        > 30
    )


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("why", HOPELESS)
def test_damage_does_not_make_a_failure_a_success(why, match):
    failing, spared = HOPELESS[why]
    random = Random(f"{why} {match}")
    before = scored(failing, match)
    assert before.success == 0
    looked_at = 0
    for _ in range(OF_EACH_FAILURE):
        found = outcome(mutant(failing, random, spared), match)
        if found is not None:
            looked_at += 1
            assert (found.success, found.correct_abstention) == (0, False)
            assert set(found.supported_claims) <= set(before.supported_claims)
            assert found.linked_supported_claims <= before.linked_supported_claims
    assert looked_at > 10


def test_fast_and_slow_reading_agree():
    right, random = receipt(), Random("bytes")
    accepted = 0
    for number in range(600):
        text = damaged_text(right, random) if number % 2 else json.dumps(mutant(right, random)).encode()
        slow = told(lambda: score(TASK, ORACLE, record(TrajectoryReceipt, strict_json(text))))  # noqa: B023 - called at once
        assert told(lambda: scored(text)) == slow  # noqa: B023 - called at once
        accepted += not isinstance(slow, str)
    assert accepted > 60


def told(scoring):
    """The score, or what the error says."""
    try:
        return scoring()
    except InputError as error:
        return str(error)


@given(st.integers(0, 2**32), st.sampled_from(MATCHES))
def test_order_without_meaning_does_not_matter(seed, match):
    random = Random(seed)
    wrong = claim("colour", "string", "rot", span("money", 2), span("money", 3))
    of = receipt(envelope(DAY, SUM, wrong, claim("venue", "string", "Oslo"), gaps=[
        {"claimKey": key, "reason": "missing_evidence"} for key in ("colour", "place", "budget")
    ]))  # fmt: skip
    before = scored(of, match)
    answer = of["canonical"]["finalEnvelope"]
    for items in (answer["claims"], answer["gaps"], *(each["citations"] for each in answer["claims"])):
        random.shuffle(items)
    assert scored(shuffled(of, random), match) == before


def shuffled(value, random):
    """The same JSON with the members of each object in another order."""
    if isinstance(value, list):
        return [shuffled(each, random) for each in value]
    if not isinstance(value, dict):
        return value
    names = random.sample(list(value), len(value))
    return {name: shuffled(value[name], random) for name in names}


@given(
    st.sampled_from(["launchDate", "budget"]),
    st.sampled_from(["uri", "sourceHash", "startLine", "endLine", "spanHash"]),
    st.sampled_from(MATCHES),
)
def test_a_citation_of_what_was_not_delivered_costs_its_claim(key, member, match):
    of = receipt()
    other = {"uri": "corpus://c001/x.md", "sourceHash": "e" * 64, "startLine": 2, "endLine": 9, "spanHash": "e" * 64}
    for each in of["canonical"]["finalEnvelope"]["claims"]:
        if each["claimKey"] == key:
            each["citations"].append({**each["citations"][0], member: other[member]})
    found = scored(of, match)
    assert found.supported_claims == [each for each in ("launchDate", "budget") if each != key]
    assert found.success == 0


@given(st.sets(st.integers(0, 5)), st.sampled_from(MATCHES))
def test_less_evidence_supports_no_more(lost, match):
    whole = receipt(envelope(DAY, SUM, claim("colour", "string", "grün", span("money", 3))))
    before = scored(whole, match)
    number, made = 0, []
    for each in calls():
        kept = []
        for item in each["result"]["evidence"]:
            kept += [] if number in lost else [item]
            number += 1
        made.append(call(each["callIndex"], each["toolName"], each["arguments"], "source", "", *kept))
    found = scored(receipt(whole["canonical"]["finalEnvelope"], made), match)
    assert set(found.supported_claims) <= set(before.supported_claims)
    # Lines 1 and 3 of money are items 3 and 5; line 1 of plan is items 0 and 1.
    gone = {"budget": 3 in lost, "colour": 5 in lost, "launchDate": {0, 1} <= lost}
    assert set(found.supported_claims) == {key for key, is_gone in gone.items() if not is_gone}


@given(st.dictionaries(st.sampled_from(["python", "system"]), st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_no_observation_changes_a_score(platform, diagnostics):
    of = copy.deepcopy(receipt())
    of["observations"].update(platform=platform, diagnostics=diagnostics, recordedAt="2030-01-01T00:00:00.000Z")
    assert scored(of) == scored(receipt())


@given(
    st.lists(st.sampled_from([("plan", 1), ("money", 1), ("money", 2), ("money", 3)]), max_size=4),
    st.lists(st.sampled_from([("plan", 1), ("money", 1), ("money", 2), ("money", 3)]), max_size=4),
)
def test_what_exact_citations_support_covering_ones_do_too(of_day, of_sum):
    # Of lines that the oracle knows; line 3 of money shares no line with the forbidden line 2.
    of = receipt(
        envelope(
            claim("launchDate", "date", "2026-09-14", *(span(*each) for each in of_day)),
            claim("budget", "number", 250, *(span(*each) for each in of_sum)),
        )
    )
    exact, covering = scored(of), scored(of, "covering")
    assert exact.supported_claims == covering.supported_claims
    assert exact.forbidden_evidence_claims == covering.forbidden_evidence_claims
