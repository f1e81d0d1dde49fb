"""Numbers: the measures of a case, for all queries and for each, per stratum, at its k and its threshold."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from irbridge.conformance.base import Case, Check, Implementation, Result, compared

# What a per-query detail calls a measure, and what a report calls it.
_IN_REPORTS = {"ap": "map"}


def settings(case: Case, k: int | None = None) -> list[str]:
    """The options that a case asks its questions with."""
    cutoff = k if k is not None else case.expected.get("k")
    found = [] if cutoff is None else ["-k", str(cutoff)]
    threshold = case.expected.get("threshold")
    return found if threshold is None else [*found, "--threshold", str(threshold)]


def report(
    case: Case,
    implementation: Implementation,
    *more: str,
    judgments: str = "judgments.jsonl",
    run: str = "run.jsonl",
    k: int | None = None,
) -> Any:
    """The report of a scoring."""
    return implementation.asked(
        "score", "--judgments", case.file(judgments), "--run", case.file(run), *settings(case, k), *more
    )


def values(found: Mapping[str, Any]) -> dict[str, Any]:
    """Measure -> value of a report's `metrics`."""
    return {name: measured["value"] for name, measured in found.items()}


def _metrics(case: Case, implementation: Implementation) -> Iterator[Result]:
    yield compared("metrics", case.expected["metrics"], values(report(case, implementation)["metrics"]))


def _metrics_k1(case: Case, implementation: Implementation) -> Iterator[Result]:
    yield compared("metrics_k1", case.expected["metrics_k1"], values(report(case, implementation, k=1)["metrics"]))


def _alone(case: Case, implementation: Implementation, query_id: str) -> Any:
    """The report over one query: the labels of the others are left out."""
    labels = [row for row in case.lines("judgments.jsonl") if row["query_id"] == query_id]
    with tempfile.TemporaryDirectory(prefix="irbridge-conformance-") as folder:
        path = Path(folder) / "judgments.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in labels), encoding="utf-8")
        return implementation.json("score", "--judgments", str(path), "--run", case.file("run.jsonl"), *settings(case))


def _per_query(case: Case, implementation: Implementation) -> Iterator[Result]:
    k = case.expected["k"]
    for query_id, wanted in case.expected["per_query"].items():
        found = values(_alone(case, implementation, query_id)["metrics"])
        expected = {name: value for name, value in wanted.items() if name != "note"}
        yield compared(
            f"per_query {query_id}",
            expected,
            {name: found.get(f"{_IN_REPORTS.get(name, name)}@{k}") for name in expected},
        )


def _queries(case: Case, implementation: Implementation) -> Iterator[Result]:
    if (case.folder / "run.jsonl").exists():
        found = report(case, implementation)["judgments"]["queries"]
    else:
        found = implementation.json("validate", "--judgments", case.file("judgments.jsonl"))["queries"]
    yield compared("queries", case.expected["queries"], found)


def _queries_scored(case: Case, implementation: Implementation) -> Iterator[Result]:
    found = report(case, implementation)["judgments"]["queries_scored"]
    yield compared("queries_scored", case.expected["queries_scored"], found)


def _without_positives(case: Case, implementation: Implementation) -> Iterator[Result]:
    query_ids = sorted({row["query_id"] for row in case.lines("judgments.jsonl")})
    found = [each for each in query_ids if _alone(case, implementation, each)["judgments"]["queries_scored"] == 0]
    yield compared("queries_without_positives", case.expected["queries_without_positives"], found)


def _per_stratum(case: Case, implementation: Implementation) -> Iterator[Result]:
    strata = report(case, implementation)["per_stratum"]
    found = {name: {"n": each["n"], "metrics": values(each["metrics"])} for name, each in strata.items()}
    yield compared("per_stratum", case.expected["per_stratum"], found)


def _per_stratum_n(case: Case, implementation: Implementation) -> Iterator[Result]:
    strata = report(case, implementation)["per_stratum"]
    yield compared("per_stratum_n", case.expected["per_stratum_n"], {name: each["n"] for name, each in strata.items()})


def _order(member: str) -> Check:
    """The order in which a screen lists strata."""

    def run(case: Case, implementation: Implementation) -> Iterator[Result]:
        names = case.expected[member]
        answer = implementation.call(
            "score", "--judgments", case.file("judgments.jsonl"), "--run", case.file("run.jsonl"), *settings(case)
        )
        lines = {name: _line_of(name, answer.out) for name in names}
        listed = sorted((line, name) for name, line in lines.items() if line is not None)
        yield compared(member, names, [name for _, name in listed])

    return Check(member, run)


def _line_of(name: str, screen: str) -> int | None:
    """The number of the first line of a screen that begins with the name, perhaps behind a bullet."""
    return next((number for number, line in enumerate(screen.split("\n")) if name in line.split()[:2]), None)


def _worst_stratum(case: Case, implementation: Implementation) -> Iterator[Result]:
    worst = case.expected["worst_stratum"]
    expression = f"worst-stratum:{worst['metric']}"
    made = report(case, implementation, "--gate", f"{expression}:{worst['value']}")
    gate = made["verdict"]["gates"][0]
    yield compared("worst_stratum value", worst["value"], gate.get("observed"))
    yield compared("worst_stratum gate at the value", "PASS", gate["status"])
    above = report(case, implementation, "--gate", f"{expression}:{worst['value'] + 0.001}")
    yield compared("worst_stratum gate above it", "FAIL", above["verdict"]["gates"][0]["status"])
    found = made["per_stratum"][worst["name"]]["metrics"][worst["metric"]]["value"]
    yield compared(f"worst_stratum {worst['name']}", worst["value"], found)


def _deduped(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Without the repetitions the run has the same numbers, and nothing is said of repeated keys."""
    with case.copied() as own:
        rows = [{"query_id": each, "ranking": ranking} for each, ranking in case.expected["deduped_rankings"].items()]
        (own.folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        plain, repeated = report(own, implementation), report(case, implementation)
    yield compared("deduped_rankings metrics", values(plain["metrics"]), values(repeated["metrics"]))
    said = [reason for reason in plain["verdict"]["reasons"] if "repeated a key" in reason]
    yield compared("deduped_rankings reasons", [], said)


def _duplicates(case: Case, implementation: Implementation) -> Iterator[Result]:
    """Of the queries named each, and no other, is said to repeat a key."""
    named = case.expected["queries_with_duplicates"]
    found = []
    for query_id in sorted({row["query_id"] for row in case.lines("run.jsonl")}):
        with case.copied() as own:
            rows = [row for row in case.lines("run.jsonl") if row["query_id"] == query_id]
            (own.folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            if any("repeated a key" in reason for reason in report(own, implementation)["verdict"]["reasons"]):
                found.append(query_id)
    yield compared("queries_with_duplicates", named, found)


CHECKS = (
    Check("metrics", _metrics),
    Check("metrics_k1", _metrics_k1),
    Check("per_query", _per_query),
    Check("queries", _queries),
    Check("queries_scored", _queries_scored),
    Check("queries_without_positives", _without_positives),
    Check("per_stratum", _per_stratum),
    Check("per_stratum_n", _per_stratum_n),
    _order("scored_order"),
    _order("unscored_order"),
    Check("worst_stratum", _worst_stratum),
    Check("deduped_rankings", _deduped),
    Check("queries_with_duplicates", _duplicates),
)
