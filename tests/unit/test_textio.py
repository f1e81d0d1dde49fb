from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lz4.frame
import pytest
import zstandard

from irbridge.atomic import atomic_write
from irbridge.errors import InputError
from irbridge.source import Source
from irbridge.textio import blocks, decode, has_bom, line_blocks, lines, text_blocks

TEXT = "".join(f"q{number} 0 dokument-é{number} 1\n" for number in range(20_000)).encode()

PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
    ".lz4": lz4.frame.compress,
}
PACKED = pytest.mark.parametrize("suffix", list(PACK))


def content(source: Source) -> bytes:
    with source.open() as stream:
        return stream.read()


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Callable[[bytes], Path]]:
    """A named pipe that gives the bytes once."""
    threads: list[threading.Thread] = []

    def make(data: bytes) -> Path:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        threads.append(threading.Thread(target=path.write_bytes, args=(data,)))
        threads[-1].start()
        return path

    yield make
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


class TestReading:
    def test_a_plain_file_can_be_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "a.run"
        path.write_bytes(TEXT)
        source = Source(path)
        assert source.head() == TEXT[:65536]
        assert content(source) == content(source) == TEXT
        assert (source.name, source.size, source.label) == ("a.run", len(TEXT), str(path))

    @PACKED
    def test_compression_is_told_by_the_bytes_not_the_name(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / "noname"
        path.write_bytes(PACK[suffix](TEXT))
        source = Source(path)
        assert source.head() == TEXT[:65536]
        assert content(source) == TEXT

    @PACKED
    def test_the_name_loses_the_suffix_of_compression(self, suffix: str) -> None:
        assert Source(f"folder/x.run{suffix.upper()}").name == "x.run"

    @PACKED
    def test_a_compressed_file_of_nothing_is_empty(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / "x"
        path.write_bytes(PACK[suffix](b""))
        assert Source(path).head() == b""
        assert list(blocks(Source(path))) == []

    @PACKED
    def test_several_streams_in_one_file_are_all_read(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / "x"
        path.write_bytes(PACK[suffix](TEXT) + PACK[suffix](b"end\n"))
        assert content(Source(path)) == TEXT + b"end\n"

    @PACKED
    @pytest.mark.parametrize("kept", [0.5, 0.999])
    def test_a_truncated_file_is_refused_not_cut_short(self, tmp_path: Path, suffix: str, kept: float) -> None:
        path = tmp_path / f"x{suffix}"
        whole = PACK[suffix](TEXT)
        path.write_bytes(whole[: int(len(whole) * kept)])
        with pytest.raises(InputError, match="truncated") as raised:
            list(blocks(Source(path)))
        assert raised.value.path == str(path)
        assert raised.value.hint == "fetch or copy it again"

    @PACKED
    def test_a_damaged_file_is_refused(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"x{suffix}"
        whole = bytearray(PACK[suffix](TEXT))
        middle = len(whole) // 2
        whole[middle : middle + 40] = bytes(40)
        path.write_bytes(bytes(whole))
        with pytest.raises(InputError) as raised:
            list(blocks(Source(path)))
        assert raised.value.path == str(path)

    @pytest.mark.parametrize("start", [b"BZh1 0 d 1\n", b"\x1f\x8bx", b"P*q", b""])
    def test_text_that_starts_like_a_compression_is_text(self, tmp_path: Path, start: bytes) -> None:
        path = tmp_path / "x"
        path.write_bytes(start + b"rest")
        assert content(Source(path)) == start + b"rest"

    def test_a_skippable_frame_before_zstandard_is_skipped(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        # RFC 8878, 3.1.2: magic 0x184D2A50, a length of 4, four bytes.
        path.write_bytes(b"\x50\x2a\x4d\x18\x04\x00\x00\x00seek" + PACK[".zst"](TEXT))
        assert content(Source(path)) == TEXT

    @pytest.mark.parametrize("suffix", ["", *PACK])
    def test_a_pipe_can_be_looked_at_and_then_read_once(self, pipe: Callable[[bytes], Path], suffix: str) -> None:
        source = Source(pipe(PACK[suffix](TEXT) if suffix else TEXT))
        assert source.size is None
        assert source.head() == TEXT[:65536]
        assert b"".join(blocks(source)) == TEXT
        assert source.head() == TEXT[:65536]
        with pytest.raises(InputError, match="cannot be read a second time"):
            source.open()

    def test_a_pipe_without_a_look_is_read_once_too(self, pipe: Callable[[bytes], Path]) -> None:
        source = Source(pipe(TEXT))
        assert b"".join(blocks(source)) == TEXT
        with pytest.raises(InputError, match="cannot be read a second time"):
            source.open()

    @pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
    def test_standard_input_that_arrives_byte_by_byte(self, suffix: str) -> None:
        data = b"q1 0 d1 1\n" * 3
        program = (
            "import sys\nfrom irbridge.textio import Source, blocks\n"
            "source = Source('-')\nassert source.head(), source.label\n"
            "sys.stdout.buffer.write(b''.join(blocks(source)))\n"
            "assert not sys.stdin.closed"
        )
        child = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert child.stdin is not None
        assert child.stdout is not None
        for byte in PACK[suffix](data) if suffix else data:
            child.stdin.write(bytes([byte]))
        child.stdin.close()
        assert child.stdout.read() == data
        child.stdout.close()
        assert child.wait() == 0

    def test_standard_input_that_is_no_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
        source = Source("-")
        assert source.label == "standard input"
        assert source.head() == TEXT[:65536]
        assert content(source) == TEXT

    @pytest.mark.parametrize(
        "make, message, hint",
        [
            (lambda path: None, "there is no such file", "check the path"),
            (lambda path: path.mkdir(), "is a directory, a file is needed", "name one file in it"),
        ],
    )
    def test_what_cannot_be_opened(self, tmp_path: Path, make: Callable[[Path], Any], message: str, hint: str) -> None:
        path = tmp_path / "x"
        make(path)
        for read in (lambda: Source(path).head(), lambda: list(blocks(Source(path)))):
            with pytest.raises(InputError) as raised:
                read()
            assert (raised.value.path, raised.value.message, raised.value.hint) == (str(path), message, hint)

    def test_a_path_that_no_system_takes(self) -> None:
        source = Source("a\0b")
        assert not source.is_dir
        assert source.size is None
        with pytest.raises(InputError, match="cannot be read"):
            source.head()

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
    @pytest.mark.may_skip("tests may run as root")
    def test_a_file_that_may_not_be_read(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"x")
        path.chmod(0)
        with pytest.raises(InputError, match="permission denied"):
            Source(path).head()

    def test_an_operating_system_that_gives_up(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object, **options: object) -> None:
            raise OSError(errno.EIO, "Input/output error")

        path = tmp_path / "x"
        path.write_bytes(b"x")
        monkeypatch.setattr("builtins.open", fail)
        with pytest.raises(InputError, match="input/output error"):
            Source(path).open()


class TestText:
    @pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
    @pytest.mark.parametrize("data", [TEXT[:3000], b"one line without an end", b"a\n\n\nb", b"\n", b"", b"x" * 5000])
    def test_blocks_end_with_lines_and_lose_nothing(self, tmp_path: Path, data: bytes, size: int) -> None:
        path = tmp_path / "x"
        path.write_bytes(data)
        found = list(blocks(Source(path), size))
        assert b"".join(found) == data
        assert all(block.endswith(b"\n") for block in found[:-1])
        assert all(found)

    def test_a_line_much_longer_than_a_block_takes_linear_time(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"x" * 7_999_999 + b"\n" + b"y" * 64)
        # 125,000 pieces: adding each to what came before would copy 500 GB.
        assert [len(block) for block in blocks(Source(path), 64)] == [8_000_000, 64]

    def test_reading_is_watched(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(TEXT)
        source = Source(path)
        seen: list[int] = []
        source.watch = seen.append
        list(blocks(source, 1000))
        assert sum(seen) == len(TEXT)
        assert len(seen) > 100

    @pytest.mark.parametrize(
        "data, expected",
        [
            (b"a\r\nb\r\n", ["a", "b"]),
            (b"a\r\nb\r", ["a", "b"]),
            (b"a\nb", ["a", "b"]),
            (b"a\rb\n", ["a\rb"]),  # a lone CR ends no line
            (b"\r\n\n", ["", ""]),
            ("a\u2028b\u0085c\n".encode(), ["a\u2028b\u0085c"]),
            (b"\xef\xbb\xbfa\n", ["a"]),
            (b"\xef\xbb\xbf", []),
            (b"", []),
        ],
    )
    def test_lines(self, tmp_path: Path, data: bytes, expected: list[str]) -> None:
        path = tmp_path / "x"
        path.write_bytes(data)
        assert list(lines(Source(path))) == list(enumerate(expected, 1))

    def test_the_mark_is_dropped_only_at_the_start(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"\xef\xbb\xbf\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
        assert has_bom(Source(path))
        assert [line for _, line in lines(Source(path))] == ["\ufeffa", "\ufeffb"]

    def test_blocks_of_text_know_their_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"a\r\nb\nc\nd")
        assert list(text_blocks(Source(path), 5)) == [(1, 2, "a\nb\n"), (3, 1, "c\n"), (4, 1, "d\n")]
        assert list(line_blocks(Source(path))) == [(1, ["a", "b", "c"]), (4, ["d"])]

    def test_line_numbers_go_on_across_blocks(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(TEXT * 5)
        found = list(lines(Source(path)))
        assert [number for number, _ in found] == list(range(1, 100_001))
        assert found[50_000][1] == "q10000 0 dokument-é10000 1"

    def test_what_is_not_utf_8_is_shown_with_its_line(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"fine\nq1 0 caf\xe9 1\nfine\n")
        with pytest.raises(InputError, match="is not UTF-8 text") as raised:
            list(lines(Source(path)))
        assert (raised.value.line, raised.value.text) == (2, "q1 0 caf\\xe9 1")
        assert raised.value.hint is not None
        assert "iconv" in raised.value.hint

    def test_of_a_long_line_is_shown_what_is_not_utf_8(self) -> None:
        with pytest.raises(InputError) as raised:
            decode(b"a\n" + "é".encode() * 500 + b"caf\xe9 1" + b"x" * 500 + b"\n", Source("x"), 1)
        # 40 bytes before it: `caf` and half of 37, of which the first is in the middle of a character.
        assert raised.value.text == "é" * 18 + "caf\\xe9 1" + "x" * (40 - 3 + 1)

    def test_the_line_is_counted_from_the_start_of_the_file(self) -> None:
        with pytest.raises(InputError) as raised:
            decode(b"a\nb\n\xff\n", Source("x"), 101)
        assert raised.value.line == 103


class TestWriting:
    @pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".zst", ".GZ"])
    def test_the_suffix_compresses(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"x.run{suffix}"
        with atomic_write(path) as stream:
            stream.write(TEXT)
        assert content(Source(path)) == TEXT
        assert (len(path.read_bytes()) < len(TEXT)) == bool(suffix)

    def test_equal_content_gives_equal_bytes(self, tmp_path: Path) -> None:
        for name in ("a.gz", "b.gz"):
            with atomic_write(tmp_path / name) as stream:
                stream.write(TEXT)
        written = (tmp_path / "a.gz").read_bytes()
        assert written == (tmp_path / "b.gz").read_bytes()
        # RFC 1952: no file name (FLG), MTIME 0.
        assert written[3:8] == bytes(5)

    @pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
    def test_an_error_leaves_the_old_file_and_nothing_else(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"x{suffix}"
        path.write_bytes(b"old")

        def fail() -> None:
            with atomic_write(path) as stream:
                stream.write(TEXT)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == [path.name]

    def test_a_killed_writer_leaves_the_old_file(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"old")
        program = (
            "import os, signal, sys\nfrom irbridge.atomic import atomic_write\n"
            "with atomic_write(sys.argv[1]) as stream:\n"
            "    stream.write(b'new' * 1_000_000)\n    stream.flush()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        code = subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode
        assert code == -signal.SIGKILL
        assert path.read_bytes() == b"old"

    def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(self, tmp_path: Path) -> None:
        old = os.umask(0o027)
        try:
            with atomic_write(tmp_path / "new") as stream:
                stream.write(b"x")
        finally:
            os.umask(old)
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
        (tmp_path / "new").chmod(0o604)
        with atomic_write(tmp_path / "new") as stream:
            stream.write(b"y")
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o604
        assert (tmp_path / "new").read_bytes() == b"y"

    def test_a_link_is_written_through(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_bytes(b"old")
        (tmp_path / "link").symlink_to("target")
        (tmp_path / "dangling").symlink_to("later")
        for name in ("link", "dangling"):
            with atomic_write(tmp_path / name) as stream:
                stream.write(b"new")
            assert (tmp_path / name).is_symlink()
        assert (tmp_path / "target").read_bytes() == (tmp_path / "later").read_bytes() == b"new"

    def test_a_device_is_written_to(self) -> None:
        with atomic_write("/dev/null") as stream:
            stream.write(b"x")
        assert not Path("/dev/null").is_file()

    def test_standard_output(self, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        with atomic_write("-") as stream:
            stream.write(b"\xff\n")
        assert capfdbinary.readouterr().out == b"\xff\n"

    @pytest.mark.parametrize(
        "name, message",
        [
            ("absent/x", "the folder does not exist"),
            ("folder", "is a directory, a file is needed"),
            ("file/x", "cannot be written: not a directory"),
        ],
    )
    def test_what_cannot_be_written(self, tmp_path: Path, name: str, message: str) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(InputError) as raised, atomic_write(tmp_path / name):
            pass
        assert raised.value.message == message
        assert raised.value.path == str(tmp_path / name)

    def test_a_full_disk_is_no_traceback(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        path.write_bytes(b"old")
        with pytest.raises(InputError, match="cannot be written: no space left on device"), atomic_write(path):
            raise OSError(errno.ENOSPC, "No space left on device")
        assert os.listdir(tmp_path) == ["x"]
        assert path.read_bytes() == b"old"


@pytest.mark.parametrize("module", ["bz2", "lzma"])
def test_a_damaged_second_stream_is_no_end(tmp_path: Path, module: str) -> None:
    import importlib

    codec = importlib.import_module(module)
    path = tmp_path / "x"
    second = bytearray(codec.compress(b"b\n" * 100))
    path.write_bytes(codec.compress(b"a\n") + bytes(second))
    assert b"".join(blocks(Source(path))) == b"a\n" + b"b\n" * 100
    second[1] = 0x58
    path.write_bytes(codec.compress(b"a\n") + bytes(second))
    with pytest.raises(InputError):
        b"".join(blocks(Source(path)))


def test_what_is_no_text_in_lines_is_named() -> None:
    with pytest.raises(InputError, match="NUL") as caught:
        decode(b"a\nb\0c\n", Source("x"), 7)
    assert caught.value.line == 8
    with pytest.raises(InputError, match="CR alone"):
        decode(b"a\rb\r", Source("x"), 1)


def test_the_last_bytes_of_a_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\n")
    assert (Source(path).tail(4), Source(path).tail(100)) == (b"two\n", b"one\ntwo\n")
    assert Source(tmp_path / "none").tail(4) is None
    # Compressed, its last bytes are not those of the text.
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    assert Source(path).tail(4) is None
