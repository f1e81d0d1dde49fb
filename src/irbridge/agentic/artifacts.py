"""A report as a folder of four files, which takes the place of another as one set or not at all.

    report.json         everything, for `verify`, `rescore`, `compare`, `report`
    canonical.json      what the fingerprint covers, as canonical JSON: byte-identical for unchanged inputs
    observations.json   times, platform, diagnostics: what no decision looks at
    report.md           the page that people read

A set takes the place of another only if it has every pair that the other has, and is complete where the other is: no
filtered run overwrites a full one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from irbridge.agentic.canonical_json import canonical_json
from irbridge.agentic.page import report_markdown
from irbridge.agentic.receipt_files import REPORT, read_part, read_report
from irbridge.agentic.records import plain
from irbridge.agentic.report import BenchmarkReport, Schedule, canonical_part, words
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.trajectory import TrajectoryReceipt
from irbridge.atomic import folder_place, new_folder
from irbridge.canonical import pretty
from irbridge.errors import InputError, UsageError, shown

if TYPE_CHECKING:
    from pathlib import Path

CANONICAL, OBSERVATIONS, PAGE = "canonical.json", "observations.json", "report.md"
FILES = (REPORT, CANONICAL, OBSERVATIONS, PAGE)
TEMP = "<temp>"

#: What was seen while adapters were prepared: adapterId, tookMs or null, diagnostics.
Prepared = dict[str, Any]


def place_for(out: str | os.PathLike[str], schedule: Schedule, agent: str) -> Path:
    """The real path of a folder that a set of this schedule may be written to; asked before a long run, too.

    Raises:
        UsageError: it holds something else, or a set that would lose a pair or its completeness.
    """
    if os.fspath(out) == "-":
        raise UsageError(
            "four files cannot be written to standard output", hint="name a folder; --json prints the result"
        )
    place = folder_place(out, force=True)
    named = shown(os.fspath(out), 200)
    held = sorted(os.listdir(place)) if place.is_dir() else []
    if not held:
        return place
    foreign = [name for name in held if name not in FILES or (place / name).is_dir()]
    if foreign:
        raise UsageError(f"{named} holds {shown(foreign[0])}, which is no file of a run", hint="name another folder")
    try:
        old = read_report(os.fspath(place))
    except InputError as error:
        raise UsageError(
            f"{named} holds a report that cannot be read: {error.message}", hint="name another folder"
        ) from error
    before = old.environment.schedule
    if before.complete and not schedule.complete:
        raise UsageError(f"{named} holds a complete run, and this one is filtered", hint="name another folder")
    lost = sorted(set(before.pairs(old.environment.agent_id)) - set(schedule.pairs(agent)))
    if lost:
        raise UsageError(
            f"{named} holds a run of {words(lost[0])}, which this one does not attempt", hint="name another folder"
        )
    return place


def write_artifacts(
    report: BenchmarkReport, out: str | os.PathLike[str], prepared: Sequence[Prepared] = ()
) -> BenchmarkReport:
    """Write the four files; returns the report as it was written, with temporary paths as `<temp>`.

    Args:
        report: the report.
        out: the folder; see `place_for`.
        prepared: what was seen while adapters were prepared.

    Raises:
        UsageError: the folder holds what must not be lost.
        InputError: it cannot be written; what was there before is still there.
    """
    place = place_for(out, report.environment.schedule, report.environment.agent_id)
    shared = without_places(report)
    with new_folder(place) as made:
        for name, data in contents(shared, prepared).items():
            (made / name).write_bytes(data)
    return shared


def prepared_in(path: str) -> list[Prepared]:
    """What a set says of the preparations; nothing where it cannot be read."""
    try:
        data = None if path == "-" else read_part(path, OBSERVATIONS)
        found = None if data is None else strict_json(data).get("preparations")
    except (InputError, AttributeError):
        return []
    return found if isinstance(found, list) else []


def contents(report: BenchmarkReport, prepared: Sequence[Prepared] = ()) -> dict[str, bytes]:
    """The bytes of each file."""
    return {
        REPORT: pretty(plain(report)).encode(),
        CANONICAL: canonical_json(canonical_part(report)).encode(),
        OBSERVATIONS: pretty(observations(report, prepared)).encode(),
        PAGE: report_markdown(report).encode(),
    }


def observations(report: BenchmarkReport, prepared: Sequence[Prepared] = ()) -> dict[str, Any]:
    """What varies from run to run, each with the identity of its receipt."""
    return {
        "schemaVersion": "1.0",
        "benchmarkId": report.benchmark_id,
        "canonicalFingerprint": report.canonical_fingerprint,
        "preparations": list(prepared),
        "receipts": list(_observed(report.receipts)),
    }


def _observed(receipts: Sequence[TrajectoryReceipt]) -> Iterator[dict[str, Any]]:
    for receipt in receipts:
        of = receipt.canonical
        yield {
            "adapterId": of.adapter_id,
            "taskId": of.task_id,
            "trialId": of.trial_id,
            "lifecycle": of.lifecycle,
            "seed": of.seed,
            "agentId": of.agent_id,
            "observations": plain(receipt.observations),
        }


def without_places(report: BenchmarkReport) -> BenchmarkReport:
    """The report with each temporary path as `<temp>`: they belong to one machine."""
    receipts = [
        msgspec.structs.replace(
            receipt,
            observations=msgspec.structs.replace(
                receipt.observations, temp_paths=[TEMP for _ in receipt.observations.temp_paths]
            ),
        )
        for receipt in report.receipts
    ]
    found: BenchmarkReport = msgspec.structs.replace(report, receipts=receipts)
    return found
