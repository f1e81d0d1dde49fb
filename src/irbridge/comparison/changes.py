"""How a run changed against an earlier one, query by query: what a non-inferiority gate is held against."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from irbridge.comparison.verdicts import FEWEST
from irbridge.scores import Scores
from irbridge.stats.bounds import bounds
from irbridge.stats.interval import DECIMALS
from irbridge.stats.power import detectable
from irbridge.stats.units import differences, standard_error, units


class Change(NamedTuple):
    """One measure against its values in the earlier run.

    Attributes:
        before: the earlier mean.
        change: the mean difference over queries, now less before.
        interval: its 95% interval; a point where every query changed by the same, as where nothing did; None where
            there are too few queries to tell.
        method: "t", "bca", "wider" (of both the ends that are farther out) or "point".
        detectable: the smallest true change that so many queries could show; None where there is no spread.
    """

    before: float
    change: float
    interval: tuple[float, float] | None
    method: str | None
    detectable: float | None

    def as_dict(self) -> dict[str, Any]:
        """JSON values, as a report's `baseline_run` has them."""
        return {
            "before": round(self.before, DECIMALS),
            "change": round(self.change, DECIMALS),
            "interval": None if self.interval is None else [round(end, DECIMALS) for end in self.interval],
            "interval_method": self.method,
            "detectable": None if self.detectable is None else round(self.detectable, DECIMALS),
        }


def changes(before: Scores, now: Scores) -> tuple[int, dict[str, Change]]:
    """The changes of all measures that are means over queries.

    Args:
        before: scores of the earlier run.
        now: of this one, by the same measures on the same labels.

    Returns:
        how many queries count in both, and {asked name: change}; empty where there is no such query.
    """
    place = {query_id: number for number, query_id in enumerate(before.query_ids)}
    both = [(place[query_id], number) for number, query_id in enumerate(now.query_ids) if query_id in place]
    if not both:
        return 0, {}
    there, here = (np.array(side, np.int64) for side in zip(*both, strict=True))
    found: dict[str, Change] = {}
    for number, measure in enumerate(now.measures):
        if not measure.family.total and measure.family.mean is None:
            found[measure.asked] = _change(before.values[number][there], now.values[number][here])
    return len(both), found


def _change(before: Any, now: Any) -> Change:
    of = units(differences(now, before))
    error = standard_error(of)
    interval: tuple[float, float] | None = None
    method = None
    if len(of.sums) >= FEWEST:
        found = bounds(of)
        interval, method = ((of.mean, of.mean), "point") if found is None else (found[:2], found.method)
    return Change(
        float(before.mean()),
        of.mean,
        interval,
        method,
        None if error is None else detectable(error, len(of.sums) - 1),
    )
