"""`recall@5:0.8`: a measure is at least so high."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.forms.drift import NAMES
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) == 2 and parts[0] != "worst-stratum" and not parts[1].startswith(("+", "-"))


def _judge(gate: Gate, measured: Measured) -> Outcome:
    value = measured.value(gate.measure)
    if value is None:
        why = f"metric '{gate.measure}' not present in the report"
        hint = f"did you mean drift:{gate.expression}?" if gate.measure in NAMES else measured.way_to(gate.measure)
        return gate.undecided(why, measured, hint=hint)
    status = gate.held(exact(value))
    reason = None if status == "PASS" else f"{gate.measure} is {value:.4f}, below {gate.limit}"
    return Outcome(status, value, reason=reason)


GATE = Form(
    name="floor",
    syntax="<metric>:<floor>",
    example="recall@5:0.8",
    summary="the measure is at least so high",
    claims=_claims,
    size=2,
    place=0,
    judge=_judge,
)
