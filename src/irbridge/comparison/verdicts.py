"""What a comparison comes to, in one word and, where nothing can be told, in a sentence that says why."""

from __future__ import annotations

from typing import Literal, NamedTuple

from irbridge.comparison.plan import Plan
from irbridge.stats.bounds import Bounds
from irbridge.stats.paired import PairedResult
from irbridge.stats.power import POWER
from irbridge.stats.units import Units
from irbridge.wording import counted

Status = Literal["better", "worse", "same", "unresolvable"]
#: Below so many units no test's assumptions can be looked at, and the sign-flip test has no p of 0.05.
FEWEST = 5


class Verdict(NamedTuple):
    """`better`, `worse`, `same` (within the margin) or `unresolvable`; the last two with their reason."""

    status: Status
    why: str = ""


class Evidence(NamedTuple):
    """What is known of one difference.

    Attributes:
        tested: what the deciding test says.
        adjusted: its p after correction, among `family` comparisons.
        detectable: the smallest difference that so many units could show.
    """

    units: Units
    tested: PairedResult
    adjusted: float | None
    family: int
    interval: Bounds | None
    detectable: float | None


def verdict(of: Evidence, plan: Plan) -> Verdict:
    """What the evidence comes to under a plan."""
    count = len(of.units.sums)
    number = counted(
        count, "cluster" if of.units.clustered else "query", "clusters" if of.units.clustered else "queries"
    )
    if of.tested.p is None or of.adjusted is None:
        return Verdict("unresolvable", of.tested.why)
    if count < FEWEST:
        return Verdict("unresolvable", f"{number} are too few to tell, whatever p is; it takes at least {FEWEST}")
    if of.adjusted <= plan.alpha:
        return Verdict("better" if of.units.mean > 0 else "worse")
    if plan.margin is not None and of.interval is not None and max(-of.interval.low, of.interval.high) < plan.margin:
        return Verdict("same", f"the interval lies within {plan.margin:g} on either side of 0")
    return Verdict("unresolvable", "; ".join(_why(of, plan, number)))


def _why(of: Evidence, plan: Plan, number: str) -> list[str]:
    said: list[str] = []
    name = plan.tests[0].name
    least = of.tested.least
    if least is not None and least * of.family > plan.alpha and plan.correction.name in {"holm", "bonferroni"}:
        among = f", and {of.family} comparisons are made" if of.family > 1 else ""
        said.append(f"{name} cannot go below p = {least:.4f} here{among}")
    elif least is not None and least > plan.alpha:
        said.append(f"{name} cannot go below p = {least:.4f} here")
    elif of.tested.p is not None and of.tested.p <= plan.alpha:
        said.append(f"p = {of.tested.p:.4f} does not last among {of.family} comparisons")
    if of.interval is not None and of.interval.low <= 0 <= of.interval.high:
        said.append("the interval holds 0")
    if of.detectable is not None:
        said.append(
            f"{number} could show a difference of {of.detectable:.4f} or more (power {POWER:g});"
            f" {abs(of.units.mean):.4f} was seen"
        )
    return said
