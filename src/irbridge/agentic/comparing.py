"""Two reports held against each other on the pairs that both have: of the same system then and now, or of two adapters or agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.agentic.lanes import both
from irbridge.agentic.pairs import Identity, identity_of
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.trajectory import CanonicalReceipt, TaskScore
from irbridge.errors import UnknownName, UsageError, quoted, shown
from irbridge.registry import nearest

#: What is compared: name, how a screen calls it, whether more is better.
METRICS = (("success", "success", True), ("agent_calls", "calls", False), ("model_visible_bytes", "bytes", False))


class Change(NamedTuple):
    """The mean of a metric on the pairs of both, per pair; the interval is of the difference, over tasks.

    Attributes:
        low, high: None where the tasks do not differ among each other, or there is one only.
    """

    metric: str
    one: float
    other: float
    low: float | None
    high: float | None

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.other - self.one


class TaskChange(NamedTuple):
    """A task on which the two differ: sums over its pairs, first and second."""

    task_id: str
    success: tuple[int, int]
    agent_calls: tuple[int, int]
    model_visible_bytes: tuple[int, int]


class Compared(NamedTuple):
    """Two adapters', or two agents', receipts on common pairs.

    Attributes:
        adapters, agents: of the first and of the second.
        pairs: scored on both sides. `apart`: pairs that only one side has. `excluded`: failures of the harness.
        notes: what makes the numbers less comparable.
    """

    adapters: tuple[str, str]
    agents: tuple[str, str]
    pairs: int
    tasks: int
    apart: int
    excluded: int
    changes: list[Change]
    by_task: list[TaskChange]
    notes: list[str]

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "adapters": list(self.adapters),
            "agents": list(self.agents),
            "pairs": self.pairs,
            "tasks": self.tasks,
            "pairsOfOneSideOnly": self.apart,
            "excluded": self.excluded,
            "metrics": [{**each._asdict(), "difference": each.difference} for each in self.changes],
            "changedTasks": [each._asdict() for each in self.by_task],
            "notes": self.notes,
        }


Row = tuple[TaskScore, CanonicalReceipt]


def compare(one: BenchmarkReport, other: BenchmarkReport, adapters: tuple[str, str] | None = None) -> list[Compared]:
    """What differs between two reports: for each adapter that both have, or for one of the first and one of the second.

    Where they are of two agents, a pair is of one task and lifecycle; trials, whose names and seeds are an agent's own, are
    paired in the order of their seeds.

    Args:
        one: the first.
        other: the second; differences are second minus first.
        adapters: which adapter of each.

    Raises:
        UnknownName: a report does not have that adapter.
        UsageError: no adapter, or no pair, is in both; or they cannot be compared, because fixture, corpus, tools or the
            rule by which citations match are not the same.
    """
    _refuse(one, other)
    held = one.environment.schedule.adapters, other.environment.schedule.adapters
    if adapters is None:
        common = [(name, name) for name in held[0] if name in held[1]]
        if not common:
            hint = f"name one of each: --adapter {held[0][0]},{held[1][0]}" if all(held) else None
            raise UsageError("no adapter is in both reports", hint=hint)
    else:
        for name, known in zip(adapters, held, strict=True):
            if name not in known:
                raise UnknownName("adapter of the report", name, nearest(name, list(known)), hint=", ".join(known))
        common = [adapters]
    return [_compared(one, other, names) for names in common]


def _refuse(one: BenchmarkReport, other: BenchmarkReport) -> None:
    """Refuse what answers another question: the difference would not be the systems'."""
    if one.fixture_fingerprint != other.fixture_fingerprint:
        there, here = (
            f"{shown(each.environment.fixture_version)} ({each.fixture_fingerprint[:12]})" for each in (one, other)
        )
        same = one.environment.corpus_fingerprint == other.environment.corpus_fingerprint
        way = "irbridge agentic rescore ONE --fixture DIR --out NEW scores one of them on the fixture of the other"
        raise UsageError(
            f"not of the same tasks: fixture {there} and fixture {here}",
            hint=way if same else "run both on one fixture",
        )
    rules = one.environment.match, other.environment.match
    if rules[0] != rules[1]:
        raise UsageError(
            f"citations match {rules[0]} in the first report, {rules[1]} in the second",
            hint=f"irbridge agentic rescore OTHER --match {rules[0]} --out NEW scores the second by the rule of the first",
        )


