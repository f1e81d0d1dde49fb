"""The result of a comparison: systems, differences from the baseline, and what was noticed."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from irbridge._version import __version__
from irbridge.comparison.label_sets import LabelSets
from irbridge.comparison.plan import Plan
from irbridge.comparison.systems import Systems
from irbridge.comparison.verdicts import Verdict
from irbridge.errors import MissingDependency, UsageError, shown
from irbridge.measures.names import asked_name
from irbridge.provenance import InputRecord
from irbridge.stats.bounds import Bounds
from irbridge.stats.effect_size import EffectSize
from irbridge.stats.interval import DECIMALS
from irbridge.stats.paired import PairedResult
from irbridge.stats.units import EQUAL_WITHIN, Record


class Difference(NamedTuple):
    """One system against the baseline by one measure.

    Attributes:
        system, measure: numbers of the two.
        mean: the mean difference over queries, this system's less the baseline's.
        record: wins, ties and losses.
        tested: test name -> what it says.
        adjusted: test name -> its p after correction; None where there is none.
        detectable: the smallest true difference that these queries could show; None where there is no spread.
        unjudged: the least and the most that the mean can be over all grades of the unjudged documents, where they were asked for
            and are known.
    """

    system: int
    measure: int
    mean: float
    record: Record
    interval: Bounds | None
    tested: Mapping[str, PairedResult]
    adjusted: Mapping[str, float | None]
    effect: EffectSize | None
    detectable: float | None
    verdict: Verdict
    unjudged: tuple[float, float] | None = None

    @property
    def certain(self) -> str | None:
        """`better` or `worse` where the mean is that whatever grades unjudged documents have; None where they may turn it."""
        if self.unjudged is None:
            return None
        least, most = self.unjudged
        return "better" if least > EQUAL_WITHIN else "worse" if most < -EQUAL_WITHIN else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Systems and their differences from a baseline.

    Attributes:
        baseline: its number, or None where nothing is compared.
        differences: by measure, then system, the baseline left out.
        clusters: how many clusters of queries there are, or None where every query stands for itself.
        label_sets: the order of the systems under other labels, where there are some.
        inputs: the files of everything that it rests on.
    """

    systems: Systems
    plan: Plan
    baseline: int | None
    differences: tuple[Difference, ...]
    clusters: int | None
    label_sets: LabelSets | None
    generated_at: str
    inputs: tuple[InputRecord, ...] = ()

    def table(self) -> list[dict[str, Any]]:
        """A row for each system: `name`, each measure, and beside it `+`, `-`, `p-value` and so on of the deciding test.

        The names are those of PyTerrier's Experiment: "nDCG@10", "nDCG@10 +" (wins), "nDCG@10 -" (losses), "nDCG@10 p-value",
        "nDCG@10 reject", "nDCG@10 p-value corrected". The baseline has None there.
        """
        found = {(each.system, each.measure): each for each in self.differences}
        rows: list[dict[str, Any]] = []
        for system, name in enumerate(self.systems.names):
            row: dict[str, Any] = {"name": name}
            for number, measure in enumerate(self.systems.measures):
                row[measure.asked] = self.systems.aggregate(system, number)
                if self.baseline is not None:
                    row |= self._beside(measure.asked, found.get((system, number)))
            rows.append(row)
        return rows

    def _beside(self, measure: str, found: Difference | None) -> dict[str, Any]:
        first = self.plan.tests[0].name
        made: dict[str, Any] = {
            f"{measure} +": None if found is None else found.record.wins,
            f"{measure} -": None if found is None else found.record.losses,
            f"{measure} p-value": None if found is None else found.tested[first].p,
        }
        if self.plan.correction.name != "none":
            made[f"{measure} reject"] = None if found is None else found.verdict.status in {"better", "worse"}
            made[f"{measure} p-value corrected"] = None if found is None else found.adjusted[first]
        return made

    def rows(self) -> Iterator[dict[str, Any]]:
        """A flat row for each difference, with everything that is known of it."""
        names, measures = self.systems.names, self.systems.measures
        for each in self.differences:
            yield {
                "measure": measures[each.measure].asked,
                "system": names[each.system],
                "baseline": "" if self.baseline is None else names[self.baseline],
                "queries": len(self.systems.query_ids),
                "mean": float(self.systems.values[each.system, each.measure].mean()),
                "difference": each.mean,
                "low": None if each.interval is None else each.interval.low,
                "high": None if each.interval is None else each.interval.high,
                "interval": None if each.interval is None else each.interval.method,
                **each.record._asdict(),
                **{f"p {name}": tested.p for name, tested in each.tested.items()},
                **{f"p {name} corrected": adjusted for name, adjusted in each.adjusted.items()},
                "d_z": None if each.effect is None else each.effect.d_z,
                "g_z": None if each.effect is None else each.effect.g_z,
                "detectable": each.detectable,
                "verdict": each.verdict.status,
                "why": each.verdict.why,
                **(self._unjudged(each) if self.bounded else {}),
            }

    def _unjudged(self, of: Difference) -> dict[str, Any]:
        least, most = of.unjudged or (None, None)
        worst, best = self.systems.bound(of.system, of.measure) or (None, None)
        made = {"unjudged_worst": worst, "unjudged_best": best}
        if self.baseline is not None:
            low, high = self.systems.bound(self.baseline, of.measure) or (None, None)
            made |= {"baseline_unjudged_worst": low, "baseline_unjudged_best": high}
        return {**made, "unjudged_least": least, "unjudged_most": most, "unjudged_certain": of.certain}

    @property
    def bounded(self) -> bool:
        """Whether bounds over unjudged documents were asked for."""
        return self.systems.convention.unjudged == "bounds"

    def per_query(self) -> Iterator[tuple[str, str, str, float]]:
        """(system, query_id, measure, value), by system, query, then measure; unrounded."""
        names = [measure.asked for measure in self.systems.measures]
        for system, values in zip(self.systems.names, self.systems.values, strict=True):
            for query_id, row in zip(self.systems.query_ids, values.T.tolist(), strict=True):
                for name, value in zip(names, row, strict=True):
                    yield system, query_id, name, value

    def to_pandas(self, *, per_query: bool = False) -> Any:
        """`table()` as a DataFrame; or the values by query, with PyTerrier's columns name, qid, measure and value.

        Raises:
            MissingDependency: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingDependency("pandas", "pandas") from None
        if per_query:
            return pd.DataFrame(list(self.per_query()), columns=["name", "qid", "measure", "value"])
        return pd.DataFrame(self.table())

    def of(self, system: str, measure: Any) -> Difference:
        """The difference of one system from the baseline by one measure: the name that was asked for, or an object.

        Raises:
            UsageError: it was not compared.
        """
        name = asked_name(measure)
        for each in self.differences:
            named = self.systems.names[each.system], self.systems.measures[each.measure].asked
            if named == (system, name):
                return each
        raise UsageError(f"'{shown(system)}' was not compared by '{shown(name)}'")

    def as_dict(self) -> dict[str, Any]:
        """JSON values (spec/statistics.md)."""
        import numpy as np

        systems, plan = self.systems, self.plan
        made: dict[str, Any] = {
            "tool": {"name": "irbridge", "version": __version__},
            "generated_at": self.generated_at,
            "queries": len(systems.query_ids),
            "queries_left_out": systems.left_out,
            "cluster_by": plan.cluster_by,
            "clusters": self.clusters,
            "baseline": None if self.baseline is None else systems.names[self.baseline],
            "tests": [test.name for test in plan.tests],
            "correction": plan.correction.name,
            "alpha": plan.alpha,
            "margin": plan.margin,
            "seed": plan.seed,
            "systems": [
                {
                    "name": name,
                    "path": record.path,
                    "format": record.format,
                    "missing": len(systems.scores[number].coverage.missing),
                    "judged_hits": systems.scores[number].coverage.judged_hits,
                    "metrics": {
                        measure.asked: _rounded(systems.aggregate(number, place))
                        for place, measure in enumerate(systems.measures)
                    },
                    **({"unjudged": self._bounds(number)} if self.bounded else {}),
                    **({"budgets": self._budgets(number)} if systems.fit(number) else {}),
                }
                for number, (name, record) in enumerate(zip(systems.names, systems.inputs, strict=True))
            ],
            "differences": [self._difference(each) for each in self.differences],
        }
        if self.label_sets is not None:
            made["label_sets"] = self.label_sets.as_dict()
        return {
            **made,
            "convention": systems.convention.as_dict(),
            "labels_sha256": systems.labels_sha256,
            "inputs": [each._asdict() for each in self.inputs],
            "notes": list(systems.notes),
            "versions": {"irbridge": __version__, "python": platform.python_version(), "numpy": np.__version__},
        }

    def _bounds(self, system: int) -> dict[str, list[float | None] | None]:
        """{measure: [worst, best]}; null where they are not known."""
        found = (
            (measure.asked, self.systems.bound(system, place)) for place, measure in enumerate(self.systems.measures)
        )
        return {name: None if both is None else [_rounded(each) for each in both] for name, both in found}

    def _budgets(self, system: int) -> dict[str, Any]:
        counted = self.systems.judged[system].lengths
        return {
            str(budget): {"counted": counted[budget.unit], "documents": _rounded(mean)}
            for budget, mean in self.systems.fit(system).items()
        }

    def _difference(self, of: Difference) -> dict[str, Any]:
        interval, effect = of.interval, of.effect
        return {
            "system": self.systems.names[of.system],
            "measure": self.systems.measures[of.measure].asked,
            "difference": _rounded(of.mean),
            **of.record._asdict(),
            "interval": None if interval is None else [_rounded(interval.low), _rounded(interval.high)],
            "interval_method": None if interval is None else interval.method,
            "tests": {
                name: {
                    "p": _rounded(tested.p), "corrected": _rounded(of.adjusted[name]), "how": tested.how, "why": tested.why,
                }
                for name, tested in of.tested.items()
            },
            "d_z": None if effect is None else _rounded(effect.d_z),
            "g_z": None if effect is None else _rounded(effect.g_z),
            "detectable": _rounded(of.detectable),
            "verdict": of.verdict.status,
            "why": of.verdict.why,
            **(
                {
                    "unjudged": None if of.unjudged is None else [_rounded(each) for each in of.unjudged],
                    "unjudged_certain": of.certain,
                }
                if self.bounded
                else {}
            ),
        }  # fmt: skip
