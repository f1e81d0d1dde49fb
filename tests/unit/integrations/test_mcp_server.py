"""irbridge as an MCP server: its tools, its index, and its process from end to end."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.agentic_corpus import ALPHA, snapshot, task

from irbridge.agentic.adapters import ADAPTERS
from irbridge.agentic.evidence import sha256
from irbridge.errors import UsageError
from irbridge.integrations.mcp_server import Answering, index_of


@pytest.fixture
def answering() -> Iterator[Answering]:
    with index_of(snapshot()) as path:
        made = Answering(snapshot(), path)
        yield made
        made.close()


class TestAnswers:
    def test_search_names_each_line_with_its_place_and_its_hashes(self, answering: Answering) -> None:
        found, failed = answering.answer("search", {"query": "owner"})
        assert not failed
        assert found == {
            "candidates": ["corpus://ca/a.md"],
            "items": [
                {
                    "uri": "corpus://ca/a.md",
                    "startLine": 4,
                    "endLine": 4,
                    "text": "Owner: Ana",
                    "sourceHash": sha256(ALPHA),
                    "spanHash": sha256("Owner: Ana"),
                }
            ],
        }

    def test_a_candidate_that_only_its_path_names_has_no_lines(self, answering: Answering) -> None:
        found, _ = answering.answer("search", {"query": "sub"})
        assert found["items"] == [{"uri": "corpus://ca/sub/b.md"}]

    def test_all_collections_unless_some_are_named(self, answering: Answering) -> None:
        everywhere, _ = answering.answer("search", {"query": "launch"})
        assert sorted(everywhere["candidates"]) == ["corpus://ca/a.md", "corpus://cb/c.md"]
        one, _ = answering.answer("search", {"query": "launch", "collection": "cb"})
        assert one["candidates"] == ["corpus://cb/c.md"]

    def test_reads(self, answering: Answering) -> None:
        part, _ = answering.answer("get", {"uri": "corpus://ca/a.md", "fromLine": 3, "lineCount": 1})
        assert [item["text"] for item in part["items"]] == ["The launch date is 2026-09-14."]
        both, _ = answering.answer("multi_get", {"uris": ["corpus://cb/c.md", "corpus://cb/none"]})
        assert (both["read"], both["notFound"]) == (["corpus://cb/c.md"], ["corpus://cb/none"])

    @pytest.mark.parametrize(
        "tool, arguments, code",
        [
            ("search", {}, "invalid_arguments"),
            ("search", {"query": 1}, "invalid_arguments"),
            ("search", {"query": "x", "surprise": 1}, "invalid_arguments"),
            ("delete", {}, "invalid_arguments"),
            ("search", {"query": "x", "collection": "nowhere"}, "scope_violation"),
            ("get", {"uri": "corpus://ca/none"}, "not_found"),
            ("get", {"uri": "../../etc/passwd"}, "not_found"),
            ("get", {"uri": "corpus://ca/a.md", "fromLine": 99}, "line_out_of_range"),
        ],
    )
    def test_what_cannot_be_done_is_an_error_with_a_code(
        self, answering: Answering, tool: str, arguments: Any, code: str
    ) -> None:
        found, failed = answering.answer(tool, arguments)
        assert (failed, found["error"]) == (True, code)


class TestIndex:
    def test_it_is_kept_and_used_again_while_the_corpus_is_the_same(self, tmp_path: Path) -> None:
        path = str(tmp_path / "index")
        with index_of(snapshot(), path):
            first = Path(path).stat().st_mtime_ns
        with index_of(snapshot(), path):
            assert Path(path).stat().st_mtime_ns == first
        assert [each.name for each in tmp_path.iterdir()] == ["index"]

    def test_of_another_corpus_it_is_built_anew(self, tmp_path: Path) -> None:
        from types import MappingProxyType

        from support.agentic_corpus import source

        from irbridge.agentic.snapshot import CorpusSnapshot

        path = str(tmp_path / "index")
        with index_of(snapshot(), path):
            pass
        other = CorpusSnapshot((source("x", "y", "zebra"),), MappingProxyType({"x": "corpus"}))
        with index_of(other, path):
            made = Answering(other, path)
            assert made.answer("search", {"query": "zebra"})[0]["candidates"] == ["corpus://x/y"]
            made.close()

    def test_no_other_file_is_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.md").write_text("mine")
        sqlite3.connect(tmp_path / "other.db").close()
        with (
            pytest.raises(UsageError, match="is no index of irbridge"),
            index_of(snapshot(), str(tmp_path / "thesis.md")),
        ):
            pass
        assert (tmp_path / "thesis.md").read_text() == "mine"
        with pytest.raises(UsageError, match="cannot be written"), index_of(snapshot(), str(tmp_path / "no" / "index")):
            pass


def test_the_real_process_from_end_to_end(tmp_path: Path) -> None:
    prepared = ADAPTERS.get("mcp").prepare(snapshot(), tmp_path, 60, {})
    assert (tmp_path / "data" / "index").exists()
    session = prepared.attach(60)
    try:
        session.probe(task())
        session.reset(task())
        found = session.call("search", {"query": "launch date", "collection": "ca"}, 30)
        assert found.backend_invocations == 1
        assert [(each.uri, each.start_line) for each in found.result.evidence] == [("corpus://ca/a.md", 3)]
        read = session.call("get", {"uri": "corpus://ca/sub/b.md"}, 30).result
        assert [each.text for each in read.evidence] == ["# Beta", "Budget: 4200 euro"]
        many = session.call("multi_get", {"uris": ["corpus://ca/a.md", "corpus://ca/sub/b.md"]}, 30).result
        assert [each.start_line for each in many.evidence] == [1, 3, 4, 1, 3]
    finally:
        session.close()
    assert not list((tmp_path / "tmp").iterdir())


def test_it_speaks_the_protocol_and_nothing_else(tmp_path: Path) -> None:
    snapshot().materialize(tmp_path)
    handshake = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "get", "arguments": {"uri": "x"}}},
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "irbridge", "mcp", "serve", "--fixture", str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    answers = {}
    for message in asked:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
        if "id" in message:
            answer = json.loads(process.stdout.readline())
            answers[answer["id"]] = answer["result"]
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "", "")
    assert answers[1]["serverInfo"]["name"] == "irbridge"
    assert answers[1]["capabilities"] == {"tools": {"listChanged": False}}
    assert [tool["name"] for tool in answers[2]["tools"]] == ["get", "multi_get", "search"]
    assert all(tool["annotations"]["readOnlyHint"] for tool in answers[2]["tools"])
    assert answers[3]["isError"] is True
    assert json.loads(answers[3]["content"][0]["text"]) == answers[3]["structuredContent"]


def test_it_starts_without_what_other_commands_need(tmp_path: Path) -> None:
    snapshot().materialize(tmp_path)
    code = (
        "import sys\nfrom irbridge.cli.main import run\n"
        f"run(['mcp', 'serve', '--fixture', {str(tmp_path)!r}])\n"
        "heavy = {'numpy', 'pandas', 'scipy', 'ir_datasets', 'ir_measures', 'pyarrow', 'rich'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input="", capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
