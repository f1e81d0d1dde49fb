"""Promotion, by cohorts whose sums are in the comments; each failure code by one thing that is wrong."""

from __future__ import annotations

import itertools
from fractions import Fraction

import msgspec
import pytest
from support.receipts import call, oracle, receipt, sha, task

from irbridge.agentic.intervals import difference_interval, ratio_interval, share_interval
from irbridge.agentic.pairs import Pair, Scored
from irbridge.agentic.promotion import PromotionGateResult, promote, promote_pairs
from irbridge.agentic.records import AgentTask, HiddenOracle, plain, record
from irbridge.agentic.replays import CapsuleReplay, replay_of
from irbridge.agentic.scoring import score
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.thresholds import USUAL
from irbridge.agentic.trajectory import Failure, TrajectoryReceipt
from irbridge.errors import UsageError

RECEIPT = record(TrajectoryReceipt, receipt())
SCORE = score(record(AgentTask, task()), record(HiddenOracle, oracle()), RECEIPT)
replace = msgspec.structs.replace


def one(adapter, task_id="t0000001", *, calls=1, size=100, success=1, substantive=1, linked=None, wrong=0, **identity):
    """A receipt that cost this, with its score."""
    who = {"adapter_id": adapter, "task_id": task_id, **identity}
    canonical = replace(RECEIPT.canonical, agent_calls=calls, model_visible_utf8_bytes=size, **who)
    found = replace(
        SCORE, success=success, substantive_claims=substantive, linked_supported_claims=substantive if linked is None else linked,
        unsupported_substantive_claims=["budget"] * wrong, **who,
    )  # fmt: skip
    return Scored(replace(RECEIPT, canonical=canonical), found)


def decide(old, new, thresholds=None, replays=(), **options):
    """Promote `new` for `old` from lists of `one`."""
    both = [*old, *new]
    scores = [each.score for each in reversed(both) if each.score is not None]
    return promote([each.receipt for each in both], scores, "old", "new", thresholds, replays, **options)


def cohort(adapter, tasks, **values):
    """A receipt a task; a list among the values has one for each."""
    return [
        one(adapter, f"t{number:07}", **{name: each[number] if isinstance(each, list) else each for name, each in values.items()})
        for number in range(tasks)
    ]  # fmt: skip


# -------------------------------------------------------------------------------------------------- a published baseline

# 24 tasks, two lifecycles. Per lifecycle the baseline succeeds on 23 with 47 calls and 47,638 bytes, the candidate on 24 with
# 24 calls and 26,620 bytes; 22 tasks have one substantive claim, two ask to abstain.
# 23 * 2 + 1 = 47; 22 * 1985 + 2 * 1984 = 47,638; 20 * 1109 + 4 * 1110 = 26,620.
ASKED = [1] * 22 + [0] * 2


def published(adapter, **values):
    return [
        replace_identity(each, lifecycle=lifecycle)
        for lifecycle in ("cold", "warm")
        for each in cohort(adapter, 24, **values)
    ]


def replace_identity(of, **identity):
    canonical = replace(of.receipt.canonical, **identity)
    return Scored(replace(of.receipt, canonical=canonical), replace(of.score, **identity))


