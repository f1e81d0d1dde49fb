from __future__ import annotations

import numpy as np
import pytest
from support.hits import value

from irbridge.measures.interpolated_precision import documents_at

# usnistgov/trec_eval's change of rounding: two relevant documents, one of them found at rank 1.
TWO = {"r0": 1, "r1": 1, "n0": 0}


@pytest.mark.parametrize("knob, at_60, average", [("up", 0.0, 6 / 11), ("round", 1.0, 8 / 11)])
def test_the_releases_round_differently(knob: str, at_60: float, average: float) -> None:
    """9.0.8 prints 0.0 and 0.5455, 10.0 prints 1.0 and 0.7273."""
    assert value("iprec_at_recall_0.60", TWO, "r0 n0", recall_points=knob) == at_60
    assert value("11pt_avg", TWO, "r0 n0", recall_points=knob) == pytest.approx(average, abs=1e-15)


@pytest.mark.parametrize(
    "name, expected",
    [
        # relevant at ranks 2, 3 and 6 of R = 4: precision 1/2, 2/3, 1/2
        ("IPrec@0", 2 / 3),
        ("IPrec@0.25", 2 / 3),
        ("IPrec@0.5", 2 / 3),
        ("IPrec@0.75", 1 / 2),
        ("IPrec@1", 0.0),
        ("IPrec@1.5", 0.0),
        ("iprec_at_recall.0.5", 2 / 3),
        ("IPrec(rel=2)@0.5", 1 / 3),  # only b counts: rank 3 of R = 1
        ("IPrec(judged_only=True)@1", 0.0),
        ("11pt_avg.0.25,0.75", (2 / 3 + 1 / 2) / 2),
        ("11pt_avg(points='1')", 0.0),
    ],
)
def test_the_highest_precision_from_there_on(name: str, expected: float) -> None:
    labels = {"a": 1, "b": 2, "c": 1, "d": 1}
    assert value(name, labels, "n a b m o c") == pytest.approx(expected, abs=1e-15)


def test_shares_of_documents() -> None:
    total = np.array([1, 2, 3, 5, 10])
    assert documents_at(0.5, total, rounded=True).tolist() == [1, 1, 2, 3, 5]  # lround: halves away from zero
    assert documents_at(0.5, total, rounded=False).tolist() == [1, 1, 2, 3, 5]
    assert documents_at(0.1, total, rounded=True).tolist() == [0, 0, 0, 1, 1]
    assert documents_at(0.1, total, rounded=False).tolist() == [1, 1, 1, 1, 1]
    assert documents_at(0.01, total, rounded=False).tolist() == [0, 0, 0, 0, 1]


def test_nothing_found() -> None:
    assert value("IPrec@0", {"a": 1}, "n") == 0.0
    assert value("11pt_avg", {"a": 0}, "a") == 0.0
