"""Reading gate expressions. What each means is written in spec/gates.md, from where the cases are."""

from __future__ import annotations

from decimal import Decimal

import pytest

from irbridge.errors import UsageError
from irbridge.gates.expressions import measures_named, parse, parse_all, split


@pytest.mark.parametrize(
    "expression, form, measure, bound",
    [
        ("recall@5:0.8", "floor", "recall@5", "0.8"),
        ("recall@5:1", "floor", "recall@5", "1"),
        ("recall@5:.5", "floor", "recall@5", "0.5"),
        ("recall@5:5.", "floor", "recall@5", "5"),
        ("recall@5:8e-1", "floor", "recall@5", "0.8"),
        ("recall@5:-0.02", "delta", "recall@5", "-0.02"),
        ("recall@5:+0.01", "delta", "recall@5", "0.01"),
        ("recall@5:-0", "delta", "recall@5", "0"),
        ("worst-stratum:recall@5:0.7", "worst-stratum", "recall@5", "0.7"),
        ("worst-stratum:recall@5:-0.7", "worst-stratum", "recall@5", "-0.7"),
        ("worst-stratum:ci-lower:0.7", "worst-stratum", "ci-lower", "0.7"),
        ("faithfulness:ci-lower:0.8", "ci-lower", "faithfulness", "0.8"),
        ("faithfulness:ci-lower:+0.8", "ci-lower", "faithfulness", "0.8"),
        ("nDCG@10:0.6", "floor", "nDCG@10", "0.6"),
        ("P_10:0.6", "floor", "P_10", "0.6"),
        ("nDCG(gains={0:0,1:1,2:5})@10:0.6", "floor", "nDCG(gains={0:0,1:1,2:5})@10", "0.6"),
        ("worst-stratum:nDCG(gains={1:7})@3:0.6", "worst-stratum", "nDCG(gains={1:7})@3", "0.6"),
    ],
)
def test_the_four_forms(expression: str, form: str, measure: str, bound: str) -> None:
    gate = parse(expression)
    assert (gate.expression, gate.form.name, gate.measure) == (expression, form, measure)
    assert gate.bound == Decimal(bound)


@pytest.mark.parametrize(
    "bound",
    [
        "nan", "NaN", "inf", "-inf", "+infinity", "0.5abc", "1_0", "0x1p3", "", " 0.8", "0.8 ", "0.8\n", "0,8", "\u0660.\u0665", "½", "1e400",
        "--1", "+-1", "+", ".", "e5", "0.8%", "1e", "1.2.3",
    ],
)  # fmt: skip
def test_a_bound_is_a_finite_decimal_number(bound: str) -> None:
    with pytest.raises(UsageError, match=r"is not a (finite )?number"):
        parse(f"recall@5:{bound}")


@pytest.mark.parametrize("form", ["drift:orphaned:", "drift:stale_rate:", "recall@5:unjudged-lower:"])
@pytest.mark.parametrize("bound", ["+1", "-1", "+0.5", "-0", "+1e-2"])
def test_a_level_has_no_sign(form: str, bound: str) -> None:
    with pytest.raises(UsageError, match=r"has a sign, and .* takes none"):
        parse(form + bound)
    # The sign of an exponent is another matter.
    assert parse(f"{form}5e-1").bound == Decimal("0.5")


@pytest.mark.parametrize(
    "expression",
    # What the other implementation takes with a sign, and forms that are about a change.
    ["recall@5:+0.1", "recall@5:-0.1", "recall@5:delta-lower:+0.1", "recall@5:delta-lower:-0.1",
     "worst-stratum:recall@5:+0.1", "worst-stratum:recall@5:-0.1", "m:ci-lower:+0.1", "m:ci-lower:-0.1"],
)  # fmt: skip
def test_a_change_and_what_may_be_below_zero_has_one(expression: str) -> None:
    assert abs(parse(expression).bound) == Decimal("0.1")


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("recall@5", "<metric>:<threshold>"),
        ("", "<metric>:<threshold>"),
        ("recall@5:at-least:0.8", "<metric>:<threshold>"),
        ("recall@5:ci-upper:0.8", "<metric>:<threshold>"),
        ("a:b:c:0.8", "<metric>:<threshold>"),
        ("worst-stratum:0.8", "worst-stratum:<metric>:<floor>"),
        ("worst-stratum", "worst-stratum:<metric>:<floor>"),
        ("worst-stratum:recall@5:ci-lower:0.8", "worst-stratum:<metric>:<floor>"),
    ],
)
def test_an_unknown_shape_is_refused_with_the_shape_that_was_expected(expression: str, expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(expression)
    assert str(caught.value) == f"gate '{expression}': expected {expected}"
    assert "worst-stratum:recall@5:0.7" in str(caught.value.hint)


@pytest.mark.parametrize("expression", [":0.8", " recall@5:0.8", "recall@5 :0.8", "worst-stratum::0.8"])
def test_a_gate_names_a_metric(expression: str) -> None:
    with pytest.raises(UsageError, match="names no metric"):
        parse(expression)


@pytest.mark.parametrize("expression", [None, 5, ["recall@5:0.8"], b"recall@5:0.8"])
def test_what_is_no_text_is_no_gate(expression: object) -> None:
    with pytest.raises(UsageError, match="a gate is a text"):
        parse(expression)  # type: ignore[arg-type]


def test_a_long_expression_is_refused_without_being_printed() -> None:
    with pytest.raises(UsageError) as caught:
        parse("r" * 5000 + ":0.8")
    assert len(str(caught.value)) < 200


def test_control_characters_are_shown_escaped() -> None:
    with pytest.raises(UsageError) as caught:
        parse("\x1b[31m:x")
    assert "\x1b" not in str(caught.value)


def test_a_colon_inside_brackets_does_not_split() -> None:
    assert split("a(b:c){d:e}:f") == ["a(b:c){d:e}", "f"]
    assert split("a):b") == ["a)", "b"]
    assert split("a(b:c") == ["a(b:c"]


def test_one_text_is_one_gate_and_gates_pass_through() -> None:
    (gate,) = parse_all("recall@5:0.8")
    assert parse_all([gate, "recall@5:0.8"])[0] is gate


@pytest.mark.parametrize(
    "expressions, names",
    [
        (["recall@5:0.8", "ndcg@10:-0.1"], []),
        (["nDCG@10:0.6"], ["nDCG@10"]),
        (["nDCG@10:0.6", "recall@5:0.8", "worst-stratum:nDCG@10:0.1"], ["nDCG@10", "recall@5"]),
        (["faithfulness:ci-lower:0.8"], []),
        (["faithfulness:0.8", "AP:0.1"], ["AP"]),
        ([], []),
    ],
)
def test_which_measures_gates_ask_for_where_nobody_says(expressions: list[str], names: list[str]) -> None:
    assert measures_named(parse_all(expressions)) == names