def test_a_published_baseline():
    old = published(
        "old",
        calls=[2] * 23 + [1],
        size=[1985] * 22 + [1984] * 2,
        success=[0] + [1] * 23,
        substantive=ASKED,
        linked=ASKED,
    )
    new = published("new", calls=1, size=[1110] * 4 + [1109] * 20, substantive=ASKED, linked=ASKED)
    other = published("lexical", calls=9, success=0)
    found = decide([*old, *other], new)
    assert (found.passed, found.failures, found.pair_count, found.valid_pairs) == (True, [], 48, 48)
    metrics = found.metrics
    assert metrics.baseline_success_rate == 46 / 48
    assert metrics.candidate_success_rate == 1.0
    assert metrics.agent_call_reduction == pytest.approx(0.489361702127660, abs=1e-15)  # 23 / 47
    assert metrics.context_byte_reduction == pytest.approx(0.441202401444225, abs=1e-15)  # 21,018 / 47,638
    assert (round(metrics.agent_call_reduction, 4), round(metrics.context_byte_reduction, 4)) == (0.4894, 0.4412)
    assert metrics.claim_linkage_rate == 1.0
    assert plain(found.baseline_sums) == {
        "successes": 46, "agentCalls": 94, "modelVisibleUtf8Bytes": 95_276, "substantiveClaims": 44,
        "linkedSupportedClaims": 44, "unsupportedSubstantiveClaims": 0,
    }  # fmt: skip
    assert plain(found.candidate_sums)["modelVisibleUtf8Bytes"] == 53_240
    beside = found.intervals
    # Success: of 24 tasks one gains in both lifecycles, mean 2/48. Off the mean: 23 * (1/12)^2 + (23/12)^2 = 552/144; standard
    # error sqrt(24/23 * 552/144) / 48 = 2/48; Student's t for 23 degrees of freedom and 97.5% is 2.068657610.
    half = 2.068657610 / 24
    assert interval_of(beside.success_difference) == (
        pytest.approx((1 / 24 - half, 1 / 24 + half), abs=1e-6), "t", 24, "cannot_tell",
    )  # fmt: skip
    # Calls: R = 24/47, mean(y) = 47/24. With 2 calls the value is 23/47 + 24/2209, 23 times, with 1 it is 23/47 - 552/2209.
    # Squares: 23 * 24^2 + 552^2 = 317,952 over 2209^2; over 23 * 24 it is 576 / 2209^2: the standard error is 24/2209.
    half = 2.068657610 * 24 / 2209
    assert interval_of(beside.agent_call_reduction) == (
        pytest.approx((23 / 47 - half, 23 / 47 + half), abs=1e-6), "t", 24, "yes",
    )  # fmt: skip
    # Linkage: 22 of 22. Clopper and Pearson: 0.025 ** (1 / 22) = exp(-3.688879454 / 22) = 0.845627.
    assert interval_of(beside.claim_linkage_rate) == (
        pytest.approx((0.845627, 1), abs=1e-6),
        "exact",
        22,
        "cannot_tell",
    )
    assert beside.context_byte_reduction.verdict == "yes"


def interval_of(found):
    return (found.low, found.high), found.method, found.tasks, found.verdict


# ------------------------------------------------------------------------------------------------------------ thresholds

FINE = [one("old", calls=4, size=20)], [one("new", calls=3, size=13)]
PLACE = "t0000001/fixture-01/cold/0/fixture"


def test_just_the_thresholds_pass():
    # 1 - 3/4 = 0.25; 1 - 13/20 = 0.35; 19/20 = 0.95.
    old = [one("old", calls=4, size=20, substantive=20, linked=20)]
    found = decide(old, [one("new", calls=3, size=13, substantive=20, linked=19)])
    assert (found.passed, found.failures) == (True, [])
    assert (found.metrics.agent_call_reduction, found.metrics.context_byte_reduction) == (0.25, 0.35)
    assert found.metrics.claim_linkage_rate == 0.95


@pytest.mark.parametrize(
    "old, new, code",
    [
        ({"calls": 400}, {"calls": 301}, "agent_call_reduction_below_0.25_or_zero_denominator"),
        ({"calls": 0}, {"calls": 0}, "agent_call_reduction_below_0.25_or_zero_denominator"),
        ({"size": 2000}, {"size": 1301}, "context_byte_reduction_below_0.35_or_zero_denominator"),
        ({"size": 0}, {"size": 0}, "context_byte_reduction_below_0.35_or_zero_denominator"),
        ({}, {"substantive": 1000, "linked": 949}, "claim_linkage_below_0.95_or_zero_denominator"),
        ({}, {"substantive": 0}, "claim_linkage_below_0.95_or_zero_denominator"),
    ],
)
def test_just_below_a_threshold_fails(old, new, code):
    found = decide([one("old", **{"calls": 4, "size": 20, **old})], [one("new", **{"calls": 3, "size": 13, **new})])
    assert (found.passed, found.failures) == (False, [code])


