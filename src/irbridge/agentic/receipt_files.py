"""Receipts from wherever they stand: JSON Lines, a JSON array, a report, or a folder that holds one."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Iterator

import msgspec

from irbridge.agentic.records import record
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.strict_json import begins_with_a_mark, strict_json
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError
from irbridge.source import Source
from irbridge.textio import has_bom, whole

REPORT = "report.json"
#: More than any report needs, whose receipts have some 10 KB each, and less than would hurt: 512 MB.
LARGEST = 1 << 29
#: Pipes that somebody opened already, a shell's process substitution among them.
_OPENED = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")
_ABSENT = msgspec.Raw()


def read_receipts(path: str) -> list[TrajectoryReceipt]:
    """The receipts of a file or folder, in their order.

    Args:
        path: JSON Lines or a JSON array of receipts, one receipt, a report.json, a folder with one, or `-`.

    Raises:
        InputError: it cannot be read, is larger than `LARGEST`, holds no receipt, or something that is none; with the line.
    """
    if path != "-" and os.path.isdir(path):
        return list(read_report(path).receipts)
    data = content(path)
    return list(strict_record(BenchmarkReport, data, path).receipts) if is_report(data) else receipts_in(data, path)


def receipts_in(data: bytes, path: str) -> list[TrajectoryReceipt]:
    """The receipts of a text that is no report.

    Raises:
        InputError: it holds none, or something that is none; with the line.
    """
    if data.lstrip()[:1] == b"[":
        rows = strict_json(data, path)
        found = [record(TrajectoryReceipt, row, f"{path}[{place}]") for place, row in enumerate(rows)]
    else:
        found = list(_lines(data, path))
    if not found:
        raise InputError("holds no receipt", path=path, hint="JSON Lines, a JSON array, or a report.json of receipts")
    return found


def read_report(path: str) -> BenchmarkReport:
    """The report of a folder, of a report.json itself, or of `-`.

    Raises:
        InputError: there is none, it is larger than `LARGEST`, or it is not strict JSON of that shape.
    """
    if path == "-" or not os.path.isdir(path):
        return strict_record(BenchmarkReport, content(path), path)
    place = os.path.join(path, REPORT)
    if not os.path.lexists(place):
        raise InputError(
            "no report there", path=path, hint=f"name a folder with a {REPORT}: irbridge agentic run --out DIR"
        )
    return strict_record(BenchmarkReport, content(place), place)


def content(path: str) -> bytes:
    """The bytes of a file of JSON, unpacked, or of standard input.

    Raises:
        InputError: it cannot be read, may not end, is larger than `LARGEST`, or begins with a byte order mark.
    """
    if _may_not_end(path):
        raise InputError("is no regular file", path=path, hint="'-' reads standard input")
    source = Source(path)
    if has_bom(source):
        raise begins_with_a_mark(source.label)
    return whole(source, LARGEST)


class _Names(msgspec.Struct):
    """The members that tell a report from a receipt."""

    canonical: msgspec.Raw = _ABSENT
    benchmark: msgspec.Raw = msgspec.field(default=_ABSENT, name="benchmarkId")
    fingerprint: msgspec.Raw = msgspec.field(default=_ABSENT, name="canonicalFingerprint")
    receipts: msgspec.Raw = _ABSENT
    scores: msgspec.Raw = _ABSENT


def is_report(data: bytes) -> bool:
    """Whether a text is meant to be a report, whatever the name of its file: one object with a member that only reports have.

    Of what is no JSON the beginning decides.
    """
    try:
        of = msgspec.json.decode(data, type=_Names)
    except (msgspec.MsgspecError, RecursionError):
        return data.lstrip()[:1] == b"{" and b'"benchmarkId"' in data[:4096] and _is_one_value(data)
    return not of.canonical and any((of.benchmark, of.fingerprint, of.receipts, of.scores))


def read_part(folder: str | os.PathLike[str], name: str) -> bytes | None:
    """The bytes of another file of a report's folder; None where there is none, or a pipe or device, which may not end.

    Raises:
        InputError: it is larger than `LARGEST`.
    """
    place = os.path.join(folder, name)
    try:
        return _bytes(place) if os.path.isfile(place) else None
    except OSError:
        return None


@contextlib.contextmanager
def named(path: str) -> Iterator[None]:
    """What turns out to be wrong with something that was read from `path` names it."""
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.message, path=path, text=error.text, hint=error.hint) from error


def _bytes(place: str) -> bytes:
    """A regular file as long as it is now."""
    with open(place, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > LARGEST:
            raise InputError(f"is larger than {LARGEST >> 20} MB", path=place, hint="name the right file")
        return stream.read(size)


def _may_not_end(path: str) -> bool:
    """Whether it is a device, or a pipe with a name, which may wait for ever; a folder is told where it is opened."""
    if path == "-":
        return False
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # told where it is opened
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and not (stat.S_ISFIFO(mode) and path.startswith(_OPENED))


def _is_one_value(data: bytes) -> bool:
    """Whether the text is one object over its lines, or in one of them."""
    first = data.lstrip().split(b"\n", 1)
    return first[0].strip() == b"{" or len(first) == 1 or not first[1].strip()


def _first(data: bytes) -> bytes:
    """Its first line, without a copy of the others."""
    end = data.find(b"\n")
    return data if end < 0 else data[:end]


def _lines(data: bytes, path: str) -> Iterator[TrajectoryReceipt]:
    if _first(data.lstrip()).strip() == b"{":  # one receipt over several lines
        yield strict_record(TrajectoryReceipt, data, path)
        return
    for number, line in enumerate(io.BytesIO(data), 1):
        if line.strip():
            try:
                yield strict_record(TrajectoryReceipt, line.rstrip(b"\n"))
            except InputError as error:
                raise InputError(error.message, path=path, line=number, text=error.text, hint=error.hint) from error
