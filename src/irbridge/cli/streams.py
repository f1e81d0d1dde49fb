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


class _AtOnce(io.BufferedWriter):
    """What is written is handed on at once, all of it or with an error."""

    def write(self, data: Any, /) -> int:
        written = super().write(data)
        self.flush()
        return written


def _unbuffered(stream: TextIO) -> TextIO:
    """The stream, or one that takes its place where Python was told not to buffer (`-u`, PYTHONUNBUFFERED).

    It then asks the system once to write a text, which may take a part of it only: over 2 GB, or as the disk gets full.
    """
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(stream.buffer, io.FileIO):
        return stream
    raw = io.FileIO(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(_AtOnce(raw), stream.encoding, stream.errors, write_through=True)


def prepare() -> None:
    """Make sure that both streams are there and take any Unicode, whatever the terminal's encoding claims."""
    _fill_gaps()
    # A message that nobody can read is no failure; a result is.
    sys.stdout = _unbuffered(sys.stdout or cast("TextIO", _NoText()))
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
