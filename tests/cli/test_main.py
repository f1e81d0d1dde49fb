"""What holds for the command as a whole: finding commands, colours, exits, and how it behaves when things break."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from irbridge import __version__
from irbridge.cli import main as program

Irbridge = Callable[..., Any]
SCORE = ("score", "--judgments", "a.qrels", "--run", "a.run", "-m", "RR")


def started(*arguments: str, **settings: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "irbridge", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)


def on_a_terminal(arguments: Sequence[str], **variables: str) -> str:
    """What a person sees: the command on a pseudo-terminal of 80 columns."""
    pid, descriptor = pty.fork()
    if pid == 0:  # pragma: no cover - another process
        os.environ.update({"COLUMNS": "80", "TERM": "xterm", **variables})
        os.execv(sys.executable, [sys.executable, "-m", "irbridge", *arguments])
    seen = b""
    try:
        while part := os.read(descriptor, 65536):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.waitpid(pid, 0)
    os.close(descriptor)
    return seen.decode().replace("\r\n", "\n")


def test_version(irbridge: Irbridge) -> None:
    assert irbridge("--version") == (0, f"irbridge {__version__}\n", "")


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_every_command(irbridge: Irbridge, arguments: tuple[str, ...]) -> None:
    done = irbridge(*arguments)
    assert done.code == 0
    assert all(re.search(rf"^  {name} +\S", done.out, re.MULTILINE) for name in program.names())


def test_an_unknown_command_gets_a_neighbour(irbridge: Irbridge) -> None:
    done = irbridge("scroe")
    assert done == (
        2,
        "",
        "error  'scroe' is not a command; did you mean score?\n       try  irbridge --help lists them\n",
    )


def test_python_dash_m_is_the_same_command() -> None:
    done = started("--version")
    assert done.communicate()[0] == f"irbridge {__version__}\n".encode()


# -------------------------------------------------------------------------------------------------------------- colours


def test_no_colour_in_a_pipe(irbridge: Irbridge) -> None:
    assert "\x1b" not in irbridge(*SCORE).out


@pytest.mark.parametrize("place", [0, 1])
def test_colour_can_be_forced_on_either_side_of_the_name(irbridge: Irbridge, place: int) -> None:
    arguments = list(SCORE)
    arguments[place:place] = ["--color", "always"]
    assert "\x1b[" in irbridge(*arguments).out


def test_colour_on_a_terminal_unless_no_color_says_no() -> None:
    coloured = on_a_terminal(SCORE)
    assert "\x1b[" in coloured
    assert "\x1b[" not in on_a_terminal(SCORE, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(("--color", "never", *SCORE))
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == on_a_terminal(SCORE, NO_COLOR="1")


def test_a_terminal_of_80_columns_is_not_overrun() -> None:
    Path("d.qrels").write_text("".join(f"a-rather-long-query-id-{number} 0 d1 {number % 3}\n" for number in range(40)))
    Path("d.run").write_text("a-rather-long-query-id-1 Q0 d1 1 2 t\na-rather-long-query-id-1 Q0 d1 2 1 t\n")
    command = ("score", "--judgments", "d.qrels", "--run", "d.run", "-m", "nDCG@10 ndcg@10", "--duplicates", "first")
    seen = on_a_terminal(command, NO_COLOR="1")
    assert "convention" in seen
    assert max(len(line) for line in seen.splitlines()) <= 80


# --------------------------------------------------------------------------------------------------------- broken things


def test_a_reader_that_has_enough_is_no_error() -> None:
    with started("datasets") as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.read(10)
        done.stdout.close()
        assert done.stderr.read() == b""
        assert done.wait() == 141


def test_an_interrupt_is_quiet() -> None:
    os.mkfifo("slow.run")
    done = started("score", "--judgments", "a.qrels", "--run", "trec-run:slow.run")
    # The command waits for somebody to write into the pipe.
    deadline = time.monotonic() + 20
    writer = -1
    while writer < 0 and time.monotonic() < deadline:
        try:
            writer = os.open("slow.run", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    time.sleep(0.3)
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=20)
    os.close(writer)
    assert done.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


def test_the_unexpected_is_short_and_can_be_looked_into(irbridge: Irbridge, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh\x1b[31m")

    monkeypatch.setattr("irbridge.assessment.assess_runs", broken)
    done = irbridge(*SCORE)
    assert done.code == 2
    assert done.out == ""
    assert "ZeroDivisionError: oh\\x1b[31m" in done.err
    assert "IRBRIDGE_DEBUG=1" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("IRBRIDGE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        irbridge(*SCORE)


def test_a_full_disk_is_said() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "irbridge", "measures"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert b"no space left" in done.stderr
    assert b"Traceback" not in done.stderr


def test_ids_cannot_send_control_codes_to_the_terminal(irbridge: Irbridge) -> None:
    Path("e.qrels").write_text("q\x1b[31m 0 d1 1\nq2 0 d1 1\n")
    done = irbridge("score", "--judgments", "e.qrels", "--run", "a.run", "-m", "RR")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "q\\x1b[31m" in done.out


def test_any_text_can_be_shown_in_an_ascii_locale() -> None:
    Path("u.qrels").write_text("q→日本 0 d1 1\nq2 0 d4 1\n", encoding="utf-8")
    variables = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = started("score", "--judgments", "u.qrels", "--run", "a.run", "-m", "RR", env=variables)
    out, err = done.communicate()
    assert done.returncode == 0, err
    assert "q→日本" in out.decode("utf-8")
