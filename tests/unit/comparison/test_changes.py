"""Changes against an earlier run, and the gate that is held against them."""

from __future__ import annotations

from typing import Any

import pytest

import irbridge
from irbridge.comparison.changes import changes
from irbridge.gates.evaluation import evaluate

QUERIES = [f"q{number}" for number in range(1, 9)]
QRELS = {query: {"rel": 1} for query in QUERIES}


def scores(first_in: list[str], queries: list[str] = QUERIES, **options: Any) -> irbridge.Scores:
    run = {query: {"rel": 2.0 if query in first_in else 0.5, "other": 1.0} for query in queries}
    return irbridge.score(QRELS, run, "RR NumRet", **options)


def test_a_change_by_hand() -> None:
    queries, found = changes(scores(QUERIES[6:]), scores(QUERIES))
    assert queries == 8
    assert list(found) == ["RR"]  # a count is no mean: it has no interval
    change = found["RR"]
    # 1/2 six times and 0 twice (test_comparing): mean 3/8, s^2 = 0.375 / 7, t(0.975, 7) = 2.364624.
    half = 2.364624 * (0.375 / 7 / 8) ** 0.5
    assert (change.before, change.change, change.method) == (0.625, 0.375, "t")
    assert change.interval == pytest.approx((0.375 - half, 0.375 + half), abs=1e-6)


def test_nothing_changed_is_a_point() -> None:
    _, found = changes(scores(QUERIES[6:]), scores(QUERIES[6:]))
    assert found["RR"] == (0.625, 0.0, (0.0, 0.0), "point", None)


def test_too_few_queries_have_no_interval() -> None:
    few = QUERIES[:4]
    queries, found = changes(scores([], few, missing="skip"), scores(few, few, missing="skip"))
    assert queries == 4
    assert found["RR"].interval is None


def report(**change: Any) -> dict[str, Any]:
    held = {
        "before": 0.5,
        "change": 0.0,
        "interval": [-0.01, 0.03],
        "interval_method": "t",
        "detectable": 0.04,
        **change,
    }
    return {
        "judgments": {"queries": 40, "queries_scored": 40, "labels": 9},
        "metrics": {"recall@5": {"value": 0.5}},
        "baseline_run": {"queries": 40, "metrics": {"recall@5": held}},
    }


@pytest.mark.parametrize(
    "bound, status, reason",
    [
        ("-0.02", "PASS", None),
        ("-0.01", "PASS", None),  # the bound itself is enough
        (
            "-0.005", "INDETERMINATE",
            "recall@5:delta-lower:-0.005: the interval of the change, -0.0100 to 0.0300, holds -0.005: 40 queries cannot tell",
        ),
        (
            "+0.03", "INDETERMINATE",
            "recall@5:delta-lower:+0.03: the interval of the change, -0.0100 to 0.0300, holds 0.03: 40 queries cannot tell",
        ),
        ("+0.04", "FAIL", "recall@5 changed by 0.0000, interval -0.0100 to 0.0300, all of it below 0.04"),
    ],
)  # fmt: skip
def test_the_gate(bound: str, status: str, reason: str | None) -> None:
    found = evaluate(report(), [f"recall@5:delta-lower:{bound}"])
    assert found.status == status
    assert found.reasons == ([] if reason is None else [reason])
    assert found.as_list()[0]["observed"] == -0.01
    assert found.as_list()[0]["baseline"] == 0.5


def test_the_gate_finds_a_measure_by_its_other_names() -> None:
    assert evaluate(report(), ["R@5:delta-lower:-0.02"]).status == "PASS"


def test_the_gate_without_an_interval() -> None:
    found = evaluate(report(interval=None), ["recall@5:delta-lower:-0.02"])
    assert found.reasons == ["recall@5:delta-lower:-0.02: 40 queries are too few to tell"]
    bare = {name: value for name, value in report().items() if name != "baseline_run"}
    found = evaluate(bare, ["recall@5:delta-lower:-0.02"])
    assert found.reasons == ["recall@5:delta-lower:-0.02: no change of 'recall@5' query by query"]
    assert "--baseline-run RUN" in found.hints[0]
    assert "-m 'recall@7'" in evaluate(report(), ["recall@7:delta-lower:-0.02"]).hints[0]
