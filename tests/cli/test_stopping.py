"""SIGTERM and SIGHUP in the middle of a writing: an orderly end, old files as they were, and nothing half made."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

# More than a reader takes at once.
ROWS = "".join(f"q{query} Q0 d{rank} {rank} -{rank}.5 t\n" for query in range(100) for rank in range(1000)).encode()
Started = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def writing() -> Iterator[Started]:
    """The command, converting a pipe that gives some rows and then nothing; it has begun to write when this returns."""
    running: list[tuple[subprocess.Popen[bytes], int]] = []

    def start(*arguments: str, nohup: bool = False) -> subprocess.Popen[bytes]:
        os.mkfifo("slow.run")
        done = subprocess.Popen(
            [*(["nohup"] if nohup else []), sys.executable, "-m", "irbridge", "convert", "trec-run:slow.run", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        writer = os.open("slow.run", os.O_WRONLY)
        running.append((done, writer))
        view = memoryview(ROWS)
        while view:
            view = view[os.write(writer, view) :]
        deadline = time.monotonic() + 20
        while not hidden() and done.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        assert hidden(), "nothing is being written"
        return done

    yield start
    for done, writer in running:
        if done.poll() is None:
            done.kill()
        done.wait()
        for stream in (done.stdout, done.stderr):
            if stream is not None:
                stream.close()
        os.close(writer)


def hidden() -> list[str]:
    return [name for name in os.listdir() if name.startswith(".irbridge-")]


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
@pytest.mark.parametrize("target", ["file", "folder"])
def test_nothing_half_made_stays_behind(writing: Started, target: str, number: int, code: int) -> None:
    if target == "file":
        Path("out").write_text("old\n")
        done = writing("--to", "run", "-o", "out")
    else:
        Path("out").mkdir()
        Path("out/mine").write_text("old\n")
        done = writing("--to", "collection", "-o", "out", "--force")
    done.send_signal(number)
    out, err = done.communicate(timeout=20)
    assert (done.returncode, out) == (code, b"")
    assert err == b"stopped  files are as they were before\n"
    assert hidden() == []
    assert Path("out" if target == "file" else "out/mine").read_text() == "old\n"


def test_a_second_signal_does_not_disturb_the_first(writing: Started) -> None:
    done = writing("--to", "run", "-o", "out")
    for _ in range(20):
        done.send_signal(signal.SIGTERM)
    done.communicate(timeout=20)
    assert done.returncode == 143
    assert hidden() == []


def test_nohup_is_respected(writing: Started) -> None:
    done = writing("--to", "run", "-o", "out", nohup=True)
    done.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert done.poll() is None
    done.send_signal(signal.SIGTERM)
    done.communicate(timeout=20)
    assert done.returncode == 143
