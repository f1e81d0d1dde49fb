from __future__ import annotations

import pytest
from support.hits import value

from irbridge.errors import UsageError


@pytest.mark.parametrize(
    "name, expected",
    [
        # grades 1, 3 at ranks 1, 3: satisfied with 1/16 and 7/16
        ("ERR", 1 / 16 + 15 / 16 * 7 / 16 / 3),
        ("ERR@2", 1 / 16),
        ("ERR(max_rel=3)", 1 / 8 + 7 / 8 * 7 / 8 / 3),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "c": 3, "d": -1}, "a n c d") == pytest.approx(expected, abs=1e-15)


def test_gdeval_s_own_number() -> None:
    """ir_measures' gdeval on `1 0 a 4 / 1 0 b 2`, ranking b, a: 3/16 + 13/16 * 15/16 / 2, printed as 0.56836."""
    assert value("ERR@10", {"a": 4, "b": 2}, "b a") == pytest.approx(0.568359375, abs=1e-12)


def test_a_grade_above_4_makes_the_scale_longer() -> None:
    """gdeval.pl dies of it. Grade 5 on a scale of 5: 31/32."""
    assert value("ERR@10", {"a": 5}, "a") == 31 / 32


def test_a_grade_above_the_scale_that_was_named() -> None:
    with pytest.raises(UsageError, match="there is a grade 3, above max_rel") as error:
        value("ERR(max_rel=2)@10", {"a": 3}, "a")
    assert "ERR(max_rel=3)@10" in (error.value.hint or "")
