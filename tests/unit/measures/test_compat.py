from __future__ import annotations

import pytest
from support.hits import value, values


@pytest.mark.parametrize(
    "name, expected",
    [
        # ideal b, a (grades 2, 1); ranking a, n, b: in common 0, 1/2, 2/3 at depths 1, 2, 3; the ideal itself: 1, 1, 2/3
        ("Compat(p=0.5)", (0.5 * 1 / 2 + 0.25 * 2 / 3) / (1 + 0.5 + 0.25 * 2 / 3)),
        ("Compat(p=0.5,normalize=False)", (0.5 * 1 / 2 + 0.25 * 2 / 3) / 1.75),
        ("Compat(p=0)", 0.0),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 2, "z": 0}, "a n b") == pytest.approx(expected, abs=1e-15)


def test_equal_grades_stand_in_the_order_of_the_ranking() -> None:
    assert value("Compat", {"a": 1, "b": 1, "c": 1}, "b a") == value("Compat", {"a": 1, "b": 1, "c": 1}, "a b")
    assert value("Compat", {"a": 1, "b": 1}, "b a") == 1.0


def test_a_ranking_shorter_than_the_ideal() -> None:
    """Ideal a, b; ranking a: 1, 1/2 against 1, 1 at p = 1."""
    assert value("Compat(p=1)", {"a": 1, "b": 1}, "a") == 0.75


def test_nothing() -> None:
    assert values("Compat", {"x": {"a": 0}, "y": {"a": 1}}, {"x": ["a"]}) == {"x": 0.0, "y": 0.0}
