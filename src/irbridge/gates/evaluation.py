"""Gates held against a report: the status of each, and what all of them come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from irbridge.gates.base import Gate, Outcome, Status, worst
from irbridge.gates.expressions import parse_all
from irbridge.gates.measured import Measured


class Evaluation(NamedTuple):
    """What gates come to.

    Attributes:
        status: FAIL where one failed, else INDETERMINATE where one could not be decided, else PASS.
        outcomes: (gate, outcome), in the order given.
        missing_strata: required strata that were not scored.
        differences: why the baseline is refused, where a gate wanted it.
    """

    status: Status
    outcomes: tuple[tuple[Gate, Outcome], ...]
    missing_strata: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def reasons(self) -> list[str]:
        """Why the baseline is refused, why each gate that did not pass did not, then what is missing."""
        found = [f"the baseline is refused: {'; '.join(self.differences)}"] if self.differences else []
        found += [outcome.reason for _, outcome in self.outcomes if outcome.reason is not None]
        return found + [f"stratum '{name}' was not scored, and the gates require it" for name in self.missing_strata]

    @property
    def hints(self) -> list[str]:
        """Ways out, each once."""
        return list(dict.fromkeys(outcome.hint for _, outcome in self.outcomes if outcome.hint is not None))

    def as_list(self) -> list[dict[str, Any]]:
        """The specification's `gates`, as JSON values."""
        return [_as_dict(gate, outcome) for gate, outcome in self.outcomes]


def _as_dict(gate: Gate, outcome: Outcome) -> dict[str, Any]:
    made: dict[str, Any] = {"expression": gate.expression, "status": outcome.status}
    if outcome.observed is not None:
        made["observed"] = outcome.observed
    if outcome.baseline is not None:
        made["baseline"] = outcome.baseline
    return made


def evaluate(
    report: Mapping[str, Any] | Measured, gates: Iterable[str | tuple[Any, ...] | Gate], *, require: Sequence[str] = ()
) -> Evaluation:
    """Hold gates against a report.

    Args:
        report: a report as JSON values, whoever made it; with a baseline as `Measured`.
        gates: expressions, or their parts: (nDCG @ 10, 0.8) with a measure object.
        require: strata that must have been scored.

    Raises:
        UsageError: an expression that is none.
    """
    measured = report if isinstance(report, Measured) else Measured(report)
    outcomes = tuple((gate, gate.form.judge(gate, measured)) for gate in parse_all(gates))
    missing = tuple(name for name in require if measured.strata.get(name, (0, {}))[0] == 0)
    status = worst(*(outcome.status for _, outcome in outcomes), "INDETERMINATE" if missing else "PASS")
    wanted = any(outcome.refused for _, outcome in outcomes)
    return Evaluation(status, outcomes, missing, measured.refused if wanted else ())