def test_a_zero_denominator_has_no_figure():
    metrics = decide([one("old", calls=0, size=0)], [one("new", substantive=0)]).metrics
    assert plain(metrics) == {
        "baselineSuccessRate": 1.0, "candidateSuccessRate": 1.0, "agentCallReduction": None, "contextByteReduction": None,
        "claimLinkageRate": None,
    }  # fmt: skip


def test_thresholds_are_options_and_exact():
    # In doubles 1 - 9/10 is 0.09999999999999998, less than 0.1.
    assert 1 - 9 / 10 < 0.1
    lax = msgspec.structs.replace(USUAL, agent_call_reduction="0.1", context_byte_reduction="-0.5", claim_linkage="0")
    old, new = [one("old", calls=10, size=2)], [one("new", calls=9, size=3, linked=0)]
    assert decide(old, new, lax).passed
    strict = msgspec.structs.replace(
        USUAL, agent_call_reduction="0.100000000000000001", context_byte_reduction="-0.49", claim_linkage="0.0"
    )
    assert decide(old, new, strict).failures == [
        "agent_call_reduction_below_0.100000000000000001_or_zero_denominator",
        "context_byte_reduction_below_-0.49_or_zero_denominator",
    ]


@pytest.mark.parametrize(
    "wrong", ["", "x", "1.1", "-2", "1e-1", "1/4", ".5", "0.", " 0.5", "0.5\n", "nan", "\u0660.\u0665", 0.5, None]
)
def test_a_threshold_is_a_decimal_text(wrong):
    with pytest.raises(UsageError, match="claim_linkage"):
        decide(*FINE, msgspec.structs.replace(USUAL, claim_linkage=wrong))


@pytest.mark.parametrize("confidence", [0, 1, 1.5, -1, float("nan")])
def test_a_confidence_is_between_0_and_1(confidence):
    with pytest.raises(UsageError, match="confidence"):
        decide(*FINE, confidence=confidence)


def test_nobody_is_held_against_himself():
    with pytest.raises(UsageError, match="against itself"):
        promote([], [], "old", "old")


@pytest.mark.parametrize("old, new, passed", [(2, 1, True), (1, 1, False), (1, 2, False), (0, 0, False)])
def test_fewer_unsupported_claims_are_an_option(old, new, passed):
    cohorts = [one("old", calls=4, size=20, wrong=old)], [one("new", calls=3, size=13, wrong=new)]
    assert decide(*cohorts).passed
    found = decide(*cohorts, msgspec.structs.replace(USUAL, fewer_unsupported=True))
    code = "unsupported_substantive_claims_not_fewer_or_zero_baseline"
    assert (found.passed, found.failures) == (passed, [] if passed else [code])


# ----------------------------------------------------------------------------------------------------------------- pairs


def test_an_empty_cohort_fails():
    found = promote([], [], "old", "new")
    assert found.failures == [
        "paired_cohort_empty", "aggregate_accuracy_loss_or_empty_denominator",
        "agent_call_reduction_below_0.25_or_zero_denominator", "context_byte_reduction_below_0.35_or_zero_denominator",
        "claim_linkage_below_0.95_or_zero_denominator",
    ]  # fmt: skip
    assert set(plain(found.metrics).values()) == {None}
    assert {each.verdict for each in (found.intervals.success_difference, found.intervals.claim_linkage_rate)} == {
        "cannot_tell"
    }


