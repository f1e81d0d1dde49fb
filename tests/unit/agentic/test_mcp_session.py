"""A server's process as a system under test: one that obeys, and each way in which one may not."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.agentic_corpus import snapshot, task

from irbridge.agentic.adapters.base import ToolFailure, Unavailable
from irbridge.agentic.mcp.config import config_of
from irbridge.agentic.mcp.session import Prepared, Session

SERVER = Path(__file__).resolve().parents[2] / "support" / "programs" / "mcp_server.py"
HOW = {
    "items": "hits", "uri": "at.uri", "start": "at.from", "end": "at.to", "text": "body", "source_hash": "sha",
}  # fmt: skip


def config(mode: str, **changes: Any) -> Any:
    tools = {
        "search": {"name": "find", "arguments": {"query": "q", "collections": "where", "limit": "n"}, "result": HOW},
        "get": {
            "name": "read",
            "arguments": {"uri": "ref", "fromLine": "first", "lineCount": "count"},
            "constants": {"plain": True},
            "result": HOW,
        },
        "multi_get": {"name": "read_all", "arguments": {"uris": "refs"}, "result": HOW},
    }
    command = ["{python}", str(SERVER), mode, "{corpus}"]
    return config_of({"command": command, "tools": {**tools, **changes.pop("tools", {})}, **changes})


Attach = Callable[..., Session]


@pytest.fixture
def attach(tmp_path: Path) -> Iterator[Attach]:
    """A session of a server of some mode, prepared by one that obeys, and reset to the task over ca."""
    open_: list[Session] = []

    def attached(mode: str = "good", *collections: str, **changes: Any) -> Session:
        prepared = Prepared(snapshot(), tmp_path, 20, config("good", **changes))
        prepared.config = config(mode, **changes)
        session = prepared.attach(20)
        open_.append(session)
        session.reset(task(*collections))
        return session

    yield attached
    for session in open_:
        session.close()


def lines(evidence: Any) -> list[tuple[str, int, str]]:
    return [(each.uri, each.start_line, each.text) for each in evidence]


ALPHA_LINES = [
    ("corpus://ca/a.md", 1, "# Alpha"),
    ("corpus://ca/a.md", 3, "The launch date is 2026-09-14."),
    ("corpus://ca/a.md", 4, "Owner: Ana"),
]
BETA_LINES = [("corpus://ca/sub/b.md", 1, "# Beta"), ("corpus://ca/sub/b.md", 3, "Budget: 4200 euro")]


class TestOneThatObeys:
    def test_search_gives_candidates_with_their_lines_and_no_blank_ones(self, attach: Attach) -> None:
        outcome = attach().call("search", {"query": "launch", "limit": 3}, 10)
        assert outcome.backend_invocations == 1
        assert outcome.result.result_role == "candidates"
        assert outcome.result.content == '{"candidates":["corpus://ca/a.md","corpus://ca/sub/b.md"]}'
        assert lines(outcome.result.evidence) == ALPHA_LINES + BETA_LINES
        first = outcome.result.evidence[0]
        assert (first.source_hash_provenance, first.span_hash_provenance) == ("harness_observed", "harness_observed")
        assert (first.backend_source_hash, first.backend_span_hash) == (None, None)
        assert first.backend_hash_unavailable_reason

    def test_get_gives_the_lines_that_were_asked_for(self, attach: Attach) -> None:
        session = attach()
        found = session.call("get", {"uri": "corpus://ca/a.md", "fromLine": 2, "lineCount": 2}, 10).result
        assert (found.result_role, lines(found.evidence)) == ("source", ALPHA_LINES[1:2])
        whole = session.call("get", {"uri": "corpus://ca/sub/b.md"}, 10).result
        assert lines(whole.evidence) == BETA_LINES  # CRLF counts as LF

    def test_multi_get_reads_what_the_budget_allows_and_names_the_rest(self, attach: Attach) -> None:
        uris = ["corpus://ca/a.md", "corpus://ca/sub/b.md", "corpus://cb/c.md"]
        found = attach().call("multi_get", {"uris": uris, "maxBytes": 60}, 10).result
        # a.md has 8 + 1 + 31 + 11 = 51 bytes, and b.md 8 + 2 + 19 = 29 more
        assert found.content == (
            '{"read":["corpus://ca/a.md"],"notFound":["corpus://cb/c.md"],"overBudget":["corpus://ca/sub/b.md"]}'
        )
        assert lines(found.evidence) == ALPHA_LINES

    def test_multi_get_may_be_get_called_once_a_source(self, attach: Attach) -> None:
        each = {"name": "read", "arguments": {"uri": "ref"}, "result": HOW}
        outcome = attach(tools={"multi_get": each}).call(
            "multi_get", {"uris": ["corpus://ca/a.md", "corpus://ca/sub/b.md"]}, 10
        )
        assert outcome.backend_invocations == 2
        assert lines(outcome.result.evidence) == ALPHA_LINES + BETA_LINES

    def test_its_inner_calls_are_not_counted_where_nobody_knows_them(self, attach: Attach) -> None:
        assert attach(counts_calls=False).call("search", {"query": "x"}, 10).backend_invocations == 0

    def test_probe_and_reset(self, attach: Attach) -> None:
        session = attach()
        session.probe(task())
        session.reset(task("cb", task_id="t2"))
        found = session.call("search", {"query": "launch"}, 10).result
        assert lines(found.evidence) == [
            ("corpus://cb/c.md", 1, "# Gamma"),
            ("corpus://cb/c.md", 3, "The launch date is secret."),
        ]

    def test_each_process_gets_a_state_of_its_own(self, tmp_path: Path) -> None:
        write = "import os, sys; open(os.path.join(sys.argv[1], 'index'), 'w').write('built')"
        built = config("good", state=True, prepare=[["{python}", "-c", write, "{state}"]], env={"STATE": "{state}"})
        prepared = Prepared(snapshot(), tmp_path, 20, built)
        session = prepared.attach(20)
        try:
            assert sorted(os.listdir(tmp_path)) == ["cache", "config", "corpus", "data", "state", "state-1", "tmp"]
            assert (tmp_path / "state-1" / "index").read_text() == "built"
        finally:
            session.close()
        assert not (tmp_path / "state-1").exists()

    def test_fingerprints_are_those_of_config_and_corpus_and_of_no_machine(self, tmp_path: Path) -> None:
        made = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            made.append(Prepared(snapshot(), tmp_path / name, 20, config("good")))
        assert made[0].config_fingerprint == made[1].config_fingerprint
        assert made[0].index_fingerprint == made[1].index_fingerprint


class TestScope:
    def test_a_foreign_collection_is_refused_before_anything_is_sent(self, attach: Attach) -> None:
        with pytest.raises(ToolFailure) as failed:
            attach("die").call("search", {"query": "x", "collection": "cb"}, 10)  # a call would have killed it
        assert failed.value.code == "scope_violation"

    def test_a_foreign_uri_is_not_found_before_anything_is_sent(self, attach: Attach) -> None:
        session = attach("die")
        for tool, arguments in (
            ("get", {"uri": "corpus://cb/c.md"}),
            ("multi_get", {"uris": ["corpus://cb/c.md"]}),
        ):
            found = session.call(tool, arguments, 10).result
            assert (found.status, found.error_code, found.evidence) == ("error", "not_found", [])
        late = session.call("get", {"uri": "corpus://ca/a.md", "fromLine": 9}, 10).result
        assert late.error_code == "line_out_of_range"

    @pytest.mark.parametrize("mode", ["foreign", "nowhere"])
    def test_what_comes_back_from_outside_fails_the_trial_and_is_not_shown(self, attach: Attach, mode: str) -> None:
        with pytest.raises(ToolFailure) as failed:
            attach(mode).call("search", {"query": "x"}, 10)
        assert failed.value.code == "scope_violation"
        assert not {"Gamma", "cb", "elsewhere"} & set(failed.value.message.replace("/", " ").split())

    def test_a_server_that_takes_one_collection_is_asked_for_one(self, attach: Attach) -> None:
        search = {"name": "find", "arguments": {"query": "q", "collection": "where"}, "result": HOW}
        session = attach("good", "ca", "cb", tools={"search": search})
        assert session.call("search", {"query": "x"}, 10).result.error_code == "collection_required"
        found = session.call("search", {"query": "x", "collection": "cb"}, 10).result
        assert {uri for uri, _, _ in lines(found.evidence)} == {"corpus://cb/c.md"}

    def test_a_call_before_a_task_fails(self, tmp_path: Path) -> None:
        session = Prepared(snapshot(), tmp_path, 20, config("good")).attach(20)
        try:
            with pytest.raises(ToolFailure, match="before it was given a task"):
                session.call("search", {"query": "x"}, 10)
        finally:
            session.close()


class TestTextThatIsNotTheCorpus:
    @pytest.mark.parametrize("mode", ["inexact", "shifted"])
    def test_is_no_evidence(self, attach: Attach, mode: str) -> None:
        found = attach(mode).call("search", {"query": "x"}, 10).result
        assert found.evidence == []
        assert "corpus://ca/a.md" in found.content


MISBEHAVIOUR = {
    "hang": "tool_timeout",
    "other-id": "tool_timeout",
    "die": "tool_call_failed",
    "refuses": "tool_call_failed",
    "error": "tool_call_failed",
    "garbage": "invalid_tool_result",
    "binary": "invalid_tool_result",
    "deep": "invalid_tool_result",
    "twice": "invalid_tool_result",
    "flood": "invalid_tool_result",
    "endless": "invalid_tool_result",
    "huge": "invalid_tool_result",
    "envelope": "invalid_tool_result",
    "no-structure": "invalid_tool_result",
    "number-uri": "invalid_tool_result",
    "no-uri": "invalid_tool_result",
    "list-items": "invalid_tool_result",
    "many": "invalid_tool_result",
    "hash": "invalid_tool_result",
}


@pytest.mark.parametrize("mode, code", MISBEHAVIOUR.items(), ids=MISBEHAVIOUR)
def test_misbehaviour_fails_the_call_and_not_the_harness(attach: Attach, mode: str, code: str) -> None:
    patient = 1 if code == "tool_timeout" else 30
    session = attach(mode)
    with pytest.raises(ToolFailure) as failed:
        session.call("search", {"query": "x"}, patient)
    assert failed.value.code == code
    assert "secret" not in failed.value.message


def test_after_a_broken_connection_every_call_fails_at_once(attach: Attach) -> None:
    session = attach("garbage")
    for _ in range(2):
        with pytest.raises(ToolFailure) as failed:
            session.call("search", {"query": "x"}, 10)
        assert failed.value.code == "invalid_tool_result"


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")
def test_one_that_ignores_its_end_is_ended_with_all_that_it_started(attach: Attach) -> None:
    session = attach("stubborn")
    group = session._connection._process._process.pid
    with pytest.raises(ToolFailure):
        session.call("search", {"query": "x"}, 1)
    start = time.monotonic()
    session.close()
    assert time.monotonic() - start < 6
    for _ in range(100):  # the child of a killed process is collected by somebody else
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        if _states(group) <= {"Z"}:
            return
        time.sleep(0.05)
    pytest.fail("its process group is still there")


def _states(group: int) -> set[str]:
    """States of the processes of a group, where the system tells them."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            try:
                fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group:
                found.add(fields[0])
    return found or {"?"}


