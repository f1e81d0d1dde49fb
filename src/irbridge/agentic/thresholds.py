"""What a candidate must reach over all pairs. Sums are compared as exact fractions: just the threshold passes, anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple

from msgspec import Meta

from irbridge.agentic.pairs import Scored
from irbridge.agentic.records import Count, Record
from irbridge.errors import UsageError, quoted

_DECIMAL = r"^-?[0-9]{1,9}(\.[0-9]{1,18})?\Z"
Decimal = Annotated[str, Meta(pattern=_DECIMAL)]


class Thresholds(Record, frozen=True):
    """What a candidate must reach; decimals as texts, for they are exact.

    Attributes:
        agent_call_reduction: the least reduction of the sum of outer calls.
        context_byte_reduction: the least reduction of the sum of bytes that the agent was shown.
        claim_linkage: the least share of substantive claims that are supported and cited.
        fewer_unsupported: whether the candidate must also have strictly fewer unsupported substantive claims.
    """

    agent_call_reduction: Decimal
    context_byte_reduction: Decimal
    claim_linkage: Decimal
    fewer_unsupported: bool


#: What a candidate must reach where nothing else is said. A report names all four, so the record has no defaults.
USUAL = Thresholds(
    agent_call_reduction="0.25", context_byte_reduction="0.35", claim_linkage="0.95", fewer_unsupported=False
)


class PromotionMetrics(Record, frozen=True):
    """The compared figures over the valid pairs; null where a denominator is zero."""

    baseline_success_rate: float | None
    candidate_success_rate: float | None
    agent_call_reduction: float | None
    context_byte_reduction: float | None
    claim_linkage_rate: float | None


class Sums(Record, frozen=True):
    """The whole numbers of one adapter, over the valid pairs, that the metrics follow from."""

    successes: Count
    agent_calls: Count
    model_visible_utf8_bytes: Count
    substantive_claims: Count
    linked_supported_claims: Count
    unsupported_substantive_claims: Count


class Limits(NamedTuple):
    """Thresholds as exact numbers."""

    said: Thresholds
    calls: Fraction
    context: Fraction
    linkage: Fraction


def limits_of(said: Thresholds) -> Limits:
    """Thresholds, read.

    Raises:
        UsageError: one is no decimal from -1 to 1.
    """
    return Limits(
        said,
        _decimal("agent_call_reduction", said.agent_call_reduction),
        _decimal("context_byte_reduction", said.context_byte_reduction),
        _decimal("claim_linkage", said.claim_linkage),
    )


def _decimal(name: str, text: object) -> Fraction:
    if isinstance(text, str) and re.match(_DECIMAL, text) and -1 <= (found := Fraction(text)) <= 1:
        return found
    raise UsageError(f"{name}: {quoted(text, 40)} is no decimal from -1 to 1", hint='write it as a text: "0.25"')


def sums_of(side: Sequence[Scored]) -> Sums:
    """The sums of one adapter's side of the pairs."""
    scores = [each.score for each in side if each.score is not None]
    receipts = [each.receipt.canonical for each in side]
    return Sums(
        successes=sum(score.success for score in scores),
        agent_calls=sum(receipt.agent_calls for receipt in receipts),
        model_visible_utf8_bytes=sum(receipt.model_visible_utf8_bytes for receipt in receipts),
        substantive_claims=sum(score.substantive_claims for score in scores),
        linked_supported_claims=sum(score.linked_supported_claims for score in scores),
        unsupported_substantive_claims=sum(len(score.unsupported_substantive_claims) for score in scores),
    )


def aggregate_failures(pairs: int, baseline: Sums, candidate: Sums, limits: Limits) -> Iterator[str]:
    """What the sums fail; each threshold is inclusive."""
    said = limits.said
    if not pairs or candidate.successes < baseline.successes:
        yield "aggregate_accuracy_loss_or_empty_denominator"
    calls, context = (_reduction(*both) for both in _costs(baseline, candidate))
    if calls is None or calls < limits.calls:
        yield f"agent_call_reduction_below_{said.agent_call_reduction}_or_zero_denominator"
    if context is None or context < limits.context:
        yield f"context_byte_reduction_below_{said.context_byte_reduction}_or_zero_denominator"
    linkage = _share(candidate.linked_supported_claims, candidate.substantive_claims)
    if linkage is None or linkage < limits.linkage:
        yield f"claim_linkage_below_{said.claim_linkage}_or_zero_denominator"
    # A baseline without any has nothing to improve on, and so cannot be improved on.
    fewer = candidate.unsupported_substantive_claims < baseline.unsupported_substantive_claims
    if said.fewer_unsupported and not fewer:
        yield "unsupported_substantive_claims_not_fewer_or_zero_baseline"


def _costs(baseline: Sums, candidate: Sums) -> tuple[tuple[int, int], tuple[int, int]]:
    """Calls and bytes, each (baseline, candidate)."""
    return (
        (baseline.agent_calls, candidate.agent_calls),
        (baseline.model_visible_utf8_bytes, candidate.model_visible_utf8_bytes),
    )


def _reduction(baseline: int, candidate: int) -> Fraction | None:
    return 1 - Fraction(candidate, baseline) if baseline > 0 else None


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole > 0 else None


def metrics_of(pairs: int, baseline: Sums, candidate: Sums) -> PromotionMetrics:
    """The metrics of so many valid pairs."""
    calls, context = (_reduction(*both) for both in _costs(baseline, candidate))
    exact = (
        _share(baseline.successes, pairs),
        _share(candidate.successes, pairs),
        calls,
        context,
        _share(candidate.linked_supported_claims, candidate.substantive_claims),
    )
    return PromotionMetrics(
        **{
            name: None if value is None else float(value)
            for name, value in zip(PromotionMetrics.__struct_fields__, exact, strict=True)
        }
    )