@pytest.mark.parametrize(
    "more, less, said",
    [("old", "new", "the candidate has no t0000002/fixture-01/cold/0/fixture"), ("new", "old", "the baseline has no")],
)
def test_cohorts_of_different_pairs_are_not_compared(more, less, said):
    cohorts = {more: [one(more), one(more, "t0000002")], less: [one(less)]}
    found = decide(cohorts["old"], cohorts["new"])
    assert len(found.failures) == 1
    assert found.failures[0].startswith(f"cohort_pairing_failed:{said}")
    assert (found.passed, found.pair_count, set(plain(found.metrics).values())) == (False, 0, {None})


@pytest.mark.parametrize(
    "identity", [{"trial_id": "other"}, {"lifecycle": "warm"}, {"seed": 1}, {"seed": None}, {"agent_id": "other"}]
)
def test_each_part_of_the_identity_pairs(identity):
    found = decide([one("old")], [one("new", **identity)])
    assert found.failures[0].startswith("cohort_pairing_failed:")


def test_a_pair_that_stands_twice_is_left_out():
    found = decide([*FINE[0], *FINE[0]], [*FINE[1], *FINE[1]])
    assert found.failures[0] == f"duplicate_pair:{PLACE}"
    assert (found.pair_count, found.valid_pairs, found.metrics.baseline_success_rate) == (2, 0, None)


def changed(of, **canonical):
    """The receipt changed, the score left as it is."""
    return Scored(replace(of.receipt, canonical=replace(of.receipt.canonical, **canonical)), of.score)


def prints(of, name):
    return {"fingerprints": replace(of.receipt.canonical.fingerprints, **{name: "1" * 64})}


OLD, NEW = FINE[0][0], FINE[1][0]


@pytest.mark.parametrize(
    "old, new, codes",
    [
        (OLD, one("new", "t0000002", calls=3), ["pair_identity_mismatch"]),
        (OLD, one("new", calls=3, seed=5), ["pair_identity_mismatch", "comparison_fingerprint_mismatch"]),
        (OLD, one("new", calls=3, agent_id="x"), ["pair_identity_mismatch", "comparison_fingerprint_mismatch"]),
        (NEW, OLD, ["adapter_identity_mismatch"]),
        (OLD, Scored(NEW.receipt, OLD.score), ["candidate_score_identity_mismatch"]),
        (Scored(OLD.receipt, None), NEW, ["baseline_score_identity_mismatch"]),
        (changed(OLD, lifecycle="warm"), changed(NEW, lifecycle="warm"),
         ["baseline_score_identity_mismatch", "candidate_score_identity_mismatch"]),
        (OLD, Scored(NEW.receipt, replace(NEW.score, match="covering")), ["score_match_mismatch"]),
        (OLD, Scored(NEW.receipt, replace(NEW.score, scored=False)), ["unscored_or_harness_failed_pair"]),
        (changed(OLD, failure=Failure(class_="harness_error", code="x", redacted_message=None)), NEW,
         ["unscored_or_harness_failed_pair"]),
        *((OLD, changed(NEW, **prints(NEW, name)), ["comparison_fingerprint_mismatch"])
          for name in ("corpus", "prompt", "tools", "model", "runtime")),
    ],
)  # fmt: skip
def test_a_pair_that_cannot_be_compared_is_left_out_and_fails(old, new, codes):
    other = Pair(one("old", "t0000009", calls=4, size=20), one("new", "t0000009", calls=3, size=13))
    found = promote_pairs([Pair(old, new), other], "old", "new")
    assert [each.partition(":")[0] for each in found.failures] == codes
    assert all(each.partition(":")[2].startswith("t0000001/fixture-01/") for each in found.failures)
    assert (found.passed, found.pair_count, found.valid_pairs, found.metrics.agent_call_reduction) == (
        False,
        2,
        1,
        0.25,
    )


@pytest.mark.parametrize("name", ["config", "index"])
def test_what_is_an_adapters_own_may_differ(name):
    assert promote_pairs([Pair(OLD, changed(NEW, **prints(NEW, name)))], "old", "new").passed


