"""`worst-stratum:recall@5:0.7`: even in the weakest stratum a measure is at least so high."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return parts[0] == "worst-stratum"


def _judge(gate: Gate, measured: Measured) -> Outcome:
    worst = measured.worst_stratum(gate.measure)
    if worst is None:
        if measured.strata and all(n == 0 for n, _ in measured.strata.values()):
            why, hint = f"no stratum was scored for '{gate.measure}'", None
        else:
            why = f"no per-stratum data for '{gate.measure}'"
            hint = measured.way_to(gate.measure) if measured.strata else "give the labels a field stratum"
        return Outcome("INDETERMINATE", reason=f"{gate.expression}: {why}", hint=hint)
    name, value = worst
    status = gate.held(exact(value))
    reason = None if status == "PASS" else f"worst stratum {gate.measure} is {value:.4f}, below {gate.limit}"
    return Outcome(status, value, reason=reason, where=name)


GATE = Form(
    name="worst-stratum",
    syntax="worst-stratum:<metric>:<floor>",
    example="worst-stratum:recall@5:0.7",
    summary="in the weakest stratum that was scored, the measure is at least so high",
    claims=_claims,
    size=3,
    place=1,
    judge=_judge,
)
