"""A program driven line by line: each line within a time and a size, and the program ended for certain.

Ended are the program and what it started in its process group. What left that for a session of its own (`setsid`, as daemons
do) is no child of anybody here, and no portable call finds it: it outlives the run. Nothing waits for it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.strict_json import strict_json
from irbridge.errors import InputError, IrbridgeError

#: The longest line that is taken from a program, in bytes.
LONGEST = 4 << 20
#: Lines that wait to be looked at; a program that floods its output waits too.
_WAITING = 8
#: How much of what a program printed is kept by `run_to_end`, in bytes.
_PRINTED = 1 << 20
#: So many bytes of a program's standard error are remembered.
_LAST_WORDS = 4096
#: What a program inherits of the environment: what it needs to start, and nothing that names a key or a person.
INHERITED = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "VIRTUAL_ENV")


class ProcessFailure(IrbridgeError):
    """The program did not start, ended, or answered with something that is no line of JSON. `code` is closed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def environment(home: str | os.PathLike[str], extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment whose home, configuration, cache and data all lie in `home`."""
    found = {name: os.environ[name] for name in INHERITED if name in os.environ}
    place = os.fspath(home)
    for name, folder in (
        ("HOME", ""), ("USERPROFILE", ""), ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
        ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"),
    ):  # fmt: skip
        found[name] = os.path.join(place, folder) if folder else place
    return {**found, **(extra or {})}


class LineProcess:
    """A running program.

    Args:
        command: program and arguments; no shell.
        cwd: the folder it works in.
        env: its whole environment; None for this process's own.

    Raises:
        ProcessFailure: start_failed.
    """

    def __init__(
        self, command: Sequence[str], *, cwd: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self._process = _started(command, cwd, env, subprocess.PIPE, subprocess.PIPE, subprocess.PIPE)
        self._said = b""
        self._lines: queue.Queue[bytes | None] = queue.Queue(_WAITING)
        self._closing = threading.Event()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        _RUNNING.add(self)

    def _listen(self) -> None:
        """Keep the end of what it says on its standard error, which must not fill up."""
        stream = self._process.stderr
        with contextlib.suppress(OSError, ValueError):
            while stream is not None and (part := os.read(stream.fileno(), 1 << 16)):
                self._said = (self._said + part)[-_LAST_WORDS:]
        self._leave(stream)

    def _failure(self, code: str, message: str) -> ProcessFailure:
        """The failure, with the last line that the program wrote to its standard error, if it wrote one."""
        self._listener.join(0.2)
        lines = [line.strip() for line in self._said.decode("utf-8", "replace").splitlines()]
        last = next((line for line in reversed(lines) if line), "")
        return ProcessFailure(code, f"{message}; it said: {last[:160]}" if last else message)

    def _read(self) -> None:
        stream = self._process.stdout
        with contextlib.suppress(OSError, ValueError):
            while stream is not None and (line := stream.readline(LONGEST + 1)):
                self._put(line)
                if len(line) > LONGEST:
                    break
        self._put(None)
        self._leave(stream)

    def _leave(self, stream: Any) -> None:
        """Close a pipe that `close` had to leave open, because something that outlived the program still held it."""
        if self._closing.is_set():
            _shut(stream)

    def _put(self, line: bytes | None) -> None:
        """Hand a line on; while the program is being closed it is thrown away, so that nothing waits for a reader."""
        while not self._closing.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.05)
                return

    def send(self, value: Any) -> None:
        """Write a value as one line.

        Raises:
            ProcessFailure: ended: it no longer reads.
        """
        self.send_line(canonical_json(value).encode() + b"\n")

    def send_line(self, line: bytes) -> None:
        """Write a line, its end included; blocks while the program does not read.

        Raises:
            ProcessFailure: ended: it no longer reads.
        """
        stream = self._process.stdin
        try:
            if stream is not None:
                stream.write(line)
                stream.flush()
        except (OSError, ValueError) as error:
            raise self._failure("ended", "it no longer reads what it is sent") from error

    def receive_line(self, timeout: float | None) -> bytes:
        """Its next line, with its end.

        Raises:
            TimeoutError: there was none in time.
            ProcessFailure: ended or line_too_long.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            with contextlib.suppress(queue.Full):
                self._lines.put_nowait(None)
            raise self._failure("ended", "it ended, or closed its output")
        if len(line) > LONGEST:
            raise self._failure("line_too_long", f"a line of more than {LONGEST:,} bytes")
        return line

    def receive(self, timeout: float) -> Any:
        """The value of its next line.

        Raises:
            TimeoutError: there was none in time.
            ProcessFailure: ended, line_too_long, or invalid_json.
        """
        try:
            return strict_json(self.receive_line(timeout))
        except InputError as error:
            raise self._failure("invalid_json", error.message) from error

    def close(self) -> None:
        """End it and its process group: its input is closed, then it is asked, then it is killed.

        Its exit is not collected before the kill, so that its number, which is its group's too, is still its own.
        """
        self._closing.set()
        closer = threading.Thread(target=_shut, args=(self._process.stdin,), daemon=True)  # a full pipe blocks it
        closer.start()
        self._reader.join(0.5)  # the end of its output is how a program that obeys shows that it ended
        if self._reader.is_alive():
            _signal(self._process, "SIGTERM")
            self._reader.join(1)
        self.kill()
        closer.join(1)
        self._reader.join(1)
        self._listener.join(1)
        for thread, stream in ((self._reader, self._process.stdout), (self._listener, self._process.stderr)):
            if not thread.is_alive():
                _shut(stream)

    def kill(self) -> None:
        """End it and its process group at once."""
        self._closing.set()
        if self._process.returncode is None:
            _signal(self._process, "SIGKILL")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(2)
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(None)  # whoever waits for a line learns that there is none
        _RUNNING.discard(self)


#: Programs that run: those whose owner was left behind by a limit on its time end with this process.
_RUNNING: weakref.WeakSet[LineProcess] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for process in list(_RUNNING):
        process.kill()


def run_to_end(
    command: Sequence[str],
    timeout: float,
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """What a program printed, at most a million bytes of it.

    Raises:
        ProcessFailure: start_failed, timeout, or failed (with the end of what it said).
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        process = _started(command, cwd, env, subprocess.DEVNULL, out, said)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise ProcessFailure("timeout", f"{command[0]} was not done after {timeout:g} s") from None
        finally:
            _signal(process, "SIGKILL")
            process.wait()
        if code != 0:
            size = said.seek(0, os.SEEK_END)
            said.seek(max(0, size - 400))
            why = said.read().decode(errors="replace").strip()
            raise ProcessFailure("failed", f"{command[0]} ended with {code}: {why}")
        out.seek(0)
        return out.read(_PRINTED).decode(errors="replace")


def _started(
    command: Sequence[str],
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str] | None,
    stdin: Any,
    stdout: Any,
    stderr: Any,
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=cwd,
            env=None if env is None else dict(env),
            start_new_session=sys.platform != "win32",  # so that what it starts in turn, in its group, ends with it
        )
    except (OSError, ValueError, IndexError) as error:
        raise ProcessFailure("start_failed", f"cannot start {command[0] if command else 'nothing'}: {error}") from error


def _signal(process: subprocess.Popen[bytes], how: str) -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, getattr(signal, how))


def _shut(stream: Any) -> None:
    with contextlib.suppress(OSError, ValueError):
        if stream is not None:
            stream.close()
