from __future__ import annotations

import pytest
from support.hits import value

# Relevant: a, c, d of grades 1, 2, 1. Retrieved: a, c and two others. P = 2/4, R = 2/3.
LABELS = {"a": 1, "b": 0, "c": 2, "d": 1}
RANKING = "a n b c"


@pytest.mark.parametrize(
    "name, expected",
    [
        ("SetP", 2 / 4),
        ("SetR", 2 / 3),
        ("SetF", 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)),  # 4/7
        ("SetF(beta=1)", 4 / 7),
        ("SetF(beta=0.5)", 1.5 * (1 / 3) / (0.25 + 2 / 3)),  # 6/11; trec_eval's x is not squared
        ("set_F.0.5", 6 / 11),
        ("SetF(beta=4)", 5 * (1 / 3) / (2 + 2 / 3)),  # 5/8, what textbooks call F2
        ("SetF(beta=0)", 1 / 2),  # nothing but precision
        ("SetAP", 2 * 2 / (4 * 3)),
        ("set_P", 2 / 4),
        ("set_recall", 2 / 3),
        ("set_F", 4 / 7),
        ("set_map", 1 / 3),
        ("SetP(rel=2)", 1 / 4),
        ("SetR(rel=2)", 1.0),
        ("SetAP(rel=2)", 1 / 4),
        ("SetP(judged_only=True)", 2 / 3),
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, RANKING) == pytest.approx(expected, abs=1e-15)


def test_the_depth_cuts_the_set() -> None:
    """trec_eval -M 2 with set_P: one of two."""
    assert value("SetP", LABELS, RANKING, depth=2) == 1 / 2
    assert value("SetR", LABELS, RANKING, depth=2) == 1 / 3


@pytest.mark.parametrize("name", ["SetP", "SetR", "SetF", "SetF(beta=0)", "SetAP"])
@pytest.mark.parametrize("labels, ranking", [({"a": 1}, ""), ({"a": 0}, "a"), ({"a": 1}, "n"), ({"a": -1}, "a")])
def test_nothing_to_divide_by_is_0(name: str, labels: dict[str, int], ranking: str) -> None:
    assert value(name, labels, ranking) == 0.0
