from __future__ import annotations

import pytest
from support.hits import value, values

GRADED = {"a": 1, "b": 2, "c": 3, "d": -1}


@pytest.mark.parametrize(
    "name, expected",
    [
        # relevant at ranks 1 and 3
        ("RBP", 0.2 * (1 + 0.64)),
        ("RBP(p=0.5)", 0.5 * (1 + 0.25)),
        ("RBP(p=0.5,rel=2)", 0.5 * 0.25),
        ("RBP(p=0.5)@2", 0.5),
        ("RBP(p=0)", 1.0),
        ("RBP(p=1)", 0.0),
        # trec_eval's: grades / 3
        ("rbp", 0.1 * (1 / 3 + 0.81)),
        ("rbp.p=0.5", 0.5 * (1 / 3 + 0.25)),
        ("rbp.p=0.5,1=0.5,2=0.75,3=1", 0.5 * (0.5 + 0.25)),  # all within 0 and 1: as they are
        # n and d are unjudged: all but ranks 1 and 3
        ("rbp_resid", 1 - 0.1 * (1 + 0.81)),
        ("rbp_resid.p=0.5", 1 - 0.5 * (1 + 0.25)),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert value(name, GRADED, "a n c d") == pytest.approx(expected, abs=1e-15)


def test_binary_labels_make_both_one() -> None:
    assert value("RBP(p=0.9)", {"a": 1, "b": 1}, "n a m b") == pytest.approx(value("rbp", {"a": 1, "b": 1}, "n a m b"))


def test_nothing_unjudged_leaves_no_residual() -> None:
    """m_rbp_resid.c: 0 where every retrieved document is judged, and where nothing was retrieved."""
    assert value("rbp_resid", GRADED, "a b") == 0.0
    assert values("rbp_resid", {"q": GRADED}, {}) == {"q": 0.0}