def _compared(one: BenchmarkReport, other: BenchmarkReport, adapters: tuple[str, str]) -> Compared:
    agents = one.environment.agent_id, other.environment.agent_id
    sides = [_rows(report, name) for report, name in zip((one, other), adapters, strict=True)]
    if agents[0] != agents[1]:
        sides = [_by_place(rows) for rows in sides]
    shared = sorted(set(sides[0]) & set(sides[1]))
    if not shared:
        raise UsageError(
            f"{quoted(adapters[0])} and {quoted(adapters[1])} have no pair in common",
            hint="a pair is the same task, trial, lifecycle, seed and agent; of two agents the same task and lifecycle",
        )
    rows = [(sides[0][pair], sides[1][pair]) for pair in shared]
    kept = [pair for pair in rows if pair[0][0].scored and pair[1][0].scored]
    by_task: dict[str, list[tuple[Row, Row]]] = {}
    for pair in kept:
        by_task.setdefault(pair[0][0].task_id, []).append(pair)
    changed = [_task(task_id, own) for task_id, own in by_task.items()]
    return Compared(
        adapters,
        agents,
        len(kept),
        len(by_task),
        len(set(sides[0]) ^ set(sides[1])),
        len(rows) - len(kept),
        [_change(name, kept) for name, _, _ in METRICS] if kept else [],
        [each for each in changed if any(first != second for first, second in each[1:])],
        _notes(adapters, agents, rows),
    )


def _by_place(rows: Mapping[Identity, Row]) -> Mapping[Identity, Row]:
    """Rows by task, lifecycle and the place of their trial among the others, without what is an agent's own."""
    trials = sorted({(seeded, seed, trial) for _, trial, _, seeded, seed, _ in rows})
    places = {trial: place for place, trial in enumerate(trials)}
    return {
        (task, "", lifecycle, True, places[seeded, seed, trial], ""): row
        for (task, trial, lifecycle, seeded, seed, _), row in rows.items()
    }


def _rows(report: BenchmarkReport, adapter: str) -> Mapping[Identity, Row]:
    return {
        identity_of(score): (score, receipt.canonical)
        for receipt, score in both(report.receipts, report.scores)
        if score.adapter_id == adapter
    }


def _value(name: str, row: Row) -> int:
    score, receipt = row
    values = {
        "success": score.success,
        "agent_calls": receipt.agent_calls,
        "model_visible_bytes": receipt.model_visible_utf8_bytes,
    }
    return values[name]


def _task(task_id: str, pairs: Sequence[tuple[Row, Row]]) -> TaskChange:
    sums = [tuple(sum(_value(name, pair[side]) for pair in pairs) for side in (0, 1)) for name, _, _ in METRICS]
    success, calls, size = ((each[0], each[1]) for each in sums)
    return TaskChange(task_id, success, calls, size)


def _change(name: str, pairs: Sequence[tuple[Row, Row]]) -> Change:
    """Trials and lifecycles of a task have much in common, so tasks and not pairs are drawn."""
    import numpy as np

    from irbridge.stats.bounds import bounds
    from irbridge.stats.units import units

    values = np.array([[_value(name, row) for row in pair] for pair in pairs], np.float64)
    found = bounds(units(values[:, 1] - values[:, 0], [pair[0][0].task_id for pair in pairs]))
    low, high = (None, None) if found is None else found[:2]
    if name == "success" and low is not None and high is not None:
        low, high = max(low, -1.0), min(high, 1.0)
    return Change(name, float(values[:, 0].mean()), float(values[:, 1].mean()), low, high)


def _notes(adapters: tuple[str, str], agents: tuple[str, str], rows: Sequence[tuple[Row, Row]]) -> list[str]:
    """What else is not the same; what is by design, an adapter's or an agent's own, is not said.

    Raises:
        UsageError: the receipts are of another corpus or of other tools.
    """
    apart = [
        name
        for name in ("corpus", "tools", "prompt", "model", "runtime", "config", "index")
        if any(getattr(a[1].fingerprints, name) != getattr(b[1].fingerprints, name) for a, b in rows)
    ]
    for name in ("corpus", "tools"):
        if name in apart:
            raise UsageError(
                f"the receipts of {quoted(adapters[0])} and {quoted(adapters[1])} are not of the same {name}",
                hint="irbridge agentic verify says which report does not hold",
            )
    own = (("config", "index") if adapters[0] != adapters[1] else ()) + (
        ("prompt", "model") if agents[0] != agents[1] else ()
    )
    apart = [name for name in apart if name not in own]
    found = [f"not the same: {', '.join(apart)}"] if apart else []
    if adapters[0] != adapters[1] and agents[0] != agents[1]:
        found.append("adapter and agent differ: nothing tells which of them makes the difference")
    return found
