"""Receipts from wherever they stand: JSON Lines, a JSON array, a report, or a folder that holds one."""

from __future__ import annotations

import os
from collections.abc import Iterator

from irbridge.agentic.records import record
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.errors import InputError
from irbridge.textio import Source, whole

REPORT = "report.json"


def read_receipts(path: str) -> list[TrajectoryReceipt]:
    """The receipts of a file or folder, in their order.

    Args:
        path: JSON Lines or a JSON array of receipts, one receipt, a report.json, a folder with one, or `-`.

    Raises:
        InputError: it cannot be read, holds no receipt, or something that is none; with the line.
    """
    if path != "-" and os.path.isdir(path):
        return list(read_report(path).receipts)
    data = whole(Source(path))
    start = data.lstrip()[:1]
    if start == b"[":
        rows = strict_json(data, path)
        found = [record(TrajectoryReceipt, row, f"{path}[{place}]") for place, row in enumerate(rows)]
    elif b'"benchmarkId"' in data[:4096] and _is_one_value(data):
        return list(strict_record(BenchmarkReport, data, path).receipts)
    else:
        found = list(_lines(data, path))
    if not found:
        raise InputError("holds no receipt", path=path, hint="JSON Lines, a JSON array, or a report.json of receipts")
    return found


def read_report(path: str) -> BenchmarkReport:
    """The report of a folder, or of a report.json itself.

    Raises:
        InputError: there is none, or it is not strict JSON of that shape.
    """
    place = os.path.join(path, REPORT) if os.path.isdir(path) else path
    if not os.path.isfile(place):
        raise InputError(
            "no report there", path=path, hint=f"name a folder with a {REPORT}: irbridge agentic run --out DIR"
        )
    with open(place, "rb") as stream:
        return strict_record(BenchmarkReport, stream.read(), place)


def read_part(folder: str | os.PathLike[str], name: str) -> bytes | None:
    """The bytes of another file of a report's folder; None where there is none, or a pipe or device, which may not end."""
    place = os.path.join(folder, name)
    try:
        if not os.path.isfile(place):
            return None
        with open(place, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _is_one_value(data: bytes) -> bool:
    """Whether the text is one object over its lines, or in one of them."""
    first = data.lstrip().split(b"\n", 1)
    return first[0].strip() == b"{" or len(first) == 1 or not first[1].strip()


def _lines(data: bytes, path: str) -> Iterator[TrajectoryReceipt]:
    if data.lstrip().split(b"\n", 1)[0].strip() == b"{":  # one receipt over several lines
        yield strict_record(TrajectoryReceipt, data, path)
        return
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield strict_record(TrajectoryReceipt, line)
            except InputError as error:
                raise InputError(error.message, path=path, line=number, hint=error.hint) from error
