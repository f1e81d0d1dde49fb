from __future__ import annotations

import pytest
from support.hits import value


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Success@1", 0.0),
        ("Success@2", 1.0),
        ("Success@9", 1.0),
        ("success_2", 1.0),
        ("hit_rate@1", 0.0),
        ("hit_rate@2", 1.0),
    ],
)
def test_anything_relevant(name: str, expected: float) -> None:
    """Relevant at ranks 2 and 3 (m_success.c: one is enough, more are no more)."""
    assert value(name, {"a": 1, "b": 1, "c": 1}, "n a b") == expected


def test_it_is_not_recall() -> None:
    assert (value("Success@3", {"a": 1, "b": 1, "c": 1}, "n a b"), value("R@3", {"a": 1, "b": 1, "c": 1}, "n a b")) == (
        1,
        2 / 3,
    )


def test_the_level() -> None:
    assert value("Success(rel=2)@3", {"a": 1, "b": -1}, "a b") == 0.0
    assert value("Success(judged_only=True)@1", {"a": 1, "b": -1}, "n b a") == 1.0
