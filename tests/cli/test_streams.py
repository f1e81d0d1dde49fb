"""Standard output and standard error that are closed or full: an exit code that fits, words where they can be read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCORE = "score --judgments a.qrels --run a.run -m RR"
CONVERT = "convert a.qrels --to judgments"
BAD = "score --judgments absent --run a.run"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a POSIX shell redirects")


def shell(command: str, redirection: str) -> subprocess.CompletedProcess[str]:
    line = f"exec {sys.executable} -m irbridge {command} {redirection}"
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)


def full(redirection: str) -> str:
    if "/dev/full" in redirection and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    return redirection


@pytest.mark.parametrize("redirection, why", [(">&-", "closed"), (">/dev/full", "no space left on device")])
@pytest.mark.parametrize(
    "command", [SCORE, f"{SCORE} --json", CONVERT, "--help", "score --help", "--version", "measures"]
)
def test_a_result_that_nobody_gets_is_an_error(command: str, redirection: str, why: str) -> None:
    done = shell(command, full(redirection))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error  standard output: ")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize("command, code", [(SCORE, 0), (CONVERT, 0), (BAD, 2), ("score", 2), ("nope", 2)])
def test_a_message_that_nobody_can_read_changes_nothing(command: str, code: int, redirection: str) -> None:
    done = shell(command, full(redirection))
    assert (done.returncode, done.stderr) == (code, "")
    assert bool(done.stdout) == (code == 0)


@pytest.mark.parametrize("redirection", [">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_both(redirection: str) -> None:
    assert shell(SCORE, full(redirection)).returncode == 2
    assert shell(BAD, full(redirection)).returncode == 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_result_of_which_a_part_is_written_is_an_error(unbuffered: str) -> None:
    # A file may get 512 bytes, or 1,024 on some systems; the list of measures is longer.
    line = f"ulimit -f 1; PYTHONUNBUFFERED={unbuffered} exec {sys.executable} -m irbridge measures --json > part.json"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert Path("part.json").stat().st_size <= 1024
    assert (done.returncode, "file too large" in done.stderr) == (2, True)


def test_a_file_does_not_take_the_place_of_a_closed_stream() -> None:
    done = shell("convert a.qrels --to judgments -o out.jsonl", ">&- 2>&-")
    assert done.returncode == 2  # the summary had no place to go
    assert Path("out.jsonl").read_text().count("\n") == 4


def test_a_closed_standard_input_is_empty() -> None:
    done = shell("convert - --to judgments", "<&-")
    assert done.returncode == 2
    assert done.stderr.startswith("error  standard input: is empty")
