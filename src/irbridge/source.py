"""Bytes in: one input, opened and decompressed.

One `Source` stands for one input, whether a path, `-` (standard input) or a named pipe; what cannot be opened twice is
kept, so that sniffing a format costs nothing. Compression is told by the first bytes, not by the name.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from irbridge.compression import COMPRESSED_SUFFIXES, MAGIC_BYTES, decompressed
from irbridge.errors import InputError

HEAD_BYTES = 65536
BLOCK_BYTES = 1 << 20


class _Replayed(io.RawIOBase):
    """A stream that first gives back what was already taken from it."""

    def __init__(self, taken: bytes, rest: BinaryIO) -> None:
        self._taken = taken
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer))
        if self._taken:
            part, self._taken = self._taken[: len(view)], self._taken[len(view) :]
        else:
            # What there is, not all that fits: between two waits for a pipe a signal gets its turn.
            part = cast("io.BufferedReader", self._rest).read1(len(view)) or b""
        view[: len(part)] = part
        return len(part)

    def close(self) -> None:
        self._rest.close()
        super().close()


class Source:
    """One input: `path` is a file's path, or `-` for standard input.

    Attributes:
        path: as given.
        label: what errors call it.
        name: the file name without a compression suffix, for telling formats apart by suffix.
        watch: called with the number of bytes as they are read; None, or a progress bar's hook.
    """

    def __init__(self, path: str | os.PathLike[str], label: str | None = None) -> None:
        self.path = os.fspath(path)
        self.label = label or ("standard input" if self.path == "-" else self.path)
        self.watch: Callable[[int], None] | None = None
        self._once: BinaryIO | None = None
        self._head: bytes | None = None
        self._used = False

    @property
    def name(self) -> str:
        name = os.path.basename(self.path)
        for suffix in COMPRESSED_SUFFIXES:
            if name.lower().endswith(suffix):
                return name[: -len(suffix)]
        return name

    @property
    def is_dir(self) -> bool:
        return self.path != "-" and os.path.isdir(self.path)

    @property
    def size(self) -> int | None:
        """Size in bytes on disk, or None where it is not a regular file."""
        try:
            found = os.stat(self.path)
        except (OSError, ValueError):
            return None
        return found.st_size if self.path != "-" and stat.S_ISREG(found.st_mode) else None

    def error(
        self, message: str, *, line: int | None = None, text: str | None = None, hint: str | None = None
    ) -> InputError:
        return InputError(message, path=self.label, line=line, text=text, hint=hint)

    def head(self) -> bytes:
        """The first decompressed bytes (up to 64 KB); reading them takes nothing away."""
        if self._head is None:
            with reading(self):
                if self.size is not None:
                    with self.open() as stream:
                        self._head = _read_fully(stream, HEAD_BYTES)
                else:
                    rest = self.open()
                    self._head = _read_fully(rest, HEAD_BYTES)
                    self._once = rest
        return self._head

    def tail(self, size: int) -> bytes | None:
        """The last bytes, at most `size`, of a regular file that is not compressed; None of any other input."""
        if self.size is None:
            return None
        head = self.head()
        with reading(self), open(self.path, "rb") as stream:
            if stream.read(len(head)) != head:
                return None
            stream.seek(-min(size, stream.seek(0, os.SEEK_END)), os.SEEK_END)
            return stream.read()

    def open(self) -> BinaryIO:
        """The decompressed bytes from the start. A pipe can be opened once after `head`."""
        if self._once is not None and self._head is not None:
            once, self._once = self._once, None
            return io.BufferedReader(_Replayed(self._head, once), BLOCK_BYTES)
        if self.is_dir:
            raise self.error("is a directory, a file is needed", hint="name one file in it")
        if self._used:
            raise self.error("cannot be read a second time", hint="save it to a file and name the file")
        with reading(self), contextlib.ExitStack() as undo:
            regular = self.size is not None
            self._used = not regular
            # A descriptor of its own, so that closing what is returned leaves standard input itself open.
            raw: BinaryIO = _standard_input() if self.path == "-" else open(self.path, "rb")  # noqa: SIM115
            undo.callback(raw.close)
            start = _read_fully(raw, MAGIC_BYTES)  # not `peek`: a pipe may give a single byte at first
            whole: BinaryIO = raw
            if regular:
                raw.seek(0)
            else:
                whole = io.BufferedReader(_Replayed(start, raw), BLOCK_BYTES)
            stream = decompressed(whole, start)
            undo.pop_all()
            return stream

    def __del__(self) -> None:
        # A pipe that was looked at and then not read.
        if self._once is not None:
            self._once.close()


def _standard_input() -> BinaryIO:
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except (OSError, AttributeError):
        # Not a file: a test's, or a notebook's. io.UnsupportedOperation is an OSError.
        return io.BytesIO(sys.stdin.buffer.read() if sys.stdin is not None else b"")


def _read_fully(stream: BinaryIO, size: int) -> bytes:
    parts: list[bytes] = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


@contextlib.contextmanager
def reading(source: Source) -> Iterator[None]:
    """Turn what the operating system and the decompressors raise into an InputError that says what to do."""
    try:
        yield
    except FileNotFoundError as error:
        raise source.error("there is no such file", hint="check the path") from error
    except PermissionError as error:
        raise source.error("permission denied") from error
    except ImportError as error:
        raise source.error(f"needs a package to be decompressed: {error}") from error
    except EOFError as error:
        raise source.error(
            "the compressed file ends too early; it is truncated", hint="fetch or copy it again"
        ) from error
    except OSError as error:
        if error.errno in {errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL, errno.EIO}:
            raise source.error(os.strerror(error.errno or 0).lower()) from error
        raise source.error(f"cannot be read: {error}", hint="fetch or copy it again") from error
    except ValueError as error:
        raise source.error(f"cannot be read: {error}") from error
    except MemoryError:  # the input is whole, and has no part in it
        raise
    except Exception as error:
        # zlib, lzma, zstd and lz4 each have an error class of their own.
        if type(error).__module__.split(".")[0] in {
            "zlib",
            "_lzma",
            "lzma",
            "zstd",
            "zstandard",
            "lz4",
            "builtins",
            "_frame",
        }:
            raise source.error(f"cannot be decompressed: {error}", hint="fetch or copy it again") from error
        raise
