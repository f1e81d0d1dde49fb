from __future__ import annotations

import pytest
from support.hits import value, values

LABELS = {"a": 1, "b": 0, "c": -2, "d": 3}


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Judged@1", 0.0),  # n
        ("Judged@2", 1 / 2),  # n, a
        ("Judged@4", 3 / 4),  # n, a, b, c: every label counts, whatever its grade
        ("Judged@10", 3 / 5),  # judged_provider.py divides by what is there, not by 10
        ("Judged", 3 / 5),
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "n a b c m") == expected


def test_a_pool_is_judged_to_its_depth() -> None:
    """Twelve documents with one score, the first five pooled: Judged@5 on the pool is 1, always."""
    ranking = [f"d{number}" for number in range(12)]
    assert value("Judged@5", dict.fromkeys(ranking[:5], 0), " ".join(ranking)) == 1.0


def test_no_ranking_no_share() -> None:
    assert values("Judged@5", {"x": {"a": 1}, "y": {"a": 1}}, {"y": []}) == {"x": 0.0, "y": 0.0}
    assert values("Judged", {"x": {"a": 1}, "y": {"a": 1}}, {"y": []}) == {"x": 0.0, "y": 0.0}
