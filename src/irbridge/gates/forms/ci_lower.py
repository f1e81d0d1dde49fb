"""`faithfulness:ci-lower:0.8`: the lower end of a measure's confidence interval is at least so high."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) == 3 and parts[1] == "ci-lower" and parts[0] != "worst-stratum"


def _judge(gate: Gate, measured: Measured) -> Outcome:
    interval = measured.interval(gate.measure)
    if interval is None:
        value = measured.value(gate.measure)
        # The interval that a screen shows is over queries; that of a report's `ci` is over repeated measurements.
        hint = (
            f"ci-lower looks at measures that were sampled several times; the interval shown beside {gate.measure} is over"
            " queries"
            if value is not None
            else None
        )
        why = f"no confidence interval on '{gate.measure}', sample it more than once"
        return gate.undecided(why, measured, observed=value, hint=hint)
    lower = interval[0]
    status = gate.held(exact(lower))
    reason = None if status == "PASS" else f"{gate.measure} lower bound is {lower:.4f}, below {gate.limit}"
    return Outcome(status, lower, reason=reason)


GATE = Form(
    name="ci-lower",
    syntax="<metric>:ci-lower:<floor>",
    example="faithfulness:ci-lower:0.8",
    summary="the lower end of the measure's confidence interval is at least so high",
    claims=_claims,
    size=3,
    place=0,
    judge=_judge,
)
