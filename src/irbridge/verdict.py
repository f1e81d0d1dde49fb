"""What a scoring comes to: its verdict, as long as no gate and no check has been asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from irbridge.scores import Scores

Status = Literal["PASS", "FAIL", "INDETERMINATE"]


class Verdict(NamedTuple):
    """What the report comes to.

    Attributes:
        gates: the outcome of each gate, as JSON values.
        advice: what to do about it, the most urgent first.
    """

    status: Status
    reasons: tuple[str, ...] = ()
    gates: tuple[Mapping[str, Any], ...] = ()
    advice: tuple[str, ...] = ()


def base_verdict(scores: Scores) -> Verdict:
    """The verdict before any gate: INDETERMINATE where nothing was scored; the reasons in the specification's order."""
    convention, coverage = scores.convention, scores.coverage
    reasons: list[str] = []
    # Of the missing queries those count that would have been scored.
    without = set(coverage.no_positives) if convention.no_positives == "exclude" else set()
    missing = sum(query_id not in without for query_id in coverage.missing)
    left_out = convention.missing == "skip"
    if missing and (coverage.scored or left_out):
        fate = "were left out" if left_out else "scored zero"
        reasons.append(f"{missing} judged queries had no run entry and {fate}")
    level = f"at relevance >= {convention.rel}"
    if without and coverage.scored:
        reasons.append(f"{len(without)} judged queries have no label {level} and were excluded from the averages")
    if not coverage.scored:
        reasons.append(f"no query had a label {level}, so no metric was computed")
    if coverage.repeated:
        counted = "last" if convention.duplicates == "last" else "first"
        reasons.append(
            f"{len(coverage.repeated)} queries repeated a key in their ranking; "
            f"only the {counted} occurrence of each was counted"
        )
    return Verdict("PASS" if coverage.scored else "INDETERMINATE", tuple(reasons))
