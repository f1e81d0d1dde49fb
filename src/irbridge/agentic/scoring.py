"""What a receipt is worth: typed values and exact citations against the hidden oracle, step by step as in spec/agentic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from irbridge.agentic.accounting import accounting_issues
from irbridge.agentic.citations import MATCHERS, Matcher
from irbridge.agentic.normalizers import same_value
from irbridge.agentic.records import AgentTask, Claim, FinalEnvelope, HiddenOracle, Match, OracleClaim
from irbridge.agentic.semantics import envelope_problem, semantic_issues
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.trajectory import Call, CanonicalReceipt, TaskScore, TrajectoryReceipt


def score_json(
    task: AgentTask, oracle: HiddenOracle, receipt_json: bytes | str, match: Match = "exact", where: str | None = None
) -> TaskScore:
    """`score` of a receipt in JSON, from whoever wrote it.

    Raises:
        InputError: it is not strict JSON, or not a receipt; nothing else is ever raised for what it holds.
    """
    return score(task, oracle, strict_record(TrajectoryReceipt, receipt_json, where), match)


def score(task: AgentTask, oracle: HiddenOracle, receipt: TrajectoryReceipt, match: Match = "exact") -> TaskScore:
    """Score one receipt.

    Args:
        task: what the agent was asked.
        oracle: what is true.
        receipt: what happened.
        match: how citations are matched: `exact` coordinates, or `covering` lines.

    Raises:
        InputError: a result of the receipt holds half a surrogate pair.
    """
    canonical = receipt.canonical
    if not task.task_id == oracle.task_id == canonical.task_id:
        return _invalid(task, canonical, match, "task_identity_mismatch")
    if canonical.failure.class_ == "harness_error":
        return _score(canonical, match, scored=False, exclusion_reason="harness_error")
    envelope = canonical.final_envelope
    problem = "there is none" if envelope is None else envelope_problem(envelope)
    if envelope is None or problem is not None:
        return _invalid(task, canonical, match, f"invalid_final_envelope:{problem}")
    invalid = [*semantic_issues(task, envelope), *accounting_issues(receipt)]
    delivered = [call for call in canonical.calls if call.delivered_to_agent]
    matcher = MATCHERS[match](delivered)
    found = _judge(task, oracle, envelope, matcher)
    wrong = bool(found.unsupported or found.forbidden or invalid)
    failed = wrong or bool(found.missing)
    abstained = oracle.completion.expect_abstention and not wrong and _abstains(oracle, envelope)
    complete = envelope.stop_reason == "complete"
    completed = abstained or (complete and not envelope.abstained and not failed)
    unnecessary = _unnecessary_read(oracle, canonical, delivered, matcher)
    collection = _collection_correct(oracle, canonical.calls)
    filters = _filters_correct(oracle, canonical.calls)
    success = completed and not unnecessary and collection and filters and canonical.failure.class_ == "none"
    return _score(
        canonical,
        match,
        success=int(success),
        completed=completed,
        supported_claims=found.supported,
        unsupported_claims=found.unsupported,
        unsupported_substantive_claims=found.unsupported_substantive,
        missing_required_claims=found.missing,
        forbidden_evidence_claims=found.forbidden,
        invalid_outputs=invalid,
        correct_abstention=abstained,
        premature_stop=complete and failed,
        unnecessary_read=unnecessary,
        collection_correct=collection,
        filters_correct=filters,
        substantive_claims=found.substantive,
        linked_supported_claims=found.linked,
    )


@dataclass
class _Judged:
    """Claim keys by what became of them, and the two counts of linkage."""

    supported: list[str] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    unsupported_substantive: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    substantive: int = 0
    linked: int = 0


#: Reasons of a gap that speak of the corpus; the others speak of the agent's means.
UNSETTLED = frozenset({"missing_evidence", "conflicting_evidence"})


def _judge(task: AgentTask, oracle: HiddenOracle, envelope: FinalEnvelope, matcher: Matcher) -> _Judged:
    """Each public claim in the order of the task, held against the oracle.

    A claim for which the oracle has no value cannot be supported. A required one that it expects to be missing is
    missing from the answer unless the gap for it says that the corpus does not settle it.
    """
    true = {claim.claim_key: claim for claim in oracle.claims}
    given = {claim.claim_key: claim for claim in envelope.claims}
    unsettled = {gap.claim_key for gap in envelope.gaps if gap.reason in UNSETTLED}
    judged = _Judged()
    for public in task.claims:
        key = public.claim_key
        claim, expected = given.get(key), true.get(key)
        if claim is None:
            if public.required and (expected is not None or key not in unsettled):
                judged.missing.append(key)
            continue
        judged.substantive += public.substantive
        forbidden = expected is not None and any(matcher.forbidden(each, expected) for each in claim.citations)
        if forbidden:
            judged.forbidden.append(key)
        if expected is not None and not forbidden and _supported(claim, expected, matcher):
            judged.supported.append(key)
            judged.linked += public.substantive and bool(claim.citations)
        else:
            judged.unsupported.append(key)
            if public.substantive:
                judged.unsupported_substantive.append(key)
    return judged


def _supported(claim: Claim, expected: OracleClaim, matcher: Matcher) -> bool:
    return (
        same_value(expected.expected_value, claim.value, expected.normalizer)
        and all(matcher.cites(claim.citations, each) for each in expected.required_evidence)
        and all(matcher.delivered(each) for each in claim.citations)
    )


def _abstains(oracle: HiddenOracle, envelope: FinalEnvelope) -> bool:
    missing_evidence = {gap.claim_key for gap in envelope.gaps if gap.reason == "missing_evidence"}
    return (
        envelope.abstained
        and envelope.stop_reason == "abstained"
        and not envelope.claims
        and missing_evidence.issuperset(oracle.expected_missing)
    )


def _unnecessary_read(
    oracle: HiddenOracle, canonical: CanonicalReceipt, delivered: Sequence[Call], matcher: Matcher
) -> bool:
    limits = oracle.completion
    if canonical.agent_calls > limits.max_agent_calls:
        return True
    if canonical.model_visible_utf8_bytes > limits.max_model_visible_bytes:
        return True
    if not limits.fail_on_unexpected_evidence:
        return False
    known = [
        each
        for claim in oracle.claims
        for each in (*claim.required_evidence, *claim.optional_evidence, *claim.forbidden_evidence)
    ]
    return not all(matcher.expected(each, known) for call in delivered for each in call.result.evidence)


def _collection_correct(oracle: HiddenOracle, calls: Sequence[Call]) -> bool:
    wanted = oracle.expected_scope.collection
    return wanted is None or any(call.arguments.get("collection") == wanted for call in calls)


def _filters_correct(oracle: HiddenOracle, calls: Sequence[Call]) -> bool:
    """One call has all filters, each as an argument of its own or below `filters`."""
    wanted = oracle.expected_scope.filters
    return not wanted or any(_filtered(call, wanted) for call in calls)


def _filtered(call: Call, wanted: dict[str, str | float | bool]) -> bool:
    below = call.arguments.get("filters")
    places = [call.arguments, below if isinstance(below, dict) else {}]
    return all(any(name in place and _same(value, place[name]) for place in places) for name, value in wanted.items())


def _same(wanted: object, found: object) -> bool:
    """Strict equality of JSON: 1 is not "1" and not true."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    return wanted == found


