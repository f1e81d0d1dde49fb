"""Gates held against reports that are written out here; statuses and texts are those of spec/gates.md."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from irbridge.gates.base import worst
from irbridge.gates.evaluation import evaluate
from irbridge.gates.measured import Measured

P, F, I = "PASS", "FAIL", "INDETERMINATE"


def metric(value: float, **more: Any) -> dict[str, Any]:
    return {"value": value, "n": 1, "deterministic": True, **more}


def report(scored: int = 4, **metrics: Any) -> dict[str, Any]:
    values = {name.replace("_at_", "@"): value for name, value in metrics.items()}
    return {"judgments": {"queries": 4, "queries_scored": scored, "labels": 9}, "metrics": values}


NOW = report(recall_at_5=metric(0.78), faithfulness=metric(0.9, ci=[0.81, 0.99]))
STRATA = {
    **NOW,
    "per_stratum": {
        "zeta": {"n": 0, "metrics": {}},
        "legal": {"n": 2, "metrics": {"recall@5": metric(0.5)}},
        "Billing": {"n": 3, "metrics": {"recall@5": metric(0.5)}},
        "api": {"n": 1, "metrics": {"recall@5": metric(0.9)}},
    },
}


def one(data: dict[str, Any] | Measured, expression: str) -> tuple[str, float | None, str | None]:
    found = evaluate(data, [expression])
    (gate,) = found.as_list()
    assert found.status == gate["status"]
    return gate["status"], gate.get("observed"), found.reasons[0] if found.reasons else None


UNJUDGED = {
    **NOW,
    "measures": {"recall@5": {"unjudged": {"worst": 0.62, "best": 0.9, "highest_grade": 1}}, "faithfulness": {}},
}


@pytest.mark.parametrize(
    "expression, status, observed, reason",
    [
        ("recall@5:unjudged-lower:0.62", P, 0.62, None),
        ("R@5:unjudged-lower:0.62", P, 0.62, None),
        (
            "recall@5:unjudged-lower:0.7", F, 0.62,
            "recall@5 may be 0.6200 with its unjudged documents, below 0.7",
        ),
        (
            "faithfulness:unjudged-lower:0.1", I, 0.9,
            "faithfulness:unjudged-lower:0.1: no worst value of 'faithfulness' over unjudged documents",
        ),
        (
            "other:unjudged-lower:0.1", I, None,
            "other:unjudged-lower:0.1: no worst value of 'other' over unjudged documents",
        ),
    ],
)  # fmt: skip
def test_a_bound_over_unjudged_documents(
    expression: str, status: str, observed: float | None, reason: str | None
) -> None:
    assert one(UNJUDGED, expression) == (status, observed, reason)


@pytest.mark.parametrize(
    "expression, status, observed, reason",
    [
        ("recall@5:0.78", P, 0.78, None),  # the bound itself is enough
        ("recall@5:0.77", P, 0.78, None),
        ("recall@5:0.79", F, 0.78, "recall@5 is 0.7800, below 0.79"),
        ("recall@5:1", F, 0.78, "recall@5 is 0.7800, below 1.0"),
        ("recall@5:0.7800000000000001", F, 0.78, "recall@5 is 0.7800, below 0.7800000000000001"),
        ("recall@10:0.1", I, None, "recall@10:0.1: metric 'recall@10' not present in the report"),
        ("recall@5:-0.02", I, 0.78, "recall@5:-0.02: no baseline value for 'recall@5'"),
        ("recall@10:-0.02", I, None, "recall@10:-0.02: no baseline value for 'recall@10'"),
        ("faithfulness:ci-lower:0.81", P, 0.81, None),
        ("faithfulness:ci-lower:0.82", F, 0.81, "faithfulness lower bound is 0.8100, below 0.82"),
        (
            "recall@5:ci-lower:0.5", I, 0.78,
            "recall@5:ci-lower:0.5: no confidence interval on 'recall@5', sample it more than once",
        ),
        ("other:ci-lower:0.5", I, None, "other:ci-lower:0.5: no confidence interval on 'other', sample it more than once"),
        ("worst-stratum:recall@5:0.1", I, None, "worst-stratum:recall@5:0.1: no per-stratum data for 'recall@5'"),
    ],
)  # fmt: skip
def test_each_form(expression: str, status: str, observed: float | None, reason: str | None) -> None:
    assert one(NOW, expression) == (status, observed, reason)


@pytest.mark.parametrize(
    "expression, status, observed, reason",
    [
        ("worst-stratum:recall@5:0.5", P, 0.5, None),
        ("worst-stratum:recall@5:0.51", F, 0.5, "worst stratum recall@5 is 0.5000, below 0.51"),
        ("worst-stratum:ndcg@5:0.1", I, None, "worst-stratum:ndcg@5:0.1: no per-stratum data for 'ndcg@5'"),
    ],
)
def test_the_worst_stratum(expression: str, status: str, observed: float | None, reason: str | None) -> None:
    assert one(STRATA, expression) == (status, observed, reason)


def test_strata_without_a_scored_query_are_skipped_and_ties_go_by_code_point() -> None:
    # 0.5 twice: "Billing" comes before "legal", as B is U+0042.
    assert Measured(STRATA).worst_stratum("recall@5") == ("Billing", 0.5)
    empty = {**NOW, "per_stratum": {"a": {"n": 0, "metrics": {}}, "b": {"n": 0}}}
    status, observed, reason = one(empty, "worst-stratum:recall@5:0.1")
    assert (status, observed) == (I, None)
    assert reason == "worst-stratum:recall@5:0.1: no stratum was scored for 'recall@5'"


@pytest.mark.parametrize(
    "expression, name",
    [("recall@3:0.5", "recall@3"), ("recall@3:-0.5", "recall@3"), ("faithfulness:ci-lower:0.5", "faithfulness")],
)
def test_nothing_scored_is_the_reason_of_everything_missing(expression: str, name: str) -> None:
    status, _, reason = one(report(scored=0), expression)
    assert status == I
    assert reason == f"{expression}: no query was scored, so '{name}' was not computed"


@pytest.mark.parametrize(
    "before, now, bound, status, text",
    [
        # Worked out in decimals; with doubles 0.78 - 0.8 is -0.020000000000000018 and 0.3 - 0.1 is 0.19999999999999998.
        (0.8, 0.78, "-0.02", P, None),
        (0.8, 0.77, "-0.02", F, "recall@5 fell 0.0300, from 0.8000 to 0.7700, outside -0.02"),
        (0.8, 0.9, "-0.02", P, None),
        (0.1, 0.3, "+0.2", P, None),
        (0.1, 0.29, "+0.2", F, "recall@5 rose 0.1900, from 0.1000 to 0.2900, outside 0.2"),
        (0.5, 0.5, "+0", P, None),
        (0.5, 0.5, "-0", P, None),
        (0.5, 0.5, "+0.01", F, "recall@5 rose 0.0000, from 0.5000 to 0.5000, outside 0.01"),
        (0, 1, "+1", P, None),  # whole numbers, as JavaScript writes them
    ],
)  # fmt: skip
def test_deltas(before: float, now: float, bound: str, status: str, text: str | None) -> None:
    measured = Measured(report(recall_at_5=metric(now)), Measured(report(recall_at_5=metric(before))))
    found = evaluate(measured, [f"recall@5:{bound}"])
    assert found.as_list() == [
        {"expression": f"recall@5:{bound}", "status": status, "observed": float(now), "baseline": float(before)}
    ]
    assert found.reasons == ([] if text is None else [text])


def test_a_refused_baseline_decides_no_delta_and_says_why_once() -> None:
    measured = Measured(NOW, Measured(NOW), ("other labels", "another threshold"))
    found = evaluate(measured, ["recall@5:-1", "recall@5:+0.1", "recall@5:0.7"])
    assert [gate["status"] for gate in found.as_list()] == [I, I, P]
    assert all("baseline" not in gate for gate in found.as_list())
    assert found.reasons == [
        "the baseline is refused: other labels; another threshold",
        "recall@5:-1: no baseline value for 'recall@5'",
        "recall@5:+0.1: no baseline value for 'recall@5'",
    ]


def test_a_refused_baseline_that_no_gate_wants_is_no_reason() -> None:
    assert evaluate(Measured(NOW, Measured(NOW), ("other labels",)), ["recall@5:0.7"]).reasons == []


def test_other_names_of_a_measure_find_it_and_other_measures_do_not() -> None:
    data = report(recall_at_5=metric(0.4), ndcg_at_10=metric(0.3))
    assert one(data, "R@5:0.4") == (P, 0.4, None)
    assert one(data, "recall_5:0.4")[0] == P
    assert one(data, "nDCG@10:0.1")[0] == I  # linear gain; ndcg@10 is exponential
    assert one(data, "R(rel=2)@5:0.1")[0] == I


@pytest.mark.parametrize(
    "expression, hint",
    [
        ("recal@5:0.1", "did you mean recall@5"),
        ("FirstHigh@10:0.1", "'FirstHigh@10' is not a measure here: --measures-from FILE names yours"),
        ("recall@9:0.1", "-m 'recall@9' computes it"),
        ("recall@5:-0.1", "--baseline REPORT.json"),
        ("worst-stratum:recall@5:0.1", "stratum"),
        ("recall@5:ci-lower:0.1", "over queries"),
        ("official:0.1", "several measures"),
    ],
)
def test_the_way_out(expression: str, hint: str) -> None:
    assert any(hint in each for each in evaluate(NOW, [expression]).hints)


def test_a_baseline_at_another_k_is_pointed_out() -> None:
    measured = Measured(NOW, Measured(report(recall_at_10=metric(0.9))))
    assert evaluate(measured, ["recall@5:-0.1"]).hints == [
        "k differs: the baseline has recall@10, this report recall@5"
    ]


@pytest.mark.parametrize("statuses", list(itertools.product((P, F, I), repeat=3)))
def test_fail_beats_indeterminate_beats_pass(statuses: tuple[str, ...]) -> None:
    expression = {P: "recall@5:0.1", F: "recall@5:0.9", I: "recall@7:0.1"}
    found = evaluate(NOW, [expression[status] for status in statuses])
    assert [gate["status"] for gate in found.as_list()] == list(statuses)
    expected = F if F in statuses else I if I in statuses else P
    assert found.status == expected
    assert worst(*statuses) == expected  # type: ignore[arg-type]


def test_no_gate_is_a_pass() -> None:
    assert evaluate(NOW, []) == (P, (), (), ())


def test_required_strata() -> None:
    found = evaluate(STRATA, ["recall@5:0.1"], require=["api", "zeta", "nowhere"])
    assert found.status == I
    assert found.missing_strata == ("zeta", "nowhere")
    assert found.reasons == [
        "stratum 'zeta' was not scored, and the gates require it",
        "stratum 'nowhere' was not scored, and the gates require it",
    ]
    assert evaluate(STRATA, ["recall@5:0.9"], require=["zeta"]).status == F


def test_gates_keep_their_order_and_may_repeat() -> None:
    asked = ["recall@5:0.9", "recall@5:0.1", "recall@5:0.9"]
    assert [gate["expression"] for gate in evaluate(NOW, asked).as_list()] == asked
