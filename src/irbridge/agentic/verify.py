"""Anybody's report, checked without a network, a model or the adapters: does it say what its receipts bear out?

What cannot be checked offline is whether the receipts happened. What can: form, fingerprints, accounting, evidence
against the corpus, the matrix, and every number that follows from them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from irbridge.agentic.accounting import accounting_issues
from irbridge.agentic.adapters.base import Outcome, ToolFailure
from irbridge.agentic.artifacts import CANONICAL, FILES, OBSERVATIONS, PAGE, observations
from irbridge.agentic.canonical_json import canonical_json, fingerprint
from irbridge.agentic.fixture import Fixture
from irbridge.agentic.page import report_markdown
from irbridge.agentic.promotion import PromotionGateResult, promote
from irbridge.agentic.receipt_files import REPORT, content, is_report, read_part, read_report, receipts_in
from irbridge.agentic.records import plain
from irbridge.agentic.report import (
    BenchmarkReport,
    canonical_part,
    exclusions_of,
    pair_of,
    scores_of,
    words,
)
from irbridge.agentic.runner.results import checked_outcome
from irbridge.agentic.strict_json import strict_json
from irbridge.agentic.strict_records import strict_record
from irbridge.agentic.toolset import TOOLS, check_arguments, tools_fingerprint
from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt
from irbridge.errors import InputError, IrbridgeError, UsageError, shown


class Finding(NamedTuple):
    """What does not hold: a closed code, the file or pair that it is about, and the facts."""

    code: str
    where: str
    detail: str


class Verified(NamedTuple):
    """What was looked at and what was found.

    Attributes:
        fingerprint: the report's canonical fingerprint; None for bare receipts.
        unchecked: the files of a report's folder that could not be looked at, because the report alone was named.
    """

    receipts: int
    findings: list[Finding]
    fingerprint: str | None = None
    unchecked: Sequence[str] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "ok": not self.findings,
            "canonicalFingerprint": self.fingerprint,
            "receipts": self.receipts,
            "findings": [each._asdict() for each in self.findings],
            "unchecked": list(self.unchecked),
        }


def verify(path: str, fixture: Fixture) -> Verified:
    """Check a report folder, a report, or bare receipts against a fixture.

    Args:
        path: what to check, or `-`. A file that holds a report is checked as one, whatever its name; files that are missing
            from a folder are findings.
        fixture: what it was run on.

    Raises:
        InputError: there is nothing to read, bare receipts that are none, a file that is too large, or what was made on
            another fixture: of that every line would be wrong, and none would say so.
    """
    folder = path != "-" and os.path.isdir(path)
    data = b"" if folder else content(path)
    if not (folder or is_report(data) or os.path.basename(path) == REPORT):
        receipts = receipts_in(data, path)
        corpora = {each.canonical.fingerprints.corpus for each in receipts}
        if fixture.snapshot.fingerprint not in corpora:
            raise _foreign(path, f"corpus {min(corpora)[:12]}", f"corpus {fixture.snapshot.fingerprint[:12]}")
        return Verified(len(receipts), list(_receipts(receipts, fixture)))
    unchecked = [] if folder else [name for name in FILES if name != REPORT]
    try:
        report = read_report(path) if folder else strict_record(BenchmarkReport, data, path)
    except InputError as error:
        if folder and not set(os.listdir(path)) & set(FILES):
            raise
        return Verified(0, [Finding("invalid_report", REPORT, str(error))], unchecked=unchecked)
    of = report.environment
    if fixture.fingerprint != report.fixture_fingerprint == of.fixture_fingerprint:
        here = f"fixture {fixture.manifest.fixture_version} ({fixture.fingerprint[:12]})"
        raise _foreign(path, f"fixture {of.fixture_version} ({of.fixture_fingerprint[:12]})", here)
    try:
        found = [*_report(report, fixture), *_receipts(report.receipts, fixture)]
    except InputError as error:  # arguments of a call that canonical JSON does not hold
        found = [Finding("invalid_report", REPORT, error.message)]
        return Verified(len(report.receipts), found, unchecked=unchecked)
    if folder:
        found += _files(path, report)
    return Verified(len(report.receipts), found, report.canonical_fingerprint, unchecked)


def _foreign(path: str, there: str, here: str) -> InputError:
    return InputError(
        f"was made on {shown(there)}, and is held against {shown(here)}",
        path=path,
        hint="--fixture DIR names the fixture that it was made on; rescore scores it against another",
    )


# --------------------------------------------------------------------------------------------------------------- report


def _report(report: BenchmarkReport, fixture: Fixture) -> Iterator[Finding]:
    """The report by itself, and against the fixture."""
    of, schedule = report.environment, report.environment.schedule
    for name, said, real in (
        ("fixtureFingerprint", report.fixture_fingerprint, fixture.fingerprint),
        ("environment.fixtureFingerprint", of.fixture_fingerprint, fixture.fingerprint),
        ("environment.corpusFingerprint", of.corpus_fingerprint, fixture.snapshot.fingerprint),
        ("environment.fixtureVersion", of.fixture_version, fixture.manifest.fixture_version),
    ):
        if said != real:
            yield Finding("fixture_mismatch", name, f"{said}; this fixture has {real}")
    real_fingerprint = fingerprint(canonical_part(report))
    if report.canonical_fingerprint != real_fingerprint:
        yield Finding("fingerprint_mismatch", REPORT, f"should be {real_fingerprint}")
    pairs = [pair_of(each.canonical) for each in report.receipts]
    wanted = schedule.pairs(of.agent_id)
    if pairs != wanted:
        odd = sorted(set(pairs) ^ set(wanted))
        what = words(odd[0]) if odd else "the order, or a pair that stands twice"
        yield Finding("matrix_mismatch", REPORT, f"not exactly the matrix of the schedule: {what}")
    complete = set(schedule.tasks) == set(fixture.tasks) and len(schedule.lifecycles) == 2
    if schedule.complete != complete:
        yield Finding("schedule_mismatch", REPORT, f"complete should be {str(complete).lower()}")
    yield from _numbers(report, fixture)


def _numbers(report: BenchmarkReport, fixture: Fixture) -> Iterator[Finding]:
    """All that follows from the receipts."""
    exclusions = exclusions_of(report.receipts)
    counts = (report.attempted_pairs, report.scored_pairs)
    real = (len(report.receipts), len(report.receipts) - len(exclusions))
    if counts != real or report.exclusions != exclusions:
        yield Finding("counts_mismatch", REPORT, f"{real[0]} attempted, {real[1]} scored, and the exclusions of those")
    try:
        scores = scores_of(fixture, report.receipts, report.environment.match)
    except InputError as error:
        yield Finding("unknown_task", REPORT, error.message)
        return
    if len(scores) != len(report.scores):
        yield Finding("score_mismatch", REPORT, f"{len(report.scores)} scores of {len(scores)} receipts")
        return
    for real_score, said in zip(scores, report.scores, strict=True):
        if real_score != said:
            one, other = plain(real_score), plain(said)
            apart = ", ".join(
                f"{name} should be {canonical_json(one[name])}" for name in one if one[name] != other[name]
            )
            yield Finding("score_mismatch", words(pair_of(real_score)), apart)
    if report.promotion is None:
        return
    try:
        again = repeated_gate(report, scores)
    except (IrbridgeError, ValueError) as error:  # thresholds, a seed or a confidence that are none
        yield Finding("promotion_mismatch", REPORT, shown(error, 200))
        return
    if again != report.promotion:
        one, other = plain(again), plain(report.promotion)
        apart = ", ".join(f"{name} should be {canonical_json(one[name])}" for name in one if one[name] != other[name])
        yield Finding("promotion_mismatch", REPORT, apart)


def repeated_gate(report: BenchmarkReport, scores: Sequence[TaskScore]) -> PromotionGateResult:
    """The decision of a report's gate, made again on these scores.

    Raises:
        UsageError: its thresholds are none, or an adapter is held against itself.
    """
    said = report.promotion
    if said is None:
        raise UsageError("the report holds no promotion", hint="name two adapters with --baseline and --candidate")
    drawn = said.intervals
    return promote(
        report.receipts, scores, said.baseline, said.candidate, said.thresholds, report.capsule_replays,
        confidence=drawn.confidence, seed=drawn.seed,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- receipts


def _receipts(receipts: Iterable[TrajectoryReceipt], fixture: Fixture) -> Iterator[Finding]:
    """Each receipt by itself: its numbers, its evidence, its identity."""
    seen: set[Any] = set()
    for receipt in receipts:
        pair = pair_of(receipt.canonical)
        where = words(pair)
        if pair in seen:
            yield Finding("matrix_mismatch", where, "stands twice")
        seen.add(pair)
        if receipt.canonical.task_id not in fixture.tasks:
            yield Finding("unknown_task", where, "the fixture has no such task")
            continue
        for code in accounting_issues(receipt):
            yield Finding(code, where, "the receipt's own numbers do not agree")
        yield from _against(receipt, fixture, where)


def _against(receipt: TrajectoryReceipt, fixture: Fixture, where: str) -> Iterator[Finding]:
    """What a receipt says of corpus, tools and sources, against those of the fixture."""
    canonical, task = receipt.canonical, fixture.tasks[receipt.canonical.task_id]
    if canonical.fingerprints.corpus != fixture.snapshot.fingerprint:
        yield Finding("receipt_fingerprint_mismatch", where, "corpus: not the fixture's")
    if canonical.fingerprints.tools != tools_fingerprint(TOOLS):
        yield Finding("receipt_fingerprint_mismatch", where, "tools: not those of the contract")
    for call in canonical.calls:
        place = f"{where} call {call.call_index}"
        if call.tool_name not in task.allowed_tools:
            yield Finding("tool_not_allowed", place, call.tool_name)
        problem = check_arguments(call.tool_name, call.arguments)
        if problem is not None:
            yield Finding("invalid_tool_arguments", place, problem)
        try:
            checked_outcome(Outcome(call.result, call.backend_invocations), task, fixture.snapshot)
        except ToolFailure as error:
            yield Finding("evidence_mismatch", place, error.message)


# ---------------------------------------------------------------------------------------------------------------- files


def _files(folder: str, report: BenchmarkReport) -> Iterator[Finding]:
    """The other three files, against the report."""
    data = {}
    for name in FILES:
        part = read_part(folder, name)
        if part is None:
            yield Finding("missing_file", name, "not in the folder")
        else:
            data[name] = part
    if not data.get(REPORT, b"{").lstrip().startswith(b"{"):
        yield Finding("invalid_report", REPORT, "compressed; in the folder it is not")
    if CANONICAL in data:
        if hashlib.sha256(data[CANONICAL]).hexdigest() != report.canonical_fingerprint:
            yield Finding("fingerprint_mismatch", CANONICAL, "its SHA-256 is not the report's canonicalFingerprint")
        if data[CANONICAL] != canonical_json(canonical_part(report)).encode():
            yield Finding("canonical_mismatch", CANONICAL, f"not the canonical part of {REPORT}")
    if OBSERVATIONS in data:
        yield from _observations(data[OBSERVATIONS], report)
    if PAGE in data and _made_here(report) and not _is_page(data[PAGE], report):
        yield Finding("page_mismatch", PAGE, f"not the page of {REPORT}")


def _is_page(data: bytes, report: BenchmarkReport) -> bool:
    try:
        return data == report_markdown(report).encode()
    except InputError:  # receipts and scores that do not belong together have no page; that is a finding of its own
        return True


def _observations(data: bytes, report: BenchmarkReport) -> Iterator[Finding]:
    try:
        said = strict_json(data, OBSERVATIONS)
    except InputError as error:
        yield Finding("invalid_observations", OBSERVATIONS, error.message)
        return
    if not isinstance(said, dict):
        yield Finding("invalid_observations", OBSERVATIONS, "no object")
        return
    prepared = said.get("preparations")
    real = observations(report, prepared if isinstance(prepared, list) else ())
    apart = sorted(name for name in {*real, *said} if said.get(name) != real.get(name))
    if apart:
        yield Finding("observations_mismatch", OBSERVATIONS, f"{', '.join(apart)}: not those of {REPORT}")


def _made_here(report: BenchmarkReport) -> bool:
    """Whether this version made it; another may word its page otherwise."""
    from irbridge._version import __version__

    return report.environment.irbridge_version == __version__


def codes(findings: Sequence[Finding]) -> dict[str, int]:
    """How often each code was found, sorted."""
    found: dict[str, int] = {}
    for each in sorted(findings):
        found[each.code] = found.get(each.code, 0) + 1
    return found
