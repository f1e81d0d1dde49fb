"""Whatever is named, reading it ends: nothing larger than a bound is read, no device, and no pipe that may wait for ever."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest
from support.receipts import receipt

from irbridge.agentic import receipt_files
from irbridge.agentic.receipt_files import is_report, named, read_part, read_receipts, read_report
from irbridge.errors import InputError

LINE = json.dumps(receipt()).encode() + b"\n"


def test_what_is_larger_than_the_bound_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipt_files, "LARGEST", 1 << 20)
    (tmp_path / "r.jsonl").write_bytes(LINE * ((1 << 20) // len(LINE)))
    assert len(read_receipts(str(tmp_path / "r.jsonl"))) == (1 << 20) // len(LINE)
    (tmp_path / "r.jsonl").write_bytes(LINE + b" " * (1 << 20))
    (tmp_path / "report.json").write_bytes(b" " * ((1 << 20) + 1))
    for read in (
        lambda: read_receipts(str(tmp_path / "r.jsonl")),
        lambda: read_receipts(str(tmp_path)),
        lambda: read_report(str(tmp_path)),
        lambda: read_part(tmp_path, "report.json"),
    ):
        with pytest.raises(InputError, match="is larger than 1 MB"):
            read()


def test_a_small_file_that_unpacks_to_a_large_one_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipt_files, "LARGEST", 1 << 20)
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(LINE + b" " * (8 << 20)))
    assert (tmp_path / "r.jsonl.gz").stat().st_size < 1 << 15
    with pytest.raises(InputError, match="is larger than 1 MB"):
        read_receipts(str(tmp_path / "r.jsonl.gz"))


def test_the_bound_takes_more_receipts_than_a_run_has() -> None:
    # 10,000 receipts of 11 KB each, as those of the standard fixture are.
    assert 10_000 * 11_000 < receipt_files.LARGEST < 1 << 30


@pytest.mark.skipif(sys.platform == "win32", reason="no devices here")
@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null"])
def test_a_device_is_not_read(path: str) -> None:
    with pytest.raises(InputError, match="is no regular file"):
        read_receipts(path)
    with pytest.raises(InputError, match="is no regular file"):
        read_report(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "report.json")
    with pytest.raises(InputError, match="is no regular file") as refused:
        read_receipts(str(tmp_path / "pipe"))
    assert "'-'" in str(refused.value.hint)
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InputError, match="is no regular file"):
            read_report(str(path))
    assert read_part(tmp_path, "pipe") is None


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="no descriptors as files here")
def test_a_pipe_that_a_shell_opened_is_read() -> None:
    read_end, write_end = os.pipe()
    try:
        os.write(write_end, LINE)
        os.close(write_end)
        assert len(read_receipts(f"/dev/fd/{read_end}")) == 1
    finally:
        os.close(read_end)


def test_what_is_no_report_is_told_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "empty").mkdir()
    (tmp_path / "folder" / "report.json").mkdir(parents=True)
    for name, why in (
        ("gone", "there is no such file"),
        ("loop", "levels of symbolic links"),
        ("empty", "no report there"),
        ("folder", "is a directory"),
    ):
        with pytest.raises(InputError, match=why):
            read_report(str(tmp_path / name))


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_is_refused(packed: bool, tmp_path: Path) -> None:
    for text, read in ((LINE, read_receipts), (b"[]", read_receipts), (b"{}", read_report)):
        marked = b"\xef\xbb\xbf" + text
        (tmp_path / "r").write_bytes(gzip.compress(marked) if packed else marked)
        with pytest.raises(InputError, match="begins with a byte order mark"):
            read(str(tmp_path / "r"))


@pytest.mark.parametrize(
    "text, expected",
    [
        ('{"benchmarkId": "x"}', True),
        (' {\n"scores": [],\n"benchmarkId": "x"}\n', True),
        ('{"receipts": []}', True),
        ('{"receipts": [], "receipts": []}', True),
        (json.dumps({"environment": "x" * 5000, "benchmarkId": "x"}), True),
        ('{\n"benchmarkId": "x", "receipts": [', True),  # cut off
        (json.dumps(receipt()), False),
        (json.dumps({**receipt(), "observations": '"benchmarkId"'}), False),
        (json.dumps(receipt()).replace("{", '{"benchmarkId": 1, ', 1), False),
        ('[{"benchmarkId": "x"}]', False),
        ('{"a": 1}\n{"benchmarkId": "x"}\n', False),
        ("", False),
    ],
    ids=range(12),
)
def test_a_report_is_told_by_what_it_holds(text: str, expected: bool) -> None:
    assert is_report(text.encode()) is expected


def test_what_is_wrong_later_is_told_with_the_file() -> None:
    with pytest.raises(InputError, match=r"^theirs: it is odd$") as told, named("theirs"):
        raise InputError("it is odd", hint="mend it")
    assert told.value.hint == "mend it"
    with pytest.raises(InputError, match=r"^other:3: it is odd$"), named("theirs"):
        raise InputError("it is odd", path="other", line=3)
