from __future__ import annotations

from fractions import Fraction

import pytest

from irbridge.errors import UsageError
from irbridge.spans.rules import CONTAINS, rule_of


@pytest.mark.parametrize(
    "text, name, share",
    [
        ("contains", "contains", Fraction(1)),
        ("overlap=0.5", "overlap=0.5", Fraction(1, 2)),
        ("overlap=.25", "overlap=0.25", Fraction(1, 4)),
        ("overlap=1", "overlap=1", Fraction(1)),
        ("overlap=1.0", "overlap=1", Fraction(1)),
        ("overlap=0.1", "overlap=0.1", Fraction(1, 10)),
    ],
)
def test_rules(text: str, name: str, share: Fraction) -> None:
    found = rule_of(text)
    assert (found.name, found.share, found.sound) == (name, share, text == "contains")
    assert rule_of(found) is found


@pytest.mark.parametrize(
    "text",
    ["", "overlap", "overlap=", "overlap=0", "overlap=0.0", "overlap=-0.5", "overlap=1.1", "overlap=2", "overlap=nan",
     "overlap=50%", "overlap=0,5", "overlap=1e-1", "overlap=\u0661", "Contains", "contains ", None, 0.5],
)  # fmt: skip
def test_what_is_no_rule(text: object) -> None:
    with pytest.raises(UsageError, match="is no rule"):
        rule_of(text)


def test_shares_are_exact() -> None:
    # 0.1 is a little more than a tenth as a double: 1 of 10 must do all the same.
    assert rule_of("overlap=0.1").takes(1, 10)
    assert not rule_of("overlap=0.1").takes(0, 10)
    assert rule_of("overlap=0.7").takes(7, 10)
    assert not CONTAINS.takes(9, 10)
