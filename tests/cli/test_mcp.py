"""`irbridge mcp serve`, as far as it says something itself; what it serves: tests/unit/integrations/test_mcp_server.py."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]


def test_the_group_lists_its_command(irbridge: Irbridge) -> None:
    done = irbridge("mcp")
    assert done.code == 0
    assert "serve" in done.out
    assert "--fixture" in irbridge("mcp", "serve", "--help").out


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "nothing to serve"),
        (("--corpus", "-"), "standard input is the client's"),
        (("-",), "standard input is the client's"),
        (("--fixture", "f", "--corpus", "c"), "--fixture is a corpus by itself"),
        (("--fixture", "nowhere"), "cannot be read"),
        (("nowhere.jsonl",), "nowhere.jsonl"),
        (("a.qrels",), "holds labels and no texts"),
        (("--corpus", "notes", "--uri-scheme", "My Scheme"), "no scheme of a URI"),
        (("--corpus", "notes", "--index", "a.qrels"), "is no index of irbridge"),
    ],
)
def test_what_it_cannot_serve(irbridge: Irbridge, arguments: tuple[str, ...], message: str) -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text("text\n")
    done = irbridge("mcp", "serve", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""


def test_without_the_sdk_it_says_how_to_get_it(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text("text\n")
    for name in [name for name in sys.modules if name.partition(".")[0] in {"mcp", "mcp_types"}]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = irbridge("mcp", "serve", "--corpus", "notes")
    assert done.code == 2
    assert "mcp is not installed" in done.err
    assert "pip install 'irbridge[mcp]'" in done.err


def test_it_ends_when_its_input_does() -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text("text\n")
    command = [sys.executable, "-m", "irbridge", "mcp", "serve", "--corpus", "notes"]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_garbage_on_its_input_is_answered_and_does_not_end_it() -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text("text\n")
    command = [sys.executable, "-m", "irbridge", "mcp", "serve", "--corpus", "notes"]
    lines = io.StringIO("not json\n{}\n[1]\n")
    done = subprocess.run(command, input=lines.getvalue(), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_at_once_and_leaves_nothing(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("notes").mkdir()
    Path("notes/a.md").write_text("text\n")
    Path("tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(Path("tmp").resolve()))
    command = [sys.executable, "-m", "irbridge", "mcp", "serve", "--corpus", "notes"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    handshake = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake}) + "\n")
    process.stdin.flush()
    assert "irbridge" in process.stdout.readline()
    assert len(list(Path("tmp").iterdir())) == 1
    process.send_signal(number)
    try:
        assert process.wait(10) == 128 + number
    finally:
        process.kill()
        out, err = process.communicate()
    assert (out, err) == ("", "")
    assert list(Path("tmp").iterdir()) == []