@pytest.mark.parametrize("scores", [[OLD.score], [OLD.score, NEW.score, NEW.score]])
def test_a_receipt_has_one_score(scores):
    found = promote([OLD.receipt, NEW.receipt], scores, "old", "new")
    assert found.failures[0] == f"candidate_score_identity_mismatch:{PLACE}"


def test_accuracy_may_be_lost_in_no_pair():
    old = [one("old", calls=4, size=20, success=0), one("old", "t0000002", calls=4, size=20)]
    new = [one("new", calls=3, size=13), one("new", "t0000002", calls=3, size=13, success=0)]
    found = decide(old, new)
    # Each succeeds once: nothing is lost in all.
    assert found.failures == ["pairwise_accuracy_loss:t0000002/fixture-01/cold/0/fixture"]
    assert found.valid_pairs == 2


def test_accuracy_lost_in_all_is_said_too():
    found = decide([OLD], [replace_score(NEW, success=0)])
    assert found.failures == [f"pairwise_accuracy_loss:{PLACE}", "aggregate_accuracy_loss_or_empty_denominator"]


def replace_score(of, **values):
    return Scored(of.receipt, replace(of.score, **values))


def test_the_order_of_receipts_and_scores_does_not_matter():
    both = [*cohort("old", 4, calls=[4, 2, 3, 4]), *cohort("new", 4, calls=[1, 2, 1, 1], success=[1, 1, 0, 1])]
    wanted = decide(both[:4], both[4:])
    for order in itertools.islice(itertools.permutations(both), 0, 40_320, 5_003):
        receipts, scores = [each.receipt for each in order], [each.score for each in reversed(order)]
        assert promote(receipts, scores, "old", "new") == wanted


def test_a_result_is_a_record():
    found = decide(*FINE)
    assert strict_record(PromotionGateResult, msgspec.json.encode(found)) == found


# --------------------------------------------------------------------------------------------------------------- replays

PAYLOAD = '{"evidence":[],"taskId":"t0000001"}'


def bundled(*contents, role="evidence_bundle", **changes):
    """The candidate, having delivered bundles of these contents."""
    made = [call(place, "search", {}, role, content, **changes) for place, content in enumerate(contents)]
    calls = record(TrajectoryReceipt, receipt(made=made)).canonical.calls
    return changed(NEW, calls=calls)


def replay(first=PAYLOAD, again=None, **changes):
    again = first if again is None else again
    said = {
        "task_id": "t0000001", "adapter_id": "new", "trial_id": "fixture-01", "seed": 0, "lifecycle": "cold",
        "agent_id": "fixture", "first_payload": first, "first_sha256": sha(first), "replay_payload": again,
        "replay_sha256": sha(again), **changes,
    }  # fmt: skip
    return CapsuleReplay(**said)


def test_a_replayed_bundle_passes():
    assert decide([OLD], [bundled(PAYLOAD)], replays=[replay()]).passed
    assert replay_of(bundled(PAYLOAD).receipt.canonical, PAYLOAD) == replay()
    assert replay_of(bundled(PAYLOAD, PAYLOAD).receipt.canonical, PAYLOAD) is None


def test_who_has_no_bundle_needs_no_replay():
    assert decide([OLD], [bundled("text", role="source")]).passed