PREPARATION = {
    "start-dies": "mcp_start_failed",
    "start-garbage": "mcp_start_failed",
    "start-hangs": "mcp_start_timeout",
    "list-hangs": "mcp_list_timeout",
    "list-endless": "mcp_list_failed",
    "list-missing": "mcp_tool_missing",
    "list-fields": "mcp_schema_mismatch",
    "list-demands": "mcp_schema_mismatch",
    "list-twice": "mcp_schema_mismatch",
    "list-schema": "mcp_list_failed",
}


@pytest.mark.parametrize("mode, code", PREPARATION.items(), ids=PREPARATION)
def test_preparation_fails_closed(tmp_path: Path, mode: str, code: str) -> None:
    patient = 3 if code.endswith("timeout") else 30
    assert _refused(tmp_path, config(mode), patient) == code


def test_preparation_fails_closed_before_a_server_is_there(tmp_path: Path) -> None:
    fails: Mapping[str, Any] = {"command": ["/nowhere/server"]}
    raw = {**_builtins(config("good")), **fails}
    assert _refused(tmp_path, config_of(raw), 10) == "mcp_start_failed"
    bad = config("good", prepare=[["{python}", "-c", "import sys; sys.exit('no model')"]])
    with pytest.raises(Unavailable, match="no model") as failed:
        Prepared(snapshot(), tmp_path, 20, bad)
    assert failed.value.code == "mcp_prepare_failed"
    slow = config("good", prepare=[["{python}", "-c", "import time; time.sleep(600)"]])
    assert _refused(tmp_path, slow, 2) == "mcp_prepare_failed"


def test_tools_that_change_after_the_preparation_are_refused(tmp_path: Path) -> None:
    prepared = Prepared(snapshot(), tmp_path, 20, config("list-changes"))
    with pytest.raises(Unavailable) as failed:
        prepared.attach(20)
    assert failed.value.code == "mcp_tools_changed"


def test_nothing_of_the_own_environment_reaches_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "k")
    say = "import json, os; json.dump(dict(os.environ), open('env.json', 'w'))"
    Prepared(snapshot(), tmp_path, 20, config("good", prepare=[["{python}", "-c", say]], env={"X": "{home}/x"}))
    import json

    told = json.loads((tmp_path / "env.json").read_text())
    assert "SOME_API_KEY" not in told
    home = os.path.realpath(tmp_path)
    assert (told["HOME"], told["X"]) == (home, f"{home}/x")
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"):
        assert told[name].startswith(home)


def _builtins(value: Any) -> dict[str, Any]:
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(value)
    return found


def _refused(home: Path, how: Any, timeout: float) -> str:
    with pytest.raises(Unavailable) as failed:
        Prepared(snapshot(), home, timeout, how)
    return failed.value.code