def _invalid(task: AgentTask, canonical: CanonicalReceipt, match: Match, problem: str) -> TaskScore:
    required = [claim.claim_key for claim in task.claims if claim.required]
    return _score(canonical, match, missing_required_claims=required, invalid_outputs=[problem])


def _score(canonical: CanonicalReceipt, match: Match, **known: Any) -> TaskScore:
    """A score with the receipt's identity; what is not known of it is what a failure has."""
    nothing: dict[str, Any] = {
        "scored": True,
        "exclusion_reason": None,
        "success": 0,
        "completed": False,
        "supported_claims": [],
        "unsupported_claims": [],
        "unsupported_substantive_claims": [],
        "missing_required_claims": [],
        "forbidden_evidence_claims": [],
        "invalid_outputs": [],
        "correct_abstention": False,
        "premature_stop": False,
        "unnecessary_read": False,
        "collection_correct": False,
        "filters_correct": False,
        "substantive_claims": 0,
        "linked_supported_claims": 0,
    }
    return TaskScore(
        task_id=canonical.task_id,
        adapter_id=canonical.adapter_id,
        trial_id=canonical.trial_id,
        seed=canonical.seed,
        lifecycle=canonical.lifecycle,
        agent_id=canonical.agent_id,
        match=match,
        **{**nothing, **known},
    )
