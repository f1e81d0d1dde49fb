"""`drift:orphaned:0`: at most so many labels no longer match the corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured

_STATUSES = ("valid", "re_anchorable", "merged", "split", "orphaned")
#: What is counted; each also as a share of the labels, as `stale_rate`.
COUNTS = ("stale", "re_anchorable", "merged", "split", "orphaned", "gone")
NAMES = tuple(name + end for name in COUNTS for end in ("", "_rate"))


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) > 2 and parts[0] == "drift" and not parts[1].endswith("-lower")


def _judge(gate: Gate, measured: Measured) -> Outcome:
    drift = (measured.data.get("judgments") or {}).get("drift")
    if drift is None:
        why, hint = "no corpus was looked at", "--corpus CORPUS holds the labels against it"
        return Outcome("INDETERMINATE", reason=f"{gate.expression}: {why}", hint=hint)
    value = _value(gate.measure, drift)
    if value is None:
        why = "there are no labels" if not _total(drift) else f"'{gate.measure}' not present in the report"
        return Outcome("INDETERMINATE", reason=f"{gate.expression}: {why}")
    if exact(value) <= gate.bound:
        return Outcome("PASS", value)
    said = f"{value:.4f}" if gate.measure.endswith("_rate") else f"{value:,}"
    return Outcome("FAIL", value, reason=f"{gate.measure} is {said}, above {_most(gate.bound)}")


def _total(drift: Mapping[str, Any]) -> int:
    return sum(drift[name] for name in _STATUSES)


def _value(name: str, drift: Mapping[str, Any]) -> float | None:
    """A count, or a share as the report would round it; None where there are no labels, or the report does not tell."""
    total, of = _total(drift), name.removesuffix("_rate")
    found: int | None = drift.get(of)
    if of == "stale":
        found = total - drift["valid"]
    elif of == "gone":
        found = None if "still_there" not in drift else drift["orphaned"] - drift["still_there"]
    if not total or found is None:
        return None
    return found if of == name else round(found / total, 12)


def _most(bound: Decimal) -> str:
    return str(int(bound)) if bound == bound.to_integral_value() else str(float(bound))


GATE = Form(
    name="drift",
    syntax="drift:<count>:<at most>",
    example="drift:orphaned:0",
    summary="of the labels at most so many, or such a share, no longer match the corpus as it says",
    claims=_claims,
    size=3,
    place=1,
    judge=_judge,
    signed=False,
    names=NAMES,
)
