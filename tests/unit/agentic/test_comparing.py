"""Two reports of two agents are compared by task and lifecycle; what answers another question is not compared at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from support.agentic_fixture import FIRST, SECOND
from support.agentic_runs import ran, small

from irbridge.agentic.comparing import compare
from irbridge.agentic.records import plain, record
from irbridge.agentic.report import BenchmarkReport
from irbridge.errors import UsageError

Json = dict[str, Any]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> BenchmarkReport:
    return ran(small(tmp_path_factory.mktemp("fixture"))).report


def changed(report: BenchmarkReport, change: Callable[[Json], Any]) -> BenchmarkReport:
    value = plain(report)
    change(value)
    return record(BenchmarkReport, value)


def by_another_agent(report: BenchmarkReport, seeds: list[int]) -> BenchmarkReport:
    """The same receipts as another agent's, with trials of its own: one call more in the trial of the highest seed."""

    def change(value: Json) -> None:
        value["environment"]["agentId"] = "mine"
        # In a report a trial's receipts stand beside those of the others; here each list is simply repeated.
        for name in ("receipts", "scores"):
            copies = []
            for seed in seeds:
                for row in msgspec.json.decode(msgspec.json.encode(value[name])):
                    of = row.get("canonical", row)
                    of.update(agentId="mine", trialId=f"mine-{seed}", seed=seed)
                    if "agentCalls" in of:
                        of["agentCalls"] += seed == max(seeds)
                        of["fingerprints"].update(prompt="1" * 64, model="2" * 64)
                    copies.append(row)
            value[name] = copies

    return changed(report, change)


def test_two_agents_are_paired_by_task_and_lifecycle(report: BenchmarkReport) -> None:
    mine = by_another_agent(report, [7])
    (done,) = compare(report, mine, ("lexical", "lexical"))
    assert (done.agents, done.adapters) == (("fixture", "mine"), ("lexical", "lexical"))
    # Two tasks, cold and warm; two calls each against three. Prompt and model are an agent's own.
    assert (done.pairs, done.tasks, done.apart, done.notes) == (4, 2, 0, [])
    calls = done.changes[1]
    assert (calls.metric, calls.one, calls.other, calls.difference) == ("agent_calls", 2, 3, 1)
    assert done.as_dict()["agents"] == ["fixture", "mine"]


def test_the_interval_of_success_ends_where_its_range_does(report: BenchmarkReport) -> None:
    def change(value: Json) -> None:
        for score in value["scores"]:
            score["success"] = int(score["taskId"] == FIRST)

    (done,) = compare(report, changed(report, change), ("lexical", "lexical"))
    # 0 and -1: the mean is -0.5 with a standard error of 0.5, and Student's t of one degree of freedom is 12.7.
    success = done.changes[0]
    assert (success.difference, success.low, success.high) == (-0.5, -1, 1)


def test_trials_are_paired_in_the_order_of_their_seeds_and_what_is_left_is_told(report: BenchmarkReport) -> None:
    mine = by_another_agent(report, [12, 5])
    (done,) = compare(report, mine, ("lexical", "lexical"))
    # The one trial of the fixture agent goes with seed 5, whose receipts have the calls of the original.
    assert (done.pairs, done.apart) == (4, 4)
    assert done.changes[1].difference == 0


def test_adapter_and_agent_at_once_are_told(report: BenchmarkReport) -> None:
    (done,) = compare(report, by_another_agent(report, [0]), ("lexical", "capsule"))
    assert done.pairs == 4
    assert done.notes == ["adapter and agent differ: nothing tells which of them makes the difference"]


def test_two_agents_without_a_common_task_have_no_pair(report: BenchmarkReport) -> None:
    def only(task_id: str) -> Callable[[Json], None]:
        def change(value: Json) -> None:
            value["receipts"] = [each for each in value["receipts"] if each["canonical"]["taskId"] == task_id]
            value["scores"] = [each for each in value["scores"] if each["taskId"] == task_id]

        return change

    with pytest.raises(UsageError, match="no pair in common"):
        compare(changed(report, only(FIRST)), by_another_agent(changed(report, only(SECOND)), [0]))


def test_a_report_that_names_no_adapter_has_none_in_common(report: BenchmarkReport) -> None:
    with pytest.raises(UsageError, match="no adapter is in both"):
        compare(report, changed(report, _set("environment.schedule.adapters", value=[])))


def _set(*places: str, value: Any) -> Callable[[Json], None]:
    def change(report: Json) -> None:
        for place in places:
            *way, last = place.split(".")
            of = report
            for step in way:
                of = of[step]
            of[last] = value

    return change


HEX = "0" * 64
FIXTURE = ("fixtureFingerprint", "environment.fixtureFingerprint")


@pytest.mark.parametrize(
    "change, why, way",
    [
        (_set(*FIXTURE, value=HEX), r"not of the same tasks: fixture 1 \([0-9a-f]{12}\) and fixture 1 \(0{12}\)", "rescore ONE --fixture"),
        (_set(*FIXTURE, "environment.corpusFingerprint", value=HEX), "not of the same tasks", "run both on one fixture"),
        (_set("environment.match", value="covering"), "citations match exact in the first report, covering in the second", "--match exact"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("other", [lambda report: report, lambda report: by_another_agent(report, [0])])
def test_what_answers_another_question_is_not_compared(
    change: Any, why: str, way: str, other: Any, report: BenchmarkReport
) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        compare(report, changed(other(report), change))
    assert way in str(refused.value.hint)


@pytest.mark.parametrize("name", ["corpus", "tools"])
def test_receipts_of_another_corpus_or_of_other_tools_are_not_compared(name: str, report: BenchmarkReport) -> None:
    def change(value: Json) -> None:
        value["receipts"][-1]["canonical"]["fingerprints"][name] = HEX

    with pytest.raises(UsageError, match=f"are not of the same {name}"):
        compare(report, changed(report, change))


@pytest.mark.parametrize(
    "names, adapters, note",
    [
        (["model"], None, ["not the same: model"]),
        (["config", "runtime"], None, ["not the same: runtime, config"]),
        (["config", "index"], ("lexical", "capsule"), []),
    ],
)
def test_other_differences_are_told(names: list[str], adapters: Any, note: list[str], report: BenchmarkReport) -> None:
    def change(value: Json) -> None:
        for receipt in value["receipts"]:
            receipt["canonical"]["fingerprints"].update(dict.fromkeys(names, "f" * 64))

    assert compare(report, changed(report, change), adapters)[-1].notes == note
