"""The result of a scoring with all that it rests on: inputs, labels, convention, coverage, versions, verdict.

`Report.as_dict` is the report of the judgments specification, version 1; what irbridge knows beyond it
stands in members of its own, which the specification allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from irbridge._version import __version__
from irbridge.conventions import Convention
from irbridge.evaluate import by_stratum, score, top_grade
from irbridge.inputs import Input, Through, judged_run, labels_of, opened
from irbridge.judging import Judged
from irbridge.measures.base import Measure, need_pool, need_subtopics
from irbridge.provenance import InputRecord, Provenance, now, own_files
from irbridge.qrels import Qrels
from irbridge.scores import Scores
from irbridge.stats.interval import DECIMALS, Measurement, interval
from irbridge.verdict import Verdict, base_verdict

if TYPE_CHECKING:
    from irbridge.budgets import Budgets

SPEC_VERSION = "1"


@dataclass(frozen=True, eq=False)
class Report:
    """Scores and everything they rest on; the only thing that is rendered of a scoring.

    Attributes:
        strata: scores by stratum, names sorted by code point; empty if no label has one.
        notes: what was noticed while reading, in words.
        generated_at: UTC, RFC 3339.
        corpus: the `corpus` member; its fingerprint is null as long as no corpus was looked at.
        drift: the `judgments.drift` member, where labels were held against a corpus.
        labels_sha256: the digest of the labels, where it was asked for.
        measurements: measures from elsewhere that stand beside irbridge's own in `metrics`.
        baseline: what the report was compared with, as JSON values.
        baseline_run: the earlier run that was scored beside this one, and the changes by measure, as JSON values.
    """

    scores: Scores
    strata: Mapping[str, Scores]
    judged: Judged
    provenance: Provenance
    inputs: tuple[InputRecord, ...]
    verdict: Verdict
    notes: tuple[str, ...]
    generated_at: str
    corpus: Mapping[str, Any] = field(default_factory=lambda: {"fingerprint": None})
    drift: Mapping[str, Any] | None = None
    labels_sha256: str | None = None
    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    baseline: Mapping[str, Any] | None = None
    baseline_run: Mapping[str, Any] | None = None

    @property
    def labels(self) -> int:
        """How many labels there are, one that has several rows counted as often."""
        qrels = self.judged.hits.qrels
        return len(qrels) + qrels.repeats

    def as_dict(self) -> dict[str, Any]:
        """JSON values: first the specification's members in its order, then irbridge's own."""
        made: dict[str, Any] = {
            "spec_version": SPEC_VERSION,
            "tool": {"name": "irbridge", "version": __version__},
            "generated_at": self.generated_at,
            "corpus": dict(self.corpus),
            "judgments": self._judgments(),
            "metrics": {
                **metrics(self.scores),
                **{name: measured.as_dict() for name, measured in self.measurements.items()},
            },
        }
        if self.strata:
            made["per_stratum"] = {
                name: {"n": scores.coverage.scored, "metrics": metrics(scores)} for name, scores in self.strata.items()
            }
        made["verdict"] = {
            "status": self.verdict.status,
            "reasons": list(self.verdict.reasons),
            "gates": [dict(gate) for gate in self.verdict.gates],
        }
        return {**made, **self._own()}

    def _judgments(self) -> dict[str, Any]:
        made: dict[str, Any] = {
            "queries": self.scores.coverage.judged,
            "queries_scored": self.scores.coverage.scored,
            "labels": self.labels,
            "fingerprint": self.provenance.fingerprint,
            "human_labels": self.provenance.human,
            "synthetic_labels": self.provenance.synthetic,
        }
        if self.drift is not None:
            made["drift"] = dict(self.drift)
        return made

    def _worst(self) -> dict[str, Any]:
        """{asked name: its lowest stratum, that stratum's value and number of queries}."""
        found: dict[str, Any] = {}
        for number, measure in enumerate(self.scores.measures):
            name = worst_stratum(self.strata, number)
            if name is not None:
                value = self.strata[name].aggregate(number) or 0.0
                found[measure.asked] = {
                    "name": name, "value": round(value, DECIMALS), "n": self.strata[name].coverage.scored,
                }  # fmt: skip
        return found

    def _own(self) -> dict[str, Any]:
        import platform

        import numpy as np

        coverage = self.scores.coverage
        return {
            "measures": {
                measure.asked: _described(self.scores, number, self.judged)
                for number, measure in enumerate(self.scores.measures)
            },
            **({"worst_stratum": self._worst()} if self.strata else {}),
            **({"labels_sha256": self.labels_sha256} if self.labels_sha256 is not None else {}),
            **({"baseline": dict(self.baseline)} if self.baseline is not None else {}),
            **({"baseline_run": dict(self.baseline_run)} if self.baseline_run is not None else {}),
            "convention": self.scores.convention.as_dict(),
            "coverage": {
                "judged": coverage.judged,
                "answered": coverage.answered,
                "scored": coverage.scored,
                "missing": coverage.missing,
                "no_positives": coverage.no_positives,
                "extra": coverage.extra,
                "repeated": coverage.repeated,
                "contradicting": coverage.contradicting,
                "judged_hits": coverage.judged_hits,
                "judged_at_10": None if coverage.judged_at_10 is None else round(coverage.judged_at_10, DECIMALS),
            },
            "inputs": [
                {"role": each.role, "path": each.path, "format": each.format, "sha256": each.sha256}
                for each in self.inputs
            ],
            "notes": list(self.notes),
            "advice": list(self.verdict.advice),
            "versions": {"irbridge": __version__, "python": platform.python_version(), "numpy": np.__version__},
        }


def build(
    judgments: Any,
    run: Any,
    measures: Sequence[Measure],
    convention: Convention,
    *,
    digests: bool = True,
    read: Callable[[Input, Through], Qrels] | None = None,
    budgets: Budgets | None = None,
    provenance: Provenance | None = None,
) -> Report:
    """Score a run and report it; the verdict is that of the scoring alone, see `irbridge.assessment` for the whole.

    Args:
        judgments: anything that `irbridge.load` takes, or the `Input` that it returned.
        run: likewise.
        measures: as `irbridge.parse_measures` gives them.
        convention: how to evaluate.
        digests: read the input files once more for their SHA-256, and make that of the labels.
        read: makes the table of labels; has to let every label through what it is handed.
        budgets: what measures with a budget need (`irbridge.lengths`).
        provenance: counts the labels, or has counted them, where `read` gives a table that was made before.

    Raises:
        IrbridgeError: an input cannot be used, or the convention refuses the run.
    """
    labels, ranked = opened(judgments, "judgments"), opened(run, "run")
    provenance = Provenance() if provenance is None else provenance
    read = read or partial(labels_of, subtopics=need_subtopics(measures), pool=need_pool(measures))
    judged = judged_run(read(labels, provenance.counted), ranked, convention, budgets=budgets)
    scores = score(judged, measures, convention)
    inputs = (("judgments", labels), ("run", ranked))
    return Report(
        scores,
        by_stratum(judged, measures, convention),
        judged,
        provenance,
        tuple(InputRecord.of(role, source, digest=digests) for role, source in inputs),
        base_verdict(scores),
        (
            *(f"{source.label}: {note}" for _, source in inputs for note in source.reading.notes.values()),
            *_left_out(measures),
            *_without_bounds(scores),
        ),
        now(),
        labels_sha256=judged.hits.qrels.sha256() if digests else None,
    )


def _left_out(measures: Sequence[Measure]) -> Iterator[str]:
    """What a nickname such as `official` also stands for, by who computes it."""
    by_engine: dict[str, list[str]] = {}
    for name, engine in getattr(measures, "left_out", {}).items():
        by_engine.setdefault(engine, []).append(name)
    for engine, names in by_engine.items():
        yield f"not computed by irbridge: {', '.join(names)} ({engine})"


def _without_bounds(scores: Scores) -> Iterator[str]:
    """The measures for which bounds over unjudged documents were asked for, and are not known."""
    if scores.convention.unjudged == "bounds":
        names = [measure.asked for number, measure in enumerate(scores.measures) if number not in scores.bounds]
        if names:
            yield f"no worst and best over unjudged documents is known of {', '.join(names)}"


def metrics(scores: Scores) -> dict[str, dict[str, Any]]:
    """The specification's `metrics`: empty where no query counts.

    `n` is how often the value was measured, not how many queries it is a mean of: a deterministic measure is measured
    once. The number of queries is `queries_scored`, and stands with the spread over queries in irbridge's `measures`.
    """
    return {
        name: {"value": round(value, DECIMALS), "n": 1, "deterministic": True}
        for name, value in scores.aggregates().items()
    }


def worst_stratum(strata: Mapping[str, Scores], number: int) -> str | None:
    """The stratum with the lowest value of measure `number`, as reported; of those scored, ties by code point."""
    values = {name: scores.aggregate(number) for name, scores in strata.items()}
    scored = [(round(value, DECIMALS), name) for name, value in values.items() if value is not None]
    return min(scored)[1] if scored else None


def spread(scores: Scores, number: int) -> tuple[float, tuple[float, float]] | None:
    """(standard deviation, 95% Student-t interval of the mean) over the queries of measure `number`.

    None for a sum or a geometric mean, and for fewer than two queries.
    """
    row = scores.values[number]
    family = scores.measures[number].family
    if len(row) < 2 or family.total or family.mean is not None:
        return None
    stdev = float(row.std(ddof=1))
    return stdev, interval(float(row.mean()), stdev, len(row))


def _described(scores: Scores, number: int, judged: Judged) -> dict[str, Any]:
    """What irbridge says of one measure beyond its value."""
    measure = scores.measures[number]
    said: dict[str, Any] = {"measure": str(measure), "queries": scores.values.shape[1]}
    if measure.gain is not None:
        said["gain"] = str(measure.gain)
    files = own_files(measure.family)
    if files:
        said["from"] = list(files)
    budget = measure.budget
    if budget is not None:
        said["budget"] = {"limit": budget.limit, "unit": budget.unit, "counted": judged.lengths[budget.unit]}
        said["documents"] = round(float(judged.hits.depths[budget].mean()), DECIMALS)
    bound = scores.bound(number)
    if bound is None and scores.convention.unjudged == "bounds" and number not in scores.bounds:
        said["unjudged"] = None
    elif bound is not None:
        worst, best = bound
        said["unjudged"] = {
            "worst": round(worst, DECIMALS), "best": round(best, DECIMALS),
            "highest_grade": top_grade(judged.hits, scores.convention),
        }  # fmt: skip
    found = spread(scores, number)
    if found is not None:
        stdev, (low, high) = found
        said["stdev"] = round(stdev, DECIMALS)
        said["interval"] = [round(low, DECIMALS), round(high, DECIMALS)]
    return said
