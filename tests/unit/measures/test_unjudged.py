from __future__ import annotations

import pytest
from support.hits import value


@pytest.mark.parametrize(
    "name, expected",
    [
        ("unj@1", 1.0),  # n
        ("unj@2", 1 / 2),
        ("unj_4", 2 / 4),  # a negative grade is unjudged
        ("unj_5", 3 / 5),
        ("unj@10", 3 / 10),  # m_unjudged.c divides by k, and takes what is not there for judged
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 0, "c": -2}, "n a b c m") == expected