@pytest.mark.parametrize(
    "new, replays, codes",
    [
        (bundled(PAYLOAD), [], ["capsule_replay_identity_mismatch"]),
        (bundled(PAYLOAD), [replay(), replay()], ["capsule_replay_identity_mismatch"]),
        (bundled(PAYLOAD), [replay(adapter_id="old")], ["capsule_replay_identity_mismatch"]),
        (bundled(PAYLOAD, PAYLOAD), [replay()], ["candidate_capsule_payload_missing_or_ambiguous"]),
        (bundled(PAYLOAD, role="source"), [replay()], ["candidate_capsule_payload_missing_or_ambiguous"]),
        (bundled(PAYLOAD, deliveredToAgent=False), [replay()], ["candidate_capsule_payload_missing_or_ambiguous"]),
        (bundled(PAYLOAD.replace("[]", "[1]")), [replay()], ["capsule_replay_first_payload_mismatch"]),
        (bundled(PAYLOAD), [replay(again=PAYLOAD.replace("[]", "[1]"))], ["nondeterministic_capsule_payload"]),
        (bundled(PAYLOAD), [replay(replay_sha256="0" * 64)],
         ["invalid_capsule_payload_replay", "nondeterministic_capsule_payload"]),
        *((bundled(bad), [replay(bad)], ["invalid_capsule_payload_replay"])
          for bad in ("", "{}", "text", "[1]", '{"a": 1}', '{"b":1,"a":2}', '{"a":1,"a":1}', '{"taskId":"t0000002"}')),
    ],
)  # fmt: skip
def test_a_bundle_comes_back_byte_for_byte(new, replays, codes):
    found = decide([OLD], [new], replays=replays)
    assert list(dict.fromkeys(each.partition(":")[0] for each in found.failures))[: len(codes)] == codes
    assert found.valid_pairs == 0


def test_a_payload_need_not_name_its_task():
    assert decide([OLD], [bundled('{"a":1}')], replays=[replay('{"a":1}')]).passed


def test_a_replay_of_no_pair_fails():
    found = decide([OLD], [bundled(PAYLOAD)], replays=[replay(), replay(task_id="t0000009")])
    assert found.failures == ["capsule_replay_identity_mismatch:t0000009/fixture-01/cold/0/fixture"]
    assert found.valid_pairs == 1


# ------------------------------------------------------------------------------------------------------------- intervals

QUARTER = Fraction(1, 4)


def test_the_interval_of_a_reduction():
    # All with 2 calls before: the values are 1 - x/2 = 0.5, 0.5, 0; mean 1/3, deviation sqrt(1/12), standard error 1/6; t(2) at
    # 97.5% is 4.302652730.
    found = ratio_interval([1, 1, 2], [2, 2, 2], ["a", "b", "c"], QUARTER, 0.95, 0)
    half = 4.302652730 / 6
    assert interval_of(found) == (pytest.approx((1 / 3 - half, 1 / 3 + half), abs=1e-6), "t", 3, "cannot_tell")


def test_the_interval_of_a_ratio_with_unequal_denominators():
    # R = 2/4, mean(y) = 2; values 1 - (1/2 + (1 - 1/2) / 2) = 1/4 and 1 - (1/2 + (1 - 3/2) / 2) = 3/4; standard error 1/4; t(1) is
    # 12.706204736.
    found = ratio_interval([1, 1], [1, 3], ["a", "b"], QUARTER, 0.95, 0)
    half = 12.706204736 / 4
    assert interval_of(found) == (pytest.approx((0.5 - half, 0.5 + half), abs=1e-6), "t", 2, "cannot_tell")


def test_trials_of_a_task_are_one_unit():
    once = ratio_interval([1, 1, 2], [2, 2, 2], ["a", "b", "c"], QUARTER, 0.95, 0)
    twice = ratio_interval([1, 1, 2] * 2, [2, 2, 2] * 2, ["a", "b", "c"] * 2, QUARTER, 0.95, 0)
    assert twice == once


@pytest.mark.parametrize("asked, verdict", [("0.4", "yes"), ("0.9", "no"), ("0.6", "cannot_tell")])
def test_a_verdict_is_where_the_interval_lies(asked, verdict):
    # 40 tasks, half reduced from 2 to 1 and half from 2 to 0.6 on average: in counts 5 of 10 and 3 of 10.
    found = ratio_interval([5, 3] * 20, [10] * 40, [str(n) for n in range(40)], Fraction(asked), 0.95, 0)
    # Values 0.5 and 0.7; mean 0.6; standard error sqrt(40 * 0.01 / 39 / 40) = 0.016013; t(39) = 2.022691: 0.6 -+ 0.032389.
    assert (found.low, found.high) == pytest.approx((0.567611, 0.632389), abs=1e-6)
    assert found.verdict == verdict


