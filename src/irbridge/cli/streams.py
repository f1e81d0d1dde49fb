"""Standard output and standard error as they may be: closed, full, or read by somebody who has had enough."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO, cast


class _NoBytes(io.RawIOBase):
    """What is written to a closed standard output fails, as it does in the shell's own commands."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(errno.EBADF, "it is closed")


class _NoText(io.TextIOBase):
    """The same for text."""

    def __init__(self) -> None:
        self.buffer = _NoBytes()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


def prepare() -> None:
    """Make sure that both streams are there and take any Unicode, whatever the terminal's encoding claims."""
    _fill_gaps()
    # A message that nobody can read is no failure; a result is.
    sys.stdout = sys.stdout or cast("TextIO", _NoText())
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            settings: dict[str, Any] = {} if stream.isatty() else {"encoding": "utf-8", "newline": "\n"}
            stream.reconfigure(errors="backslashreplace", **settings)


def _fill_gaps() -> None:
    """Open the null device in place of each closed stream, so that no file that is opened next gets its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def silence(stream: TextIO) -> None:
    """Let what is still buffered go nowhere, so that it fails no second time when the process ends."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def why(error: OSError) -> str:
    """What the system says of a failed write, in words."""
    return (error.strerror or str(error)).lower()
