"""Gates on drift: 200 labels, of which 10 are stale: 3 re-anchorable, 2 merged, 1 split, 4 orphaned, 3 of these still there."""

from __future__ import annotations

from typing import Any

import pytest

from irbridge.errors import UsageError
from irbridge.gates.evaluation import evaluate
from irbridge.gates.expressions import parse

SUMMARY = {"valid": 190, "re_anchorable": 3, "merged": 2, "split": 1, "orphaned": 4, "still_there": 3}


def held(expression: str, summary: Any = SUMMARY) -> tuple[str, Any, list[str]]:
    found = evaluate({"judgments": {"drift": summary}}, [expression])
    return found.status, found.as_list()[0].get("observed"), found.reasons


@pytest.mark.parametrize(
    "name, value",
    [
        ("stale", 10), ("re_anchorable", 3), ("merged", 2), ("split", 1), ("orphaned", 4), ("gone", 1),
        ("stale_rate", 0.05), ("re_anchorable_rate", 0.015), ("merged_rate", 0.01), ("split_rate", 0.005),
        ("orphaned_rate", 0.02), ("gone_rate", 0.005),
    ],
)  # fmt: skip
def test_every_count_and_share_may_reach_its_bound_and_not_pass_it(name: str, value: float) -> None:
    assert held(f"drift:{name}:{value}") == ("PASS", value, [])
    status, observed, (reason,) = held(f"drift:{name}:{value - 0.001}")
    assert (status, observed) == ("FAIL", value)
    assert reason.startswith(f"{name} is ")


def test_what_is_said() -> None:
    assert held("drift:orphaned:0")[2] == ["orphaned is 4, above 0"]
    assert held("drift:stale_rate:0.02")[2] == ["stale_rate is 0.0500, above 0.02"]
    assert held("drift:stale:9.5")[2] == ["stale is 10, above 9.5"]


def test_a_share_is_compared_as_it_is_reported() -> None:
    # A third is reported as 0.333333333333, to which the bound is equal; one more digit and it is above.
    third = {"valid": 2, "re_anchorable": 0, "merged": 0, "split": 0, "orphaned": 1}
    assert held("drift:stale_rate:0.333333333333", third)[0] == "PASS"
    assert held("drift:stale_rate:0.3333333333329", third)[0] == "FAIL"


@pytest.mark.parametrize(
    "summary, name, why",
    [
        (None, "orphaned", "no corpus was looked at"),
        (dict.fromkeys(SUMMARY, 0), "orphaned", "there are no labels"),
        (dict.fromkeys(SUMMARY, 0), "stale_rate", "there are no labels"),
        # Another implementation's report does not say what is still there.
        ({name: n for name, n in SUMMARY.items() if name != "still_there"}, "gone", "'gone' not present in the report"),
    ],
)
def test_what_cannot_be_told_does_not_pass(summary: Any, name: str, why: str) -> None:
    assert held(f"drift:{name}:1", summary) == ("INDETERMINATE", None, [f"drift:{name}:1: {why}"])


def test_a_measure_may_be_called_drift() -> None:
    assert parse("drift:0.8").form.name == "floor"
    assert parse("drift:ci-lower:0.8").form.name == "ci-lower"
    assert parse("drift:delta-lower:0.8").form.name == "delta-lower"


@pytest.mark.parametrize(
    "expression, message",
    [
        ("drift:orphand:0", r"'orphand' is none of its names; did you mean orphaned"),
        ("drift:recall@5:0", "'recall@5' is none of its names"),
        ("drift:orphaned:x", "'x' is not a number"),
        ("drift:orphaned:0:1", "expected drift:<count>:<at most>"),
    ],
)
def test_what_is_no_gate_on_drift(expression: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(expression)