def test_few_or_equal_tasks_cannot_tell():
    nothing = (None, None), None
    assert interval_of(ratio_interval([], [], [], QUARTER, 0.95, 0)) == (*nothing, 0, "cannot_tell")
    assert interval_of(ratio_interval([1], [2], ["a"], QUARTER, 0.95, 0)) == (*nothing, 1, "cannot_tell")
    assert interval_of(ratio_interval([1, 1], [2, 2], ["a", "b"], QUARTER, 0.95, 0)) == (*nothing, 2, "cannot_tell")
    assert interval_of(ratio_interval([1, 1], [0, 0], ["a", "b"], QUARTER, 0.95, 0)) == (*nothing, 2, "cannot_tell")
    assert interval_of(difference_interval([1], [0], ["a"], 0.95, 0)) == (*nothing, 1, "cannot_tell")
    assert interval_of(difference_interval([], [], [], 0.95, 0)) == (*nothing, 0, "cannot_tell")
    assert interval_of(share_interval([0], [0], ["a"], QUARTER, 0.95, 0)) == (*nothing, 0, "cannot_tell")


def test_where_all_tasks_agree_exceptions_may_be_so_frequent():
    tasks = [str(number) for number in range(24)]
    # Clopper and Pearson for 24 of 24: 0.025 ** (1 / 24) = exp(-3.688879454 / 24) = 0.857526.
    same = difference_interval([1] * 24, [1] * 24, tasks, 0.95, 0)
    assert interval_of(same) == (pytest.approx((-0.142474, 0.142474), abs=1e-6), "exact", 24, "cannot_tell")
    # All gain: an exception may be a loss, 2 away from the mean of 1. 1 - 2 * 0.1424737.
    better = difference_interval([1] * 24, [0] * 24, tasks, 0.95, 0)
    assert interval_of(better) == (pytest.approx((0.715053, 1), abs=1e-6), "exact", 24, "yes")
    worse = difference_interval([0] * 24, [1] * 24, tasks, 0.95, 0)
    assert worse.verdict == "no"
    # 0.025 ** (1 / 71) = 0.949368, 0.025 ** (1 / 72) = 0.950053: it takes 72 tasks without a fault to show 0.95.
    for count, verdict in ((71, "cannot_tell"), (72, "yes")):
        found = share_interval([1] * count, [1] * count, [str(n) for n in range(count)], Fraction(19, 20), 0.95, 0)
        assert found.verdict == verdict


def test_an_interval_that_begins_where_it_is_asked_to_says_yes():
    # 1 of 2 and 2 of 2: mean 3/4, standard error 1/4, t(1) = 12.7; a share ends at 0 and 1.
    found = share_interval([1, 2], [2, 2], ["a", "b"], Fraction(0), 0.95, 0)
    assert interval_of(found) == ((0, 1), "t", 2, "yes")


def test_many_tasks_have_the_bootstraps_interval_and_it_is_seeded():
    counts, tasks = [1 + number % 3 for number in range(60)], [str(number) for number in range(60)]
    found = [ratio_interval(counts, [4] * 60, tasks, QUARTER, 0.95, seed) for seed in (0, 0, 1)]
    assert found[0] == found[1]
    assert found[0].method == "bca"
    # Values 3/4, 1/2, 1/4 in equal parts: mean 1/2, standard error sqrt(1/24 * 60/59 / 60) = 0.026574; 1.96 of them is 0.0521.
    for each in found:
        assert (each.low, each.high) == pytest.approx((0.448, 0.552), abs=0.004)
