"""`recall@5:unjudged-lower:0.7`: with unjudged documents at their worst, the measure is at least so high."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) == 3 and parts[1] == "unjudged-lower" and parts[0] != "worst-stratum"


def _judge(gate: Gate, measured: Measured) -> Outcome:
    worst = measured.worst_unjudged(gate.measure)
    if worst is None:
        value = measured.value(gate.measure)
        hint = "--unjudged bounds computes it, for the measures that have one" if value is not None else None
        why = f"no worst value of '{gate.measure}' over unjudged documents"
        return gate.undecided(why, measured, observed=value, hint=hint)
    status = gate.held(exact(worst))
    reason = (
        None
        if status == "PASS"
        else f"{gate.measure} may be {worst:.4f} with its unjudged documents, below {gate.limit}"
    )
    return Outcome(status, worst, reason=reason)


GATE = Form(
    name="unjudged-lower",
    syntax="<metric>:unjudged-lower:<floor>",
    example="recall@5:unjudged-lower:0.7",
    summary="the measure is at least so high whatever grades unjudged documents have",
    claims=_claims,
    size=3,
    place=0,
    judge=_judge,
    signed=False,
)
