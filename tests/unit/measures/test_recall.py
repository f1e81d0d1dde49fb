from __future__ import annotations

import pytest
from support.hits import value


@pytest.mark.parametrize("k, expected", [(1, 1 / 3), (2, 2 / 3), (5, 2 / 3)])
def test_divided_by_all_relevant_documents(k: int, expected: float) -> None:
    """Three relevant, two retrieved: recall_1, _2, _5 of trec_eval; capped recall would be 1, 1, 2/3."""
    labels = {"a": 1, "b": 1, "c": 1}
    assert value(f"R@{k}", labels, "a b") == expected
    assert value(f"recall_{k}", labels, "a b") == expected
    assert value(f"recall@{k}", labels, "a b") == expected


@pytest.mark.parametrize(
    "name, expected",
    [
        ("R@2", 1 / 2),  # a of a, c
        ("R@4", 2 / 2),
        ("R(rel=2)@4", 1 / 1),
        ("R(rel=2)@2", 0.0),
        ("R(judged_only=True)@2", 1 / 2),  # a, b remain on top; n is gone
        ("R(judged_only=True)@3", 2 / 2),
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 0, "c": 2, "d": -1}, "a n b c") == expected


def test_nothing_relevant_is_0() -> None:
    """trec_eval 9.0.8 and 10.0: a query with judged documents, none relevant, scores 0 and counts."""
    assert value("R@5", {"a": 0, "b": -1}, "a b") == 0.0
