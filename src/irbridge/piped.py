"""Pipes that can be read as often as files: what comes out of one is kept while it is read.

Most workflows read an input once. Some find out on the way that they have to begin again (a query's rows are scattered),
or read it for one part after another. What has come out of the pipe is kept for them: in memory up to 16 MB, beyond that
in a temporary file without a name, in the folder that TMPDIR names. So memory stays bounded, and the disk holds what the
pipe gave, decompressed, as long as the input is in use.
"""

from __future__ import annotations

import io
import os
import stat
from typing import TYPE_CHECKING, BinaryIO, cast

from irbridge.source import BLOCK_BYTES, Source

if TYPE_CHECKING:
    from tempfile import SpooledTemporaryFile

IN_MEMORY = 1 << 24


def is_pipe(path: str) -> bool:
    """Whether `path` is standard input, a named pipe, or what a shell's process substitution makes."""
    if path == "-":
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


class Pipe(Source):
    """A pipe as a source that can be opened again, also while it is being read.

    Args:
        path: as for `Source`.
        format_name: the format that was named in front of it, or None.
    """

    def __init__(self, path: str, format_name: str | None = None) -> None:
        super().__init__(path)
        self.format_name = format_name
        self._kept: SpooledTemporaryFile[bytes] | None = None
        self._length = 0
        self._rest: io.BufferedReader | None = None

    def open(self) -> BinaryIO:
        """The decompressed bytes from the start, as often as wanted."""
        if self._kept is None:
            import tempfile

            self._rest = cast("io.BufferedReader", super().open())
            self._kept = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it lives as long as the source
        return cast("BinaryIO", io.BufferedReader(_Again(self), BLOCK_BYTES))

    def part(self, start: int, size: int) -> bytes:
        """At most `size` bytes from `start` on, which was reached before; empty at the end."""
        kept = cast("SpooledTemporaryFile[bytes]", self._kept)
        if start < self._length:
            kept.seek(start)
            return kept.read(min(size, self._length - start))
        fresh = b"" if self._rest is None else self._rest.read1(size)
        if fresh:
            try:
                kept.seek(self._length)
                kept.write(fresh)
            except OSError as error:
                raise self.error(
                    f"cannot be kept while it is read: {os.strerror(error.errno or 0).lower()}",
                    hint="set TMPDIR to a folder with more room, or save it to a file and name the file",
                ) from error
            self._length += len(fresh)
        elif self._rest is not None:
            self._rest.close()
            self._rest = None
        return fresh

    def __del__(self) -> None:
        for stream in (self._rest, self._kept):
            if stream is not None:
                stream.close()


class _Again(io.RawIOBase):
    """One reading of a pipe."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer))
        found = self._pipe.part(self._at, len(view))
        view[: len(found)] = found
        self._at += len(found)
        return len(found)
