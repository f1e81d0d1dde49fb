"""A program driven line by line: what it says, what it may not, and that it ends."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from irbridge.agentic import processes
from irbridge.agentic.processes import LineProcess, ProcessFailure, environment, run_to_end

ECHO = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"


def started(code: str) -> LineProcess:
    return LineProcess([sys.executable, "-c", code])


def failure(process: LineProcess) -> str:
    with pytest.raises(ProcessFailure) as failed:
        process.receive(10)
    return failed.value.code


def test_a_value_goes_out_and_comes_back() -> None:
    process = started(ECHO)
    try:
        process.send({"b": [1, "é"], "a": None})
        assert process.receive(10) == {"b": [1, "é"], "a": None}
    finally:
        process.close()


def test_what_is_no_answer_in_time() -> None:
    process = started("import time; time.sleep(60)")
    try:
        with pytest.raises(TimeoutError):
            process.receive(0.1)
    finally:
        process.close()


@pytest.mark.parametrize(
    "code, expected",
    [
        ("", "ended"),
        ("print('hello')", "invalid_json"),
        ('print(\'{"a":1,"a":2}\')', "invalid_json"),
        ("import sys; sys.stdout.buffer.write(bytes([255, 10]))", "invalid_json"),
        ("print('[' * 100000)", "invalid_json"),
        (f"print('x' * {processes.LONGEST + 1})", "line_too_long"),
    ],
)
def test_what_is_no_answer_at_all(code: str, expected: str) -> None:
    process = started(code)
    try:
        assert failure(process) == expected
    finally:
        process.close()


def test_after_its_end_every_question_says_so() -> None:
    process = started("")
    try:
        assert [failure(process), failure(process)] == ["ended", "ended"]
        with pytest.raises(ProcessFailure, match="no longer reads"):
            process.send("x" * 1_000_000)
    finally:
        process.close()


def test_a_flood_waits_and_fills_no_memory() -> None:
    process = started("while True: print('x' * 10000, flush=True)")
    try:
        time.sleep(0.3)
        assert process._lines.qsize() <= 8
    finally:
        start = time.monotonic()
        process.close()
    assert time.monotonic() - start < 4


@pytest.mark.parametrize("command", [[], ["/nowhere/at/all"], ["a\0b"]])
def test_what_cannot_start(command: list[str]) -> None:
    with pytest.raises(ProcessFailure) as failed:
        LineProcess(command)
    assert failed.value.code == "start_failed"


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")
def test_children_that_ignore_the_end_of_their_parent_end_too(tmp_path: Path) -> None:
    child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
    code = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
        "print('1', flush=True)\nsys.exit(0)"
    )
    process = started(code)
    assert process.receive(10) == 1
    pid = int((tmp_path / "pid").read_text())
    process.close()
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.05)
    pytest.fail("the child is still there")


@pytest.mark.skipif(sys.platform == "win32", reason="sessions are POSIX's")
def test_a_child_that_left_for_a_session_of_its_own_delays_nothing_though_it_holds_the_output(tmp_path: Path) -> None:
    """It is not reached by the end of its parent's group, which the contract says; nothing waits for it either."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True)\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
        "print('1', flush=True)"
    )
    process = started(code)
    assert process.receive(10) == 1
    pid = int((tmp_path / "pid").read_text())
    try:
        start = time.monotonic()
        process.close()
        assert time.monotonic() - start < 10
        assert alive(pid)
    finally:
        os.kill(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_whoever_waits_for_a_line_is_told_of_the_end() -> None:
    import threading

    process = started("import time; time.sleep(600)")
    said: list[str] = []

    def wait() -> None:
        try:
            process.receive_line(None)
        except ProcessFailure as error:
            said.append(error.code)

    waiting = threading.Thread(target=wait)
    waiting.start()
    process.close()
    waiting.join(5)
    assert said == ["ended"]


def test_a_program_run_to_its_end() -> None:
    assert run_to_end([sys.executable, "-c", "print('done')"], 10).strip() == "done"
    with pytest.raises(ProcessFailure, match="no such model") as failed:
        run_to_end([sys.executable, "-c", "import sys; sys.exit('no such model')"], 10)
    assert failed.value.code == "failed"
    with pytest.raises(ProcessFailure) as slow:
        run_to_end([sys.executable, "-c", "import time; time.sleep(600)"], 0.3)
    assert slow.value.code == "timeout"
    with pytest.raises(ProcessFailure) as absent:
        run_to_end(["/nowhere/at/all"], 1)
    assert absent.value.code == "start_failed"


def test_the_environment_names_no_key_and_one_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("HOME", "/somebody")
    found = environment(tmp_path, {"EXTRA": "1"})
    assert "OPENAI_API_KEY" not in found
    assert found["HOME"] == str(tmp_path)
    assert found["XDG_CACHE_HOME"] == os.path.join(str(tmp_path), "cache")
    assert found["EXTRA"] == "1"
