"""What is run, and in which order: adapters, then lifecycles as given, then trials, then tasks, each sorted by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, get_args

from irbridge.agentic.agents.base import Trial
from irbridge.agentic.records import Lifecycle
from irbridge.errors import UsageError
from irbridge.registry import one_of


class Slot(NamedTuple):
    """One attempted pair."""

    adapter: str
    lifecycle: Lifecycle
    trial: Trial
    task_id: str


def schedule(
    adapters: Sequence[str], lifecycles: Sequence[Lifecycle], trials: Sequence[Trial], tasks: Sequence[str]
) -> list[Slot]:
    """The full matrix in its order.

    Raises:
        UsageError: one of the four is empty or names something twice.
        UnknownName: a lifecycle is neither cold nor warm.
    """
    for lifecycle in lifecycles:
        one_of("lifecycle", lifecycle, get_args(Lifecycle))
    named: dict[str, list[str]] = {
        "adapters": list(adapters),
        "lifecycles": [str(lifecycle) for lifecycle in lifecycles],
        "trials": [trial.trial_id for trial in trials],
        "tasks": list(tasks),
    }
    for what, names in named.items():
        if not names:
            raise UsageError(f"no {what} to run")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise UsageError(f"{what} named twice: {', '.join(twice)}")
    return [
        Slot(adapter, lifecycle, trial, task_id)
        for adapter in sorted(adapters)
        for lifecycle in lifecycles
        for trial in sorted(trials, key=lambda trial: trial.trial_id)
        for task_id in sorted(tasks)
    ]
