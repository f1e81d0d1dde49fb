"""Two reports, or two adapters of one, held against each other on the pairs that both have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.agentic.lanes import both
from irbridge.agentic.pairs import Identity, identity_of
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.trajectory import CanonicalReceipt, TaskScore
from irbridge.errors import UnknownName, UsageError, quoted
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
    """Two adapters' receipts on common pairs.

    Attributes:
        pairs: scored on both sides. `apart`: pairs that only one side has. `excluded`: failures of the harness.
        notes: what makes the numbers less comparable.
    """

    adapters: tuple[str, str]
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

    Args:
        one: the first.
        other: the second; differences are second minus first.
        adapters: which adapter of each.

    Raises:
        UnknownName: a report does not have that adapter.
        UsageError: no adapter, or no pair, is in both.
    """
    held = one.environment.schedule.adapters, other.environment.schedule.adapters
    if adapters is None:
        common = [(name, name) for name in held[0] if name in held[1]]
        if not common:
            hint = f"name one of each: --adapter {held[0][0]},{held[1][0]}"
            raise UsageError("no adapter is in both reports", hint=hint)
    else:
        for name, known in zip(adapters, held, strict=True):
            if name not in known:
                raise UnknownName("adapter of the report", name, nearest(name, list(known)), hint=", ".join(known))
        common = [adapters]
    return [_compared(one, other, names) for names in common]


def _compared(one: BenchmarkReport, other: BenchmarkReport, adapters: tuple[str, str]) -> Compared:
    sides = _rows(one, adapters[0]), _rows(other, adapters[1])
    shared = sorted(set(sides[0]) & set(sides[1]))
    if not shared:
        raise UsageError(
            f"{quoted(adapters[0])} and {quoted(adapters[1])} have no pair in common",
            hint="a pair is the same task, trial, lifecycle, seed and agent",
        )
    rows = [(sides[0][pair], sides[1][pair]) for pair in shared]
    kept = [pair for pair in rows if pair[0][0].scored and pair[1][0].scored]
    by_task: dict[str, list[tuple[Row, Row]]] = {}
    for pair in kept:
        by_task.setdefault(pair[0][0].task_id, []).append(pair)
    changed = [_task(task_id, own) for task_id, own in by_task.items()]
    return Compared(
        adapters,
        len(kept),
        len(by_task),
        len(set(sides[0]) ^ set(sides[1])),
        len(rows) - len(kept),
        [_change(name, kept) for name, _, _ in METRICS] if kept else [],
        [each for each in changed if any(first != second for first, second in each[1:])],
        _notes(one, other, rows),
    )


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
    return Change(name, float(values[:, 0].mean()), float(values[:, 1].mean()), low, high)


def _notes(one: BenchmarkReport, other: BenchmarkReport, rows: Sequence[tuple[Row, Row]]) -> list[str]:
    found = []
    if one.environment.match != other.environment.match:
        found.append(f"citations match {one.environment.match} in the first, {other.environment.match} in the second")
    names = ["corpus", "prompt", "tools", "model", "runtime"]
    if all(a[0].adapter_id == b[0].adapter_id for a, b in rows):
        names += ["config", "index"]  # two adapters differ in them by design
    apart = [
        name
        for name in names
        if any(getattr(a[1].fingerprints, name) != getattr(b[1].fingerprints, name) for a, b in rows)
    ]
    if one.fixture_fingerprint != other.fixture_fingerprint:
        apart.insert(0, "fixture")
    if apart:
        found.append(f"not the same: {', '.join(apart)}")
    return found
