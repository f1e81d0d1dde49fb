"""May a candidate replace a baseline? Pair by pair on the same tasks, in whole numbers, with a reason for every no.

The intervals beside the gate say how much so many tasks can tell; they decide nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from irbridge.agentic.intervals import Interval, difference_interval, ratio_interval, share_interval
from irbridge.agentic.pairs import Pair, Scored, identity_of, pair_problems, words
from irbridge.agentic.records import Count, Id, Record
from irbridge.agentic.replays import CapsuleReplay, replay_problems, stray_replays
from irbridge.agentic.thresholds import (
    USUAL,
    Limits,
    PromotionMetrics,
    Sums,
    Thresholds,
    aggregate_failures,
    limits_of,
    metrics_of,
    sums_of,
)
from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt
from irbridge.errors import UsageError, quoted


class PromotionIntervals(Record, frozen=True):
    """What so many tasks can tell of each metric; `verdict` says whether the threshold is met beyond chance."""

    confidence: float
    seed: int
    success_difference: Interval
    agent_call_reduction: Interval
    context_byte_reduction: Interval
    claim_linkage_rate: Interval


class PromotionGateResult(Record, frozen=True):
    """The decision. `pairCount` counts all pairs, `validPairs` those that could be compared."""

    passed: bool
    baseline: Id
    candidate: Id
    thresholds: Thresholds
    pair_count: Count
    valid_pairs: Count
    failures: list[str]
    metrics: PromotionMetrics
    baseline_sums: Sums
    candidate_sums: Sums
    intervals: PromotionIntervals


def promote(
    receipts: Sequence[TrajectoryReceipt],
    scores: Sequence[TaskScore],
    baseline: str,
    candidate: str,
    thresholds: Thresholds | None = None,
    replays: Sequence[CapsuleReplay] = (),
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> PromotionGateResult:
    """Hold a candidate against a baseline.

    Args:
        receipts: of both adapters; those of others are left out.
        scores: of these receipts, in any order.
        baseline: the adapter id to be replaced.
        candidate: the adapter id to replace it.
        thresholds: what to reach.
        replays: of the candidate's evidence bundles; needed where it delivered one.
        confidence: of the intervals.
        seed: of their draws.

    Raises:
        UsageError: an adapter against itself, a threshold that is none, or no confidence.
    """
    asked = _asked(baseline, candidate, thresholds, confidence, seed)
    cohorts = _cohort(receipts, scores, baseline), _cohort(receipts, scores, candidate)
    problem = _unpaired(*cohorts)
    pairs = [] if problem else [Pair(*both) for both in zip(*cohorts, strict=True)]
    return _decide(pairs, asked, replays, problem)


def promote_pairs(
    pairs: Sequence[Pair],
    baseline: str,
    candidate: str,
    thresholds: Thresholds | None = None,
    replays: Sequence[CapsuleReplay] = (),
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> PromotionGateResult:
    """`promote` for pairs that somebody else made; their identities are checked, not believed.

    Raises:
        UsageError: an adapter against itself, a threshold that is none, or no confidence.
    """
    return _decide(pairs, _asked(baseline, candidate, thresholds, confidence, seed), replays)


def _cohort(receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore], adapter: str) -> list[Scored]:
    """The receipts of an adapter with their scores, in the order of their identities."""
    found = defaultdict(list)
    for score in scores:
        if score.adapter_id == adapter:
            found[identity_of(score)].append(score)
    own = sorted(
        (receipt for receipt in receipts if receipt.canonical.adapter_id == adapter),
        key=lambda receipt: identity_of(receipt.canonical),
    )
    counted = Counter(identity_of(receipt.canonical) for receipt in own)
    made = []
    for receipt in own:
        identity = identity_of(receipt.canonical)
        # Two scores of one receipt are as bad as none: either may be the wrong one.
        matching = found[identity]
        made.append(Scored(receipt, matching[0] if len(matching) == counted[identity] else None))
    return made


def _unpaired(baseline: Sequence[Scored], candidate: Sequence[Scored]) -> str | None:
    """Why the cohorts are not of the same pairs."""
    one, other = (Counter(identity_of(each.receipt.canonical) for each in side) for side in (baseline, candidate))
    for name, lost in (("candidate", one - other), ("baseline", other - one)):
        if lost:
            return f"the {name} has no {words(min(lost))}"
    return None


@dataclass(frozen=True)
class _Asked:
    """What one decision is about."""

    baseline: str
    candidate: str
    limits: Limits
    confidence: float
    seed: int


def _asked(baseline: str, candidate: str, thresholds: Thresholds | None, confidence: float, seed: int) -> _Asked:
    if baseline == candidate:
        raise UsageError(f"{quoted(baseline)} is held against itself", hint="name two adapters")
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence of {quoted(confidence, 20)} is not between 0 and 1")
    return _Asked(baseline, candidate, limits_of(thresholds or USUAL), confidence, seed)


def _decide(
    pairs: Sequence[Pair], asked: _Asked, replays: Sequence[CapsuleReplay], unpaired: str | None = None
) -> PromotionGateResult:
    failures: list[str] = [] if pairs or unpaired else ["paired_cohort_empty"]
    valid = []
    problems = zip(
        pair_problems(pairs, asked.baseline, asked.candidate), replay_problems(pairs, replays), pairs, strict=True
    )
    for of_pair, of_replay, pair in problems:
        failures += [f"{code}:{words(pair.identity)}" for code in (*of_pair, *of_replay)]
        if not (of_pair or of_replay):
            valid.append(pair)
    sums = sums_of([pair.baseline for pair in valid]), sums_of([pair.candidate for pair in valid])
    if unpaired is None:
        failures += [f"capsule_replay_identity_mismatch:{words(stray)}" for stray in stray_replays(pairs, replays)]
        failures += [f"pairwise_accuracy_loss:{words(pair.identity)}" for pair in valid if pair.loses]
        failures += aggregate_failures(len(valid), *sums, asked.limits)
    else:
        failures.append(f"cohort_pairing_failed:{unpaired}")
    return PromotionGateResult(
        passed=not failures,
        baseline=asked.baseline,
        candidate=asked.candidate,
        thresholds=asked.limits.said,
        pair_count=len(pairs),
        valid_pairs=len(valid),
        failures=list(dict.fromkeys(failures)),
        metrics=metrics_of(len(valid), *sums),
        baseline_sums=sums[0],
        candidate_sums=sums[1],
        intervals=_intervals(valid, asked),
    )


def _intervals(pairs: Sequence[Pair], asked: _Asked) -> PromotionIntervals:
    tasks = [pair.identity[0] for pair in pairs]
    one, other = [sums_of([pair.baseline]) for pair in pairs], [sums_of([pair.candidate]) for pair in pairs]
    limits, drawn = asked.limits, (asked.confidence, asked.seed)
    return PromotionIntervals(
        confidence=asked.confidence,
        seed=asked.seed,
        success_difference=difference_interval(
            [sums.successes for sums in other], [sums.successes for sums in one], tasks, *drawn
        ),
        agent_call_reduction=ratio_interval(
            [sums.agent_calls for sums in other], [sums.agent_calls for sums in one], tasks, limits.calls, *drawn
        ),
        context_byte_reduction=ratio_interval(
            [sums.model_visible_utf8_bytes for sums in other],
            [sums.model_visible_utf8_bytes for sums in one],
            tasks,
            limits.context,
            *drawn,
        ),
        claim_linkage_rate=share_interval(
            [sums.linked_supported_claims for sums in other],
            [sums.substantive_claims for sums in other],
            tasks,
            limits.linkage,
            *drawn,
        ),
    )
