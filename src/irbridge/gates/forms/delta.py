"""`recall@5:-0.02`, `recall@5:+0.01`: a measure changed by at least so much against a baseline; a fall is negative."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) == 2 and parts[0] != "worst-stratum" and parts[1].startswith(("+", "-"))


def _judge(gate: Gate, measured: Measured) -> Outcome:
    value = measured.value(gate.measure)
    before = measured.before(gate.measure)
    if value is None or before is None:
        hint = measured.way_to(gate.measure) if value is None else measured.way_before(gate.measure)
        undecided = gate.undecided(f"no baseline value for '{gate.measure}'", measured, observed=value, hint=hint)
        return undecided._replace(refused=bool(measured.refused))
    status = gate.held(exact(value) - exact(before))
    reason = None if status == "PASS" else f"{gate.measure} {_change(before, value)}, outside {gate.limit}"
    return Outcome(status, value, before, reason)


def _change(before: float, value: float) -> str:
    change = value - before
    direction = f"fell {-change:.4f}" if change < 0 else f"rose {change:.4f}"
    return f"{direction}, from {before:.4f} to {value:.4f}"


GATE = Form(
    name="delta",
    syntax="<metric>:<-fall or +rise>",
    example="recall@5:-0.02",
    summary="against --baseline, the measure fell by no more, or rose by no less",
    claims=_claims,
    size=2,
    place=0,
    judge=_judge,
)
