"""Compression: told by a stream's first bytes when reading, by the file's suffix when writing."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterator
from typing import IO, BinaryIO, Protocol, cast

_BUFFER_BYTES = 1 << 20
# Compressed bytes taken at a time.
_READ_BYTES = 1 << 16
# zstandard hands out all that its input becomes, up to 128 KB for every three bytes: it gets so little at a time.
_LEAST_BYTES, _MOST_BYTES = 1 << 6, 1 << 10
# What a file may ask for its dictionary: eight times what xz -9 does.
_XZ_BYTES = 1 << 29

Opener = Callable[[BinaryIO], BinaryIO]


def _gzip(stream: BinaryIO) -> BinaryIO:
    import gzip

    return cast("BinaryIO", gzip.GzipFile(fileobj=stream, mode="rb"))


def _bz2(stream: BinaryIO) -> BinaryIO:
    import bz2

    return cast("BinaryIO", io.BufferedReader(_Frames(stream, bz2.BZ2Decompressor), _BUFFER_BYTES))


def _xz(stream: BinaryIO) -> BinaryIO:
    import lzma

    # Between its streams xz may have zero bytes.
    def new() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(memlimit=_XZ_BYTES)

    return cast("BinaryIO", io.BufferedReader(_Frames(stream, new, b"\0"), _BUFFER_BYTES))


def _zst(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", io.BufferedReader(_Frames(stream, _ZstFrame), _BUFFER_BYTES))


def _lz4(stream: BinaryIO) -> BinaryIO:
    import lz4.frame

    return cast("BinaryIO", lz4.frame.LZ4FrameFile(stream, "rb"))


# The first bytes that only this compression has. "BZh" alone could be a query id: a block or the end must follow.
_MAGIC: tuple[tuple[re.Pattern[bytes], str, Opener], ...] = (
    (re.compile(rb"\x1f\x8b\x08"), ".gz", _gzip),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), ".bz2", _bz2),
    (re.compile(rb"\xfd7zXZ\x00"), ".xz", _xz),
    (re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"), ".zst", _zst),  # the second: a skippable frame
    (re.compile(rb"\x04\x22\x4d\x18"), ".lz4", _lz4),
)
#: So many bytes at the start of a stream tell its compression.
MAGIC_BYTES = 10
COMPRESSED_SUFFIXES = tuple(suffix for _, suffix, _ in _MAGIC)


class _Frame(Protocol):
    """One frame that is decompressed, as bz2 and lzma have it."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _ZstFrame:
    """A frame of Zstandard, whose library knows no `max_length`; a little more than that may come."""

    def __init__(self) -> None:
        import zstandard

        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._waiting = b""
        self._step = _LEAST_BYTES

    @property
    def eof(self) -> bool:
        return self._frame.eof

    @property
    def needs_input(self) -> bool:
        return not self._waiting

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data + self._waiting

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        parts: list[bytes] = []
        taken, size, given = 0, 0, self._waiting + data
        while taken < len(given) and not self._frame.eof and size < max_length:
            part = self._frame.decompress(given[taken : taken + self._step])
            taken += self._step
            size += len(part)
            self._step = (
                max(self._step // 2, _LEAST_BYTES) if len(part) > max_length // 8 else min(self._step * 2, _MOST_BYTES)
            )
            parts.append(part)
        self._waiting = given[taken:]
        return b"".join(parts)


class _Frames(io.RawIOBase):
    """Compressed frames, one after another; what they become is held a piece at a time, however small they are.

    The readers of the standard library and of zstandard stop without a word where a second frame is damaged or the last one
    is cut off.
    """

    def __init__(self, stream: BinaryIO, new: Callable[[], _Frame], padding: bytes = b"") -> None:
        self._stream = stream
        self._new = new
        self._padding = padding
        self._frame: _Frame | None = None
        self._ready = memoryview(b"")
        self._input = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer))
        while not self._ready:
            data = b""
            if self._frame is None or self._frame.needs_input:
                data, self._input = self._input or self._stream.read(_READ_BYTES), b""
                if self._frame is None and self._padding and data:
                    data = data.lstrip(self._padding)
                    if not data:
                        continue
                if not data:
                    if self._frame is not None:
                        raise EOFError
                    return 0
            frame = self._frame = self._frame or self._new()
            self._ready = memoryview(frame.decompress(data, len(view)))
            if frame.eof:
                self._frame, self._input = None, frame.unused_data
        part, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(part)] = part
        return len(part)


class _Above(io.RawIOBase):
    """A decompressor that closes the file below it as well."""

    def __init__(self, stream: BinaryIO, below: BinaryIO) -> None:
        self._stream = stream
        self._below = below

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        return cast("io.BufferedReader", self._stream).readinto(cast("bytearray", buffer))

    def close(self) -> None:
        self._stream.close()
        self._below.close()
        super().close()


def decompressed(stream: BinaryIO, start: bytes) -> BinaryIO:
    """What `stream` holds, decompressed if `start`, its first MAGIC_BYTES, says that it is compressed."""
    opener = next((opener for magic, _, opener in _MAGIC if magic.match(start)), None)
    return stream if opener is None else io.BufferedReader(_Above(opener(stream), stream), _BUFFER_BYTES)


@contextlib.contextmanager
def compressing(raw: BinaryIO, target: str) -> Iterator[BinaryIO]:
    """A stream that writes to `raw` as the suffix of `target` asks for; equal content gives equal bytes."""
    suffix = os.path.splitext(target)[1].lower()
    wrapped: IO[bytes]
    if suffix == ".gz":
        import gzip

        wrapped = cast("IO[bytes]", gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))
    elif suffix == ".bz2":
        import bz2

        wrapped = bz2.BZ2File(raw, "wb")
    elif suffix == ".xz":
        import lzma

        wrapped = lzma.LZMAFile(raw, "wb")  # noqa: SIM115 - closed below
    elif suffix == ".zst":
        import zstandard

        wrapped = cast("IO[bytes]", zstandard.ZstdCompressor().stream_writer(raw, closefd=False))
    elif suffix == ".lz4":
        import lz4.frame

        wrapped = cast("IO[bytes]", lz4.frame.LZ4FrameFile(raw, "wb"))
    else:
        yield raw
        return
    with wrapped:
        yield cast("BinaryIO", wrapped)
