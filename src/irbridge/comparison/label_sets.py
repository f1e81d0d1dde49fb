"""Whether two sets of labels put the same systems in the same order."""

from __future__ import annotations

from typing import Any, NamedTuple

from irbridge.comparison.systems import Systems
from irbridge.stats.rank_correlation import tau, tau_ap


class Agreement(NamedTuple):
    """One measure under two sets of labels.

    Attributes:
        first, second: the mean of each system under either.
        tau: Kendall's tau-b, or None where one side ties all systems.
        tau_ap: of the second order as an estimate of the first, or None where two systems are equal.
        swaps: pairs of systems that the two sets put in opposite orders.
    """

    measure: str
    first: tuple[float, ...]
    second: tuple[float, ...]
    tau: float | None
    tau_ap: float | None
    swaps: int


class LabelSets(NamedTuple):
    """The order of the same systems under two sets of labels, by measure; `label` names the second set."""

    label: str
    queries: int
    agreements: tuple[Agreement, ...]

    def as_dict(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "path": self.label,
            "queries": self.queries,
            "measures": {
                each.measure: {
                    "tau": each.tau,
                    "tau_ap": each.tau_ap,
                    "swaps": each.swaps,
                    "first": list(each.first),
                    "second": list(each.second),
                }
                for each in self.agreements
            },
        }


def label_sets(first: Systems, second: Systems, label: str) -> LabelSets:
    """Hold the order of systems under one set of labels against that under another.

    Args:
        first: the systems on the labels that count.
        second: the same systems by the same measures on the others.
        label: what messages call the others.
    """
    found: list[Agreement] = []
    for number, measure in enumerate(first.measures):
        one = tuple(float(row.mean()) for row in first.values[:, number])
        other = tuple(float(row.mean()) for row in second.values[:, number])
        pairs = [(a, b) for a in range(len(one)) for b in range(a)]
        swaps = sum((one[a] - one[b]) * (other[a] - other[b]) < 0 for a, b in pairs)
        found.append(Agreement(measure.asked, one, other, tau(other, one), tau_ap(other, one), swaps))
    return LabelSets(label, len(second.query_ids), tuple(found))
