from __future__ import annotations

import pytest
from support.hits import value, values

LABELS = {"a": 1, "b": 2, "c": 0, "d": 1}


@pytest.mark.parametrize(
    "name, expected",
    [
        # retrieved a, n, c, b: two relevant, two not; one relevant document is missed
        ("utility", 2 - 2),
        ("utility.2,-1,0,0", 2 * 2 - 2),
        ("utility_2,-1,-0.5,0", 2 * 2 - 2 - 0.5),
        ("utility(weights='0,0,0,1',documents=100)", 100 + 2 - 4 - 3),
        ("utility(rel=2)", 1 - 3),
    ],
)
def test_added_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "a n c b") == expected


def test_an_unanswered_query() -> None:
    assert values("utility", {"q": LABELS}, {}) == {"q": 0.0}
