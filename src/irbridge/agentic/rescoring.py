"""The receipts of a report scored again: under another rule, against a corrected fixture, by a newer version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from irbridge.agentic.benchmark import Gate
from irbridge.agentic.fixture import Fixture
from irbridge.agentic.records import Match, plain
from irbridge.agentic.report import BenchmarkReport, build_report, pair_of, scores_of, sealed_report
from irbridge.agentic.trajectory import TaskScore
from irbridge.agentic.verify import repeated_gate
from irbridge.errors import UnknownName
from irbridge.registry import nearest


class Changed(NamedTuple):
    """A score that is another now: the members that differ, as (then, now)."""

    score: TaskScore
    members: dict[str, tuple[Any, Any]]

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        of = self.score
        identity = {"taskId": of.task_id, "adapterId": of.adapter_id, "trialId": of.trial_id, "lifecycle": of.lifecycle}
        return {**identity, "changed": {name: list(both) for name, both in self.members.items()}}


class Rescored(NamedTuple):
    """The report as it is now, what changed, and what to know of it."""

    report: BenchmarkReport
    changed: list[Changed]
    notes: list[str]


def rescore(
    report: BenchmarkReport, fixture: Fixture, match: Match | None = None, gate: Gate | None = None
) -> Rescored:
    """Score a report's receipts again.

    Args:
        report: the report.
        fixture: what to score against; another than the report's is noted.
        match: how citations are matched; None: as in the report.
        gate: the comparison to decide; None: the report's, if it has one.

    Raises:
        InputError: a receipt of a task that the fixture does not have, or receipts that are not the report's matrix.
        UsageError: a comparison that cannot be made.
        UnknownName: one of an adapter that the report does not have.
    """
    rule = match or report.environment.match
    scores = scores_of(fixture, report.receipts, rule)
    schedule = msgspec.structs.replace(
        report.environment.schedule,
        complete=set(report.environment.schedule.tasks) == set(fixture.tasks)
        and len(report.environment.schedule.lifecycles) == 2,
    )
    promotion = None
    if gate is not None:
        for name in (gate.baseline, gate.candidate):
            if name not in schedule.adapters:
                near, known = nearest(name, list(schedule.adapters)), ", ".join(schedule.adapters)
                raise UnknownName("adapter of the report", name, near, hint=f"it has: {known}")
        gate.check(schedule.adapters)
        promotion = gate.decide(report.receipts, scores, report.capsule_replays)
    elif report.promotion is not None:
        promotion = repeated_gate(report, scores)
    made = build_report(
        fixture, schedule, report.environment.agent_id, report.receipts, preparations=report.preparations, scores=scores,
        match=rule, replays=report.capsule_replays, promotion=promotion,
    )  # fmt: skip
    made = msgspec.structs.replace(made, methodology=report.methodology, limitations=report.limitations)
    return Rescored(sealed_report(made), list(_changed(report, scores)), list(_notes(report, fixture)))


def _changed(report: BenchmarkReport, scores: list[TaskScore]) -> Iterator[Changed]:
    before = {pair_of(score): score for score in report.scores}
    for score in scores:
        old = before.get(pair_of(score))
        one, other = plain(old) or {}, plain(score)
        members = {
            name: (one.get(name), other[name]) for name in other if name != "match" and one.get(name) != other[name]
        }
        if members:
            yield Changed(score, members)


def _notes(report: BenchmarkReport, fixture: Fixture) -> Iterator[str]:
    if report.environment.corpus_fingerprint != fixture.snapshot.fingerprint:
        yield "the fixture's corpus is not the one of the report: what was cited then may not stand there now"
    elif report.fixture_fingerprint != fixture.fingerprint:
        yield "the fixture is not the one of the report; its corpus is"
