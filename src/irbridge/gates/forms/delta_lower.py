"""`recall@5:delta-lower:-0.02`: a measure is not worse than in an earlier run by more than a margin, beyond what chance does.

Held against the bound is the interval of the change over the queries that both runs answer for, not the change alone: where
it holds the bound, nobody can tell, and the verdict says so. (Non-inferiority; the lower end of a two-sided 95% interval is
a one-sided test at 2.5%, as in ICH E9, section 3.3.2.)
"""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.gates.base import Form, Gate, Outcome, exact
from irbridge.gates.measured import Measured


def _claims(parts: Sequence[str]) -> bool:
    return len(parts) == 3 and parts[1] == "delta-lower" and parts[0] != "worst-stratum"


def _judge(gate: Gate, measured: Measured) -> Outcome:
    change = measured.change(gate.measure)
    if change is None:
        why = f"no change of '{gate.measure}' query by query"
        return gate.undecided(why, measured, observed=measured.value(gate.measure), hint=_way_to(gate, measured))
    if measured.earlier_is_unmatched:
        why = "none of the ids that the earlier run retrieved is judged"
        way = "run the earlier retriever again on the corpus of these labels: --baseline-run names that run"
        return gate.undecided(why, measured, observed=measured.value(gate.measure), hint=way)
    if change.low is None or change.high is None:
        return gate.undecided(f"{change.queries} queries are too few to tell", measured, observed=change.change)
    if gate.held(exact(change.low)) == "PASS":
        return Outcome("PASS", change.low, change.before)
    interval = f"{change.low:.4f} to {change.high:.4f}"
    if gate.held(exact(change.high)) == "FAIL":
        reason = f"{gate.measure} changed by {change.change:.4f}, interval {interval}, all of it below {gate.limit}"
        return Outcome("FAIL", change.low, change.before, reason)
    why = f"the interval of the change, {interval}, holds {gate.limit}: {change.queries} queries cannot tell"
    hint = None if change.detectable is None else f"so many queries could show a change of {change.detectable:.4f}"
    return gate.undecided(why, measured, observed=change.low, hint=hint)._replace(baseline=change.before)


def _way_to(gate: Gate, measured: Measured) -> str | None:
    if measured.value(gate.measure) is None:
        return measured.way_to(gate.measure)
    return "--baseline-run RUN names the earlier run, to be scored on the same labels; a mean alone has no interval"


GATE = Form(
    name="delta-lower",
    syntax="<metric>:delta-lower:<-margin or +rise>",
    example="recall@5:delta-lower:-0.02",
    summary="against --baseline-run, the lower end of the interval of the change is at least so high",
    claims=_claims,
    size=3,
    place=0,
    judge=_judge,
)
