"""What the form of a final envelope cannot say: whether it answers this task, with citations that are possible at all."""

from __future__ import annotations

import datetime as dt

from irbridge.agentic.records import AgentTask, Claim, ClaimDefinition, DateValue, FinalEnvelope, Value


def envelope_problem(envelope: FinalEnvelope) -> str | None:
    """What the schema's format `date` forbids and a record's pattern does not: a day that no calendar has."""
    for claim in envelope.claims:
        if isinstance(claim.value, DateValue) and not is_day(claim.value.value):
            return f"{claim.claim_key} is no day of the calendar"
    return None


def semantic_issues(task: AgentTask, envelope: FinalEnvelope) -> list[str]:
    """The issues of an envelope as `code:claimKey`, each once, sorted.

    duplicate_claim, duplicate_gap, extra_claim, extra_gap: a key twice, or one that the task does not have (what else is
    wrong with an extra claim is not looked at). missing_required_claim: neither a claim nor a gap. type_mismatch: a value
    of another type than the task says. uncited_required_claim: no citation. invalid_evidence_range: a citation that
    ends before it starts.
    """
    public = {claim.claim_key: claim for claim in task.claims}
    found = set[str]()
    claims, gaps = set[str](), set[str]()
    for claim in envelope.claims:
        key = claim.claim_key
        if key in claims:
            found.add(f"duplicate_claim:{key}")
        claims.add(key)
        found |= _claim_issues(claim, public.get(key))
    for gap in envelope.gaps:
        key = gap.claim_key
        if key in gaps:
            found.add(f"duplicate_gap:{key}")
        gaps.add(key)
        if key not in public:
            found.add(f"extra_gap:{key}")
    for key, definition in public.items():
        if definition.required and key not in claims and key not in gaps:
            found.add(f"missing_required_claim:{key}")
    return sorted(found)


def _claim_issues(claim: Claim, public: ClaimDefinition | None) -> set[str]:
    if public is None:
        return {f"extra_claim:{claim.claim_key}"}
    codes = set[str]()
    if value_type(claim.value) != public.value_type:
        codes.add("type_mismatch")
    if public.required and not claim.citations:
        codes.add("uncited_required_claim")
    if any(citation.end_line < citation.start_line for citation in claim.citations):
        codes.add("invalid_evidence_range")
    return {f"{code}:{claim.claim_key}" for code in codes}


def value_type(value: Value) -> str:
    """The `type` that the value has in JSON."""
    return str(value.__struct_config__.tag)


def is_day(text: str) -> bool:
    """Whether YYYY-MM-DD is a day of the proleptic Gregorian calendar."""
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return text.startswith("0000-") and is_day("2000" + text[4:])  # a leap year as 2000 is; Python starts at 1
    return True
