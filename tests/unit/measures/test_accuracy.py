from __future__ import annotations

import pytest
from support.hits import value

LABELS = {"a": 1, "b": 2, "c": 0}


@pytest.mark.parametrize(
    "name, expected",
    [
        # a, n, b, c: of the pairs a-n, a-c, b-n, b-c only b-n is in the wrong order
        ("Accuracy", 3 / 4),
        ("Accuracy@3", 1 / 2),
        ("Accuracy@1", 1.0),  # nothing else is there
        ("Accuracy(rel=2)", 1 / 3),
        ("Accuracy(rel=3)", 0.0),
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "a n b c") == pytest.approx(expected, abs=1e-15)
