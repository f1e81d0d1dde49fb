"""A report as gates see it: values, intervals and strata by measure, under any of the measure's names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.errors import IrbridgeError, UnknownName, UsageError, shown
from irbridge.registry import nearest

if TYPE_CHECKING:
    from irbridge.measures.base import Measure


class Change(NamedTuple):
    """How a measure changed against an earlier run, query by query; `low` and `high` are None where nobody can tell."""

    queries: int
    before: float
    change: float
    low: float | None
    high: float | None
    detectable: float | None


class Measured:
    """What a report says, and what its baseline said.

    Args:
        data: a report of the judgments specification, version 1, as JSON values.
        baseline: the same of an earlier report, or None where there is none.
        refused: why the baseline cannot be compared with; empty where it can.
    """

    def __init__(
        self, data: Mapping[str, Any], baseline: Measured | None = None, refused: tuple[str, ...] = ()
    ) -> None:
        self.data = data
        self.baseline = baseline
        self.refused = refused

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Measure name -> its measurement."""
        found: Mapping[str, Any] = self.data.get("metrics") or {}
        return found

    @property
    def nothing_scored(self) -> bool:
        """Whether the report says that not one query was scored."""
        return (self.data.get("judgments") or {}).get("queries_scored") == 0

    @property
    def unmatched(self) -> str | None:
        """Why its zeros say nothing of a retriever: nothing that was retrieved is judged. None where something is.

        Where a report does not tell, all of its values being 0 is as good as that.
        """
        values = [metric["value"] for metric in self.metrics.values()]
        coverage = self.data.get("coverage")
        hits = coverage.get("judged_hits") if isinstance(coverage, Mapping) else None
        if not values or any(values if type(hits) is not int else [hits]):
            return None
        if type(hits) is int:
            return "none of the ids that its run retrieved is judged"
        return "every value in it is 0, as where none of the retrieved ids is judged"

    @property
    def earlier_is_unmatched(self) -> bool:
        """Whether nothing that the run it is held against retrieved is judged."""
        return (self.data.get("baseline_run") or {}).get("judged_hits") == 0

    @property
    def is_of_other_chunks(self) -> bool:
        """Whether the labels of the baseline were made on another corpus than these, as both say."""
        told = [] if self.baseline is None else [self.baseline.data, self.data]
        names = [(each.get("judgments") or {}).get("fingerprint") for each in told]
        return len({name for name in names if isinstance(name, str)}) == 2

    @cached_property
    def strata(self) -> dict[str, tuple[int, Mapping[str, Any]]]:
        """Stratum -> (queries scored, its metrics), names sorted by code point."""
        found = self.data.get("per_stratum") or {}
        return {name: (found[name]["n"], found[name].get("metrics") or {}) for name in sorted(found)}

    def name_of(self, measure: str, among: Mapping[str, Any] | None = None) -> str | None:
        """The name by which the report knows `measure`: its own, or another of the same meaning."""
        names = self.metrics if among is None else among
        if measure in names:
            return measure
        wanted = _meaning(measure)
        return None if wanted is None else next((name for name in names if _meaning(name) == wanted), None)

    def value(self, measure: str) -> float | None:
        """The value of `measure`, or None where the report has none."""
        name = self.name_of(measure)
        return None if name is None else float(self.metrics[name]["value"])

    def interval(self, measure: str) -> tuple[float, float] | None:
        """The confidence interval over repeated measurements, or None where the report has none."""
        name = self.name_of(measure)
        found = None if name is None else self.metrics[name].get("ci")
        return None if not found else (float(found[0]), float(found[1]))

    def worst_unjudged(self, measure: str) -> float | None:
        """The value with unjudged documents at their worst, or None where the report has none."""
        name = self.name_of(measure)
        about: Mapping[str, Any] = self.data.get("measures") or {}
        found = None if name is None else (about.get(name) or {}).get("unjudged")
        return None if not found else float(found["worst"])

    def before(self, measure: str) -> float | None:
        """The value of `measure` in the baseline, where it may be compared with."""
        return None if self.baseline is None or self.refused else self.baseline.value(measure)

    def change(self, measure: str) -> Change | None:
        """The change of `measure` against the run that it is held against, or None where there is none."""
        held: Mapping[str, Any] = self.data.get("baseline_run") or {}
        found: Mapping[str, Any] = held.get("metrics") or {}
        name = self.name_of(measure, found)
        if name is None:
            return None
        of = found[name]
        low, high = of.get("interval") or (None, None)
        return Change(held.get("queries", 0), of["before"], of["change"], low, high, of.get("detectable"))

    def worst_stratum(self, measure: str) -> tuple[str, float] | None:
        """(name, value) of the stratum with the lowest value: the first by code point of equal ones, of those scored."""
        worst: tuple[str, float] | None = None
        for stratum, (n, metrics) in self.strata.items():
            name = self.name_of(measure, metrics)
            if n == 0 or name is None:
                continue
            value = float(metrics[name]["value"])
            if worst is None or value < worst[1]:
                worst = stratum, value
        return worst

    def way_to(self, measure: str) -> str | None:
        """How a report comes to hold `measure`."""
        try:
            _parsed(measure)
        except UnknownName as error:
            near = nearest(measure, list(self.metrics)) or error.near
            ask = f", or did you mean {' or '.join(near)}?" if near else ""
            return f"'{shown(measure)}' is not a measure here: --measures-from FILE names yours{ask}"
        except IrbridgeError as error:
            return f"{error.message}; {error.hint}" if error.hint else error.message
        return f"-m '{measure}' computes it; a gate looks only at what was asked for"

    def way_before(self, measure: str) -> str | None:
        """How a baseline comes to hold `measure`."""
        if self.refused:
            return None
        if self.baseline is None:
            return "--baseline REPORT.json names the report to compare with; --out REPORT.json writes one"
        other = next(
            (name for name in self.baseline.metrics if _without_cutoff(name) == _without_cutoff(measure)), None
        )
        if other is not None and _without_cutoff(measure) is not None:
            return f"k differs: the baseline has {other}, this report {measure}"
        return f"the baseline has {', '.join(list(self.baseline.metrics)[:6]) or 'no metric at all'}"


def _parsed(name: str) -> Measure:
    from irbridge.measures.names import parse

    found = parse(name)
    if len(found) != 1:
        raise UsageError(f"'{name}' stands for several measures")
    return found[0]


def _meaning(name: str) -> str | None:
    """The canonical name, which is the same for all names of one measure; None for what is none."""
    try:
        return str(_parsed(name))
    except IrbridgeError:
        return None


def _without_cutoff(name: str) -> str | None:
    meaning = _meaning(name)
    return None if meaning is None else meaning.split("@", maxsplit=1)[0]
