"""The adapter `mcp` in a run: its own server without a config, and a hostile one, which spoils its own trials alone."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.adapters.base import Unavailable
from irbridge.agentic.agents import AGENTS
from irbridge.agentic.fixture import Fixture, load_fixture
from irbridge.agentic.records import plain
from irbridge.agentic.runner.running import Plan, run

SERVER = Path(__file__).resolve().parents[2] / "support" / "programs" / "mcp_server.py"
HOW = {"items": "hits", "uri": "at.uri", "start": "at.from", "end": "at.to", "text": "body"}


@pytest.fixture(scope="module")
def fixture(root: Path) -> Fixture:
    return load_fixture(root / "spec" / "agentic" / "fixtures" / "standard")


def config(folder: Path, mode: str) -> str:
    value = {
        "command": ["{python}", str(SERVER), mode, "{corpus}"],
        "tools": {
            "search": {"name": "find", "arguments": {"query": "q", "collections": "where"}, "result": HOW},
            "get": {
                "name": "read",
                "arguments": {"uri": "ref", "fromLine": "first", "lineCount": "count"},
                "result": HOW,
            },
            "multi_get": {"name": "read_all", "arguments": {"uris": "refs"}, "result": HOW},
        },
    }
    (folder / "server.json").write_text(json.dumps(value))
    return str(folder / "server.json")


def failures(fixture: Fixture, settings: dict[str, str], **more: Any) -> Counter[Any]:
    tasks = sorted(fixture.tasks)[:3]
    plan = Plan(
        fixture, [ADAPTERS.get("mcp")], AGENTS.get("fixture"), tasks=tasks, settings={"mcp": settings}, **more
    )  # fmt: skip
    found = [each.canonical for each in run(plan).receipts]
    return Counter((each.lifecycle, each.failure.class_, each.failure.code) for each in found)


@pytest.mark.parametrize(
    "mode, code",
    [("garbage", "invalid_tool_result"), ("die", "tool_call_failed"), ("nowhere", "scope_violation")],
)
def test_a_hostile_server_fails_its_trials_and_never_the_harness(
    fixture: Fixture, tmp_path: Path, mode: str, code: str
) -> None:
    found = failures(fixture, {"config": config(tmp_path, mode)})
    expected = {("cold", "product_error", code): 3}
    if (
        mode == "nowhere"
    ):  # the probe's result is thrown away unread, and a trial that leaves the scope leaves a sound server
        expected["warm", "product_error", code] = 3
    else:  # the probe already breaks it
        expected["warm", "harness_error", "warm_cohort_setup_failed"] = 3
    assert found == expected


def test_a_server_that_hangs_costs_its_time_and_no_more(fixture: Fixture, tmp_path: Path) -> None:
    found = failures(fixture, {"config": config(tmp_path, "hang")}, timeout=3, lifecycles=("cold",))
    assert found == {("cold", "product_error", "tool_timeout"): 3}


def test_a_config_that_is_none_is_a_matrix_of_harness_errors(fixture: Fixture, tmp_path: Path) -> None:
    found = failures(fixture, {"config": str(tmp_path / "nowhere.toml")})
    assert {key[1] for key in found} == {"harness_error"}
    assert sum(found.values()) == 6
    with pytest.raises(Unavailable) as failed:
        ADAPTERS.get("mcp").prepare(fixture.snapshot, tmp_path, 10, {"config": str(tmp_path / "nowhere.toml")})
    assert failed.value.code == "mcp_config_invalid"


def test_without_the_sdk_the_lane_is_a_matrix_of_harness_errors(
    fixture: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.client.client", None)
    expected = {(lifecycle, "harness_error", "mcp_sdk_missing"): 3 for lifecycle in ("cold", "warm")}
    assert failures(fixture, {}) == expected


def test_the_own_server_answers_as_the_index_that_it_stands_on(fixture: Fixture) -> None:
    adapters = [ADAPTERS.get("lexical"), ADAPTERS.get("mcp")]
    result = run(Plan(fixture, adapters, AGENTS.get("fixture"), lifecycles=("warm",), timeout=60))
    by_adapter: dict[str, dict[str, Any]] = {"lexical": {}, "mcp": {}}
    for each in result.receipts:
        calls = [(call.tool_name, plain(call.result)) for call in each.canonical.calls]
        by_adapter[each.canonical.adapter_id][each.canonical.task_id] = (calls, plain(each.canonical.final_envelope))
    assert len(by_adapter["mcp"]) == len(fixture.tasks)
    assert by_adapter["mcp"] == by_adapter["lexical"]
