"""What is run, and in which order: adapters, then lifecycles as given, then trials, then tasks, each sorted by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

import msgspec

from irbridge.agentic.agents.base import Trial
from irbridge.agentic.records import Id, Lifecycle
from irbridge.errors import UsageError, quoted
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
        UsageError: one of the four is empty or names something twice, or the trials are none that a receipt can name.
        UnknownName: a lifecycle is neither cold nor warm.
    """
    _check(trials)
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


def _check(trials: Any) -> None:
    """Hold the trials of anybody's agent against what receipts can name.

    Raises:
        UsageError: it is no list of trials with an id and a seed.
    """
    if not isinstance(trials, Sequence):
        raise UsageError(f"the agent's trials are {quoted(trials, 60)}, and no list")
    for trial in trials:
        try:
            msgspec.convert((trial.trial_id, trial.seed), tuple[Id, int | None])
        except (AttributeError, msgspec.ValidationError) as error:
            raise UsageError(f"{quoted(trial, 80)} is no trial with an id and a seed") from error
