"""The report: exactly the matrix, in one order, under a fingerprint that observations cannot change."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from support.agentic_fixture import FIRST, SECOND
from support.agentic_runs import not_ready, ran, small
from support.receipts import calls, claim, envelope, failed, oracle, receipt, span, task

from irbridge.agentic import benchmark as running
from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.benchmark import Gate, benchmark, exit_code
from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.lanes import Fault, Lane, faults, lanes
from irbridge.agentic.page import report_markdown, report_page
from irbridge.agentic.records import AgentTask, HiddenOracle, record
from irbridge.agentic.report import (
    BenchmarkReport,
    Schedule,
    TrialIdentity,
    build_report,
    canonical_part,
    pair_of,
    sealed_report,
)
from irbridge.agentic.runner import running as runner
from irbridge.agentic.runner.running import Plan
from irbridge.agentic.scoring import score
from irbridge.agentic.thresholds import USUAL
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError, UsageError
from irbridge.renderers.markdown import escaped


@pytest.fixture(scope="module")
def fixture(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return small(tmp_path_factory.mktemp("fixture"))


@pytest.fixture(scope="module")
def report(fixture: Any) -> BenchmarkReport:
    return ran(fixture, gate=Gate("lexical", "capsule")).report


def schedule(**changes: Any) -> Schedule:
    trials = [TrialIdentity(trial_id="fixture-01", seed=0)]
    lists = {"adapters": ["lexical"], "lifecycles": ["cold"], "trials": trials, "tasks": [FIRST, SECOND]}
    return Schedule(**{**lists, "complete": False, **changes})


# ---------------------------------------------------------------------------------------------------------------- matrix


def test_receipts_stand_by_adapter_task_trial_lifecycle(report: BenchmarkReport) -> None:
    found = [(pair[0], pair[1], pair[3]) for pair in (pair_of(each.canonical) for each in report.receipts)]
    assert found == [
        (adapter, task_id, lifecycle)
        for adapter in ("capsule", "lexical")
        for task_id in (FIRST, SECOND)
        for lifecycle in ("cold", "warm")
    ]
    assert [pair_of(each) for each in report.scores] == [pair_of(each.canonical) for each in report.receipts]


def test_a_schedule_without_a_seed_stands_before_one_with() -> None:
    trials = [
        TrialIdentity(trial_id="a", seed=2),
        TrialIdentity(trial_id="a", seed=None),
        TrialIdentity(trial_id="a", seed=-1),
    ]
    pairs = schedule(trials=trials, tasks=[FIRST]).pairs("x")
    assert [(pair[4], pair[5]) for pair in pairs] == [(False, 0), (True, -1), (True, 2)]


def test_anything_but_the_matrix_is_refused(fixture: Any, report: BenchmarkReport) -> None:
    whole = report.environment.schedule
    receipts = list(report.receipts)
    build_report(fixture, whole, "fixture", receipts[::-1])  # the order does not matter
    with pytest.raises(InputError, match=f"no receipt of capsule cold {FIRST} fixture-01 seed 0, which was to be run"):
        build_report(fixture, whole, "fixture", receipts[1:])
    with pytest.raises(InputError, match="two receipts of lexical warm"):
        build_report(fixture, whole, "fixture", [*receipts, receipts[-1]])
    with pytest.raises(InputError, match=r"a receipt of capsule cold .* which was not to be run"):
        build_report(fixture, msgspec.structs.replace(whole, adapters=["lexical"]), "fixture", receipts)
    with pytest.raises(InputError, match="stands twice in the schedule"):
        build_report(fixture, msgspec.structs.replace(whole, lifecycles=["cold", "warm", "warm"]), "fixture", receipts)
    with pytest.raises(InputError, match="no receipt"):
        build_report(fixture, whole, "somebody", receipts)
    with pytest.raises(InputError, match="no score"):
        build_report(fixture, whole, "fixture", receipts, scores=report.scores[1:])


@pytest.mark.parametrize(
    "plan, complete",
    [
        ({}, True),
        ({"tasks": [FIRST]}, False),
        ({"lifecycles": ["warm"]}, False),
        ({"lifecycles": ["warm", "cold"]}, True),
    ],
)
def test_complete_means_all_tasks_cold_and_warm(fixture: Any, plan: Any, complete: bool) -> None:
    assert ran(fixture, ["lexical"], **plan).report.environment.schedule.complete == complete


def test_failures_of_the_harness_are_attempted_and_excluded(fixture: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "prepared", not_ready)
    done = ran(fixture, ["lexical"], gate=None)
    report = done.report
    assert (report.attempted_pairs, report.scored_pairs) == (4, 0)
    assert {(each.reason, each.code) for each in report.exclusions} == {("harness_error", "adapter_preparation_failed")}
    assert [each.index_fingerprint for each in report.preparations] == [None]
    assert done.prepared == [{"adapterId": "lexical", "tookMs": None, "diagnostics": ["it is not here"]}]
    assert exit_code(report) == 2
    assert [lane.attempted - lane.scored for lane in lanes(report.receipts, report.scores)] == [2, 2]


@pytest.mark.parametrize(
    "agent, settings, said",
    [
        ("local-model", {}, ["2 x cold_trial_setup_failed: no lock file", "model_lock_missing"]),
        (
            "command",
            {"command": "/no/such/program"},
            [
                "2 x cold_trial_setup_failed: cannot start <path>: [Errno 2] No such file or directory: '<path>'",
                "agent_start_failed",
            ],
        ),
    ],
)
def test_screen_and_page_say_why_an_agent_could_not_start(fixture: Any, agent: str, settings: Any, said: Any) -> None:
    plan = Plan(
        fixture, [ADAPTERS.get("lexical")], AGENTS.get(agent), lifecycles=["cold"], tasks=[FIRST, SECOND],
        agent_settings=settings,
    )  # fmt: skip
    report = benchmark(plan).report
    page = report_page(report)
    (why,) = [block for block in page.blocks if getattr(block, "label", None) == "because"]
    assert list(why.parts) == said
    assert [(each["code"], each["cause"], each["pairs"]) for each in page.data["reasons"]] == [
        ("cold_trial_setup_failed", said[1], 2)
    ]
    assert f"- **because** 2 x {escaped('cold_trial_setup_failed')}" in report_markdown(report)
    assert escaped(said[1]) in report_markdown(report)


def test_why_an_adapter_could_not_be_prepared_is_told_of_its_preparation(
    fixture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "prepared", not_ready)
    assert report_page(ran(fixture, ["lexical"], gate=None).report).data["reasons"] == []


# ----------------------------------------------------------------------------------------------------------- fingerprint


def test_the_fingerprint_is_the_sha_256_of_the_canonical_part(report: BenchmarkReport) -> None:
    part = canonical_part(report)
    assert report.canonical_fingerprint == hashlib.sha256(canonical_json(part).encode()).hexdigest()
    assert "canonicalFingerprint" not in part
    assert '"observations"' not in json.dumps(part)
    assert sealed_report(report) == report


def test_observations_do_not_change_it_and_everything_else_does(report: BenchmarkReport) -> None:
    def fingerprint(**changes: Any) -> str:
        return sealed_report(msgspec.structs.replace(report, **changes)).canonical_fingerprint

    first = report.receipts[0]
    seen = msgspec.structs.replace(first.observations, recorded_at="x", temp_paths=["/a"], platform={"python": "9"})
    assert (
        fingerprint(receipts=[msgspec.structs.replace(first, observations=seen), *report.receipts[1:]])
        == report.canonical_fingerprint
    )
    other = msgspec.structs.replace(first.canonical, agent_calls=9)
    for changes in (
        {"receipts": [msgspec.structs.replace(first, canonical=other), *report.receipts[1:]]},
        {"methodology": []},
        {"promotion": None},
        {"capsule_replays": []},
        {"scores": report.scores[1:]},
        {"environment": msgspec.structs.replace(report.environment, match="covering")},
    ):
        assert fingerprint(**changes) != report.canonical_fingerprint


def test_two_runs_have_one_canonical_part(fixture: Any, report: BenchmarkReport) -> None:
    again = ran(fixture, ["capsule", "lexical"], gate=Gate("lexical", "capsule"), lifecycles=["warm", "cold"]).report
    assert canonical_json(canonical_part(again)) == canonical_json(canonical_part(report))


# ------------------------------------------------------------------------------------------------------------- promotion


def test_promotion_has_a_replay_for_each_bundle(report: BenchmarkReport) -> None:
    assert [each.task_id for each in report.capsule_replays] == [FIRST, FIRST, SECOND, SECOND]
    assert all(each.first_payload == each.replay_payload for each in report.capsule_replays)
    promotion = report.promotion
    assert promotion is not None
    assert promotion.passed
    # Four tasks-times-lifecycles: lexical searches and reads (8 calls), capsule asks once (4): 1 - 4/8.
    assert promotion.metrics.agent_call_reduction == 0.5
    assert promotion.pair_count == 4


def test_without_a_gate_nothing_is_replayed(fixture: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    real = running.run
    monkeypatch.setattr(running, "run", lambda *given: (runs.append(1), real(*given))[1])
    assert ran(fixture, tasks=[FIRST], lifecycles=["cold"]).report.promotion is None
    assert runs == [1]


def test_a_failed_promotion_is_1_and_a_failure_of_the_harness_comes_first(
    fixture: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate("lexical", "capsule", msgspec.structs.replace(USUAL, agent_call_reduction="0.51"))
    assert exit_code(ran(fixture, gate=gate, lifecycles=["cold"]).report) == 1
    monkeypatch.setattr(runner, "prepared", not_ready)
    assert exit_code(ran(fixture, gate=gate, lifecycles=["cold"]).report) == 2


def test_a_comparison_that_cannot_be_made_is_refused_before_the_run(fixture: Any) -> None:
    for gate in (
        Gate("lexical", "gone"),
        Gate("lexical", "lexical"),
        Gate("lexical", "capsule", msgspec.structs.replace(USUAL, claim_linkage="much")),
    ):
        with pytest.raises(UsageError):
            ran(fixture, gate=gate)


# ----------------------------------------------------------------------------------------------------------------- lanes


def scored(*given: Any) -> tuple[list[TrajectoryReceipt], list[Any]]:
    receipts = [record(TrajectoryReceipt, each) for each in given]
    return receipts, [score(record(AgentTask, task()), record(HiddenOracle, oracle()), each) for each in receipts]


def test_a_lane_sums_what_was_scored() -> None:
    wrong = envelope(
        claim("launchDate", "date", "2026-09-14", span("plan", 1)), claim("budget", "number", 7, span("money", 1))
    )
    receipts, scores = scored(receipt(), receipt(wrong), failed("harness_error", "x", []))
    size = receipts[0].canonical.model_visible_utf8_bytes
    # Two scored receipts of three calls each; of four substantive claims three are linked.
    assert lanes(receipts, scores) == [
        Lane("lexical", "cold", 3, 2, 1, 6, 2 * size, receipts[0].canonical.backend_invocations * 2, 4, 3)
    ]
    assert lanes(receipts, scores)[0].linkage == 0.75
    assert lanes(receipts[2:], scores[2:])[0].linkage is None


def test_a_fault_says_why() -> None:
    wrong = envelope(
        claim("launchDate", "date", "2026-09-14", span("plan", 1)), claim("budget", "number", 7, span("money", 1))
    )
    elsewhere = [{**call, "arguments": {"query": "x"}} for call in calls()]
    receipts, scores = scored(
        receipt(), receipt(wrong), receipt(None, elsewhere), failed("agent_error", "agent_timeout", []),
        failed("harness_error", "tool_list_failed", []),
    )  # fmt: skip
    assert [(each.excluded, each.codes) for each in faults(receipts, scores)] == [
        (False, ("unsupported:budget",)),
        (False, ("wrong_collection", "wrong_filters")),
        (False, ("agent_timeout",)),
        (True, ("tool_list_failed",)),
    ]
    assert faults(receipts, scores)[0] == Fault(
        "lexical", "cold", "t0000001", "fixture-01", False, ("unsupported:budget",)
    )
