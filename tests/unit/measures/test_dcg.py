from __future__ import annotations

import math

import pytest
from support.hits import value, values

LOG3 = math.log2(3)
GRADED = {"a": 1, "b": 2, "c": 3, "d": -1}


@pytest.mark.parametrize(
    "name, expected",
    [
        ("DCG", 1 + 3 / 2),
        ("dcg", 2.5),
        ("DCG@2", 1.0),
        ("dcg.1=3", 3 + 3 / 2),
        ("DCG(dcg='exp-log2')", 1 + 7 / 2),
        ("IdealDCG", 3 + 2 / LOG3 + 1 / 2),
        ("ideal_dcg", 3.5 + 2 / LOG3),
        ("IdealDCG@1", 3.0),
        ("ideal_dcg.1=9", 9 + 3 / LOG3 + 2 / 2),
    ],
)
def test_summed_by_hand(name: str, expected: float) -> None:
    assert value(name, GRADED, "a n c d") == pytest.approx(expected, abs=1e-15)


def test_the_best_is_of_the_judgments_alone() -> None:
    assert values("IdealDCG@1", {"q": GRADED}, {}) == {"q": 3.0}
    assert values("DCG", {"q": GRADED}, {}) == {"q": 0.0}
