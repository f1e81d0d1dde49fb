"""Laws of gates: what passes never improves a verdict, a higher bound never passes more, and order does not matter."""

from __future__ import annotations

import contextlib
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from irbridge.errors import UsageError
from irbridge.gates.base import worst
from irbridge.gates.evaluation import evaluate
from irbridge.gates.expressions import parse
from irbridge.gates.measured import Measured

RANK = {"PASS": 0, "INDETERMINATE": 1, "FAIL": 2}
NAMES = ("recall@5", "ndcg@5", "faithfulness")
values = st.floats(0, 1).map(lambda value: round(value, 12))
bounds = st.decimals(-2, 2, places=4).map(lambda bound: f"{bound:f}")
forms = st.sampled_from(["{m}:{b}", "{m}:-{b}", "{m}:+{b}", "worst-stratum:{m}:{b}", "{m}:ci-lower:{b}"])


@st.composite
def expressions(draw: st.DrawFn) -> str:
    bound = draw(bounds).lstrip("-")
    return draw(forms).format(m=draw(st.sampled_from([*NAMES, "mrr@5"])), b=bound)


@st.composite
def metrics(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True)):
        found[name] = {"value": draw(values)}
        if name == "faithfulness" and draw(st.booleans()):
            found[name]["ci"] = sorted([draw(values), draw(values)])
    return found


@st.composite
def measured(draw: st.DrawFn) -> Measured:
    def report() -> dict[str, Any]:
        strata = draw(st.dictionaries(st.text(max_size=3), metrics(), max_size=3))
        per_stratum = {name: {"n": draw(st.integers(0, 2)), "metrics": found} for name, found in strata.items()}
        scored = draw(st.integers(0, 2))
        return {"judgments": {"queries_scored": scored}, "metrics": draw(metrics()), "per_stratum": per_stratum}

    before = Measured(report()) if draw(st.booleans()) else None
    return Measured(report(), before, ("other labels",) if before and draw(st.booleans()) else ())


@given(measured(), st.lists(expressions(), max_size=4), expressions())
def test_another_gate_never_improves_a_verdict(data: Measured, gates: list[str], more: str) -> None:
    before, after = evaluate(data, gates), evaluate(data, [*gates, more])
    assert RANK[after.status] >= RANK[before.status]
    assert after.as_list()[:-1] == before.as_list()
    if after.as_list()[-1]["status"] == "PASS":
        assert (after.status, after.reasons) == (before.status, before.reasons)


@given(
    measured(),
    st.lists(expressions(), max_size=5).flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))),
)
def test_the_order_of_gates_does_not_matter(data: Measured, both: tuple[list[str], list[str]]) -> None:
    one, other = evaluate(data, both[0]), evaluate(data, both[1])
    assert one.status == other.status
    assert sorted(one.reasons) == sorted(other.reasons)


@given(measured(), expressions(), st.decimals(0, 3, places=3))
def test_a_higher_bound_passes_nothing_more(data: Measured, expression: str, more: Decimal) -> None:
    gate = parse(expression)
    head = expression.rpartition(":")[0]
    raised = gate.bound + more
    # A delta keeps its sign, without which it would be another form.
    text = f"{raised:+f}" if gate.form.name == "delta" else f"{raised:f}"
    low, high = evaluate(data, [expression]).as_list()[0], evaluate(data, [f"{head}:{text}"]).as_list()[0]
    assert RANK[high["status"]] >= RANK[low["status"]]
    # Whether a gate can be decided has nothing to do with its bound.
    assert (low["status"] == "INDETERMINATE") == (high["status"] == "INDETERMINATE")


@given(measured(), st.lists(expressions(), max_size=4))
def test_every_gate_that_does_not_pass_has_a_reason_of_its_own(data: Measured, gates: list[str]) -> None:
    found = evaluate(data, gates)
    open_ones = [outcome for _, outcome in found.outcomes if outcome.status != "PASS"]
    assert all(outcome.reason for outcome in open_ones)
    assert len(found.reasons) == len(open_ones) + bool(found.differences)


@given(values, values)
def test_a_delta_of_what_happened_passes_exactly(before: float, now: float) -> None:
    change = Decimal(repr(now)) - Decimal(repr(before))
    data = Measured({"metrics": {"recall@5": {"value": now}}}, Measured({"metrics": {"recall@5": {"value": before}}}))
    assert evaluate(data, [f"recall@5:{change:+f}"]).status == "PASS"
    assert evaluate(data, [f"recall@5:{change + Decimal('1e-15'):+f}"]).status == "FAIL"


@given(st.lists(st.sampled_from(list(RANK)), max_size=5), st.lists(st.sampled_from(list(RANK)), max_size=5))
def test_worst_is_associative_and_idempotent(one: list[Any], other: list[Any]) -> None:
    assert worst(*one, *other) == worst(worst(*one), worst(*other)) == worst(*other, *one)
    assert worst(*one, *one) == worst(*one)
    assert worst() == "PASS"


@given(st.text(max_size=30))
def test_any_text_is_a_gate_or_is_refused_in_words(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert parse(text).expression == text
