from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import lz4.frame
import pytest
import zstandard

from irbridge import textio
from irbridge.compression import MAGIC_BYTES, decompressed
from irbridge.errors import InputError
from irbridge.source import Source
from irbridge.textio import blocks, whole

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": zstandard.ZstdCompressor().compress,
    ".lz4": lz4.frame.compress,
}
PACKED = pytest.mark.parametrize("suffix", list(PACK))
_MB = 1 << 20


def peak(action: Callable[[], object]) -> int:
    """The most bytes of Python's that were in use while it ran, beyond those before."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        action()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def bombs() -> dict[str, bytes]:
    """64 MB of zeros, in a few kilobytes (lz4: in a quarter of a megabyte)."""
    zeros = b"0" * (64 * _MB)
    return {suffix: pack(zeros) for suffix, pack in PACK.items()}


@PACKED
def test_what_a_few_bytes_become_is_never_held_whole(bombs: dict[str, bytes], suffix: str) -> None:
    data = bombs[suffix]

    def read() -> None:
        with decompressed(io.BytesIO(data), data[:MAGIC_BYTES]) as stream:
            size = 0
            while part := stream.read(_MB):
                size += len(part)
            assert size == 64 * _MB

    assert peak(read) < 24 * _MB


@PACKED
def test_a_line_that_fills_the_memory_is_refused(
    tmp_path: Path, bombs: dict[str, bytes], suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(textio, "LINE_BYTES", 8 * _MB)
    path = tmp_path / "bomb"
    path.write_bytes(PACK[suffix](b"a\nb\n") + bombs[suffix])

    def read() -> None:
        with pytest.raises(InputError, match="bomb:3: is longer than 8 MB") as raised:
            list(blocks(Source(path)))
        assert raised.value.text is not None
        assert raised.value.text.startswith("000")

    assert peak(read) < 40 * _MB


def test_a_line_at_the_limit_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textio, "LINE_BYTES", 3000)
    path = tmp_path / "long"
    path.write_bytes(b"x" * 3000 + b"\ny\n")
    assert b"".join(blocks(Source(path), 100)) == path.read_bytes()
    path.write_bytes(b"x" * 3101 + b"\ny\n")
    with pytest.raises(InputError, match="long:1: is longer than"):
        list(blocks(Source(path), 100))


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("size", [1, 3, 8, 64])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_the_number_of_a_line_that_is_too_long_is_right_whether_the_input_can_be_read_again_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bom: bytes, size: int, again: bool
) -> None:
    monkeypatch.setattr(textio, "LINE_BYTES", 100)
    path = tmp_path / "long"
    path.write_bytes(bom + b"a\n\nbc\n" + b"x" * 999 + b"\ny\n")
    source = Source(path)
    if not again:
        monkeypatch.setattr(Source, "size", None)
    with pytest.raises(InputError, match="long:4: is longer than"):
        list(blocks(source, size))


def test_formats_that_are_read_whole_know_no_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textio, "LINE_BYTES", 10)
    path = tmp_path / "long"
    path.write_bytes(b"\xef\xbb\xbf" + b"x" * 3000)
    assert whole(Source(path)) == b"x" * 3000


def test_a_dictionary_of_gigabytes_is_refused(tmp_path: Path) -> None:
    data = bytearray(lzma.compress(b"a b c\n"))
    # Property byte of LZMA2 in the block header (xz-file-format 5.3.1): 36 stands for 1 GB; its CRC is made anew.
    size = (data[12] + 1) * 4
    place = data.index(bytes([0x21, 0x01]), 12) + 2
    data[place] = 36
    data[12 + size - 4 : 12 + size] = zlib.crc32(bytes(data[12 : 12 + size - 4])).to_bytes(4, "little")
    path = tmp_path / "wide.xz"
    path.write_bytes(bytes(data))
    with pytest.raises(InputError, match="cannot be decompressed: Memory usage limit exceeded"):
        list(blocks(Source(path)))
