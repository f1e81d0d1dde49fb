from __future__ import annotations

import pytest
from support.hits import value, values

ELEVENTH = " ".join([f"n{number}" for number in range(10)] + ["a"])


@pytest.mark.parametrize("name, expected", [("RR", 1 / 11), ("RR@10", 0.0), ("mrr@10", 0.0), ("RR@11", 1 / 11)])
def test_a_cutoff_only_hides(name: str, expected: float) -> None:
    """Relevant at rank 11: recip_rank 0.0909, with -M 10 it is 0 (trec_eval)."""
    assert value(name, {"a": 1}, ELEVENTH) == expected


@pytest.mark.parametrize(
    "name, expected", [("RR", 1.0), ("RR(rel=2)", 1 / 3), ("recip_rank", 1.0), ("RR(rel=2,judged_only=True)", 1 / 2)]
)
def test_level_2(name: str, expected: float) -> None:
    """Labels a 1, b 2, c 3; run a, n, c: recip_rank with -l 2 is 0.3333 (trec_eval)."""
    assert value(name, {"a": 1, "b": 2, "c": 3}, "a n c") == expected


def test_the_first_of_several_counts_for_each_query() -> None:
    qrels = {"x": {"a": 1, "b": 1}, "y": {"a": 0, "b": 1, "c": 1}, "z": {"a": 0}}
    assert values("RR", qrels, {"x": ["n", "b", "a"], "y": ["a", "n", "c", "b"], "z": ["a"]}) == {
        "x": 1 / 2,
        "y": 1 / 3,
        "z": 0,
    }
