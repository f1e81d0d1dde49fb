from __future__ import annotations

import pytest
from support.hits import value, values


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Rprec", 2 / 3),  # R = 3: a, n, c hold two
        ("Rprec(rel=2)", 0.0),  # R = 2: a, n hold neither b nor c
        ("Rprec(rel=3)", 0.0),  # R = 1: a is not c
        ("Rprec(judged_only=True)", 3 / 3),
        ("Rprec(rel=2,judged_only=True)", 1 / 2),  # R = 2: a, c
    ],
)
def test_looks_at_as_many_as_are_relevant(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 2, "c": 3}, "a n c b") == expected


def test_every_query_has_its_own_depth() -> None:
    qrels = {"x": {"a": 1}, "y": {"a": 1, "b": 1}, "z": {"a": 0}}
    assert values("Rprec", qrels, {query_id: ["n", "a", "b"] for query_id in qrels}) == {"x": 0, "y": 1 / 2, "z": 0}


def test_a_ranking_shorter_than_r() -> None:
    """m_Rprec.c looks at min(retrieved, R) documents and divides by R."""
    assert value("Rprec", {"a": 1, "b": 1, "c": 1, "d": 1}, "a") == 1 / 4


@pytest.mark.parametrize(
    "name, expected",
    [
        # relevant at ranks 1, 3 and 4 of R = 4
        ("Rprec_mult@1", 3 / 4),
        ("Rprec_mult.0.5", 1 / 2),  # int(2 + 0.9) = 2
        ("Rprec_mult_0.20", 1.0),  # int(0.8 + 0.9) = 1
        ("Rprec_mult@2", 3 / 8),  # beyond the end it is divided by 8 all the same
        ("Rprec_mult@0", 0.0),
        ("Rprec_mult(rel=2)@1", 0.0),
    ],
)
def test_multiples_of_r(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 1, "c": 2, "d": 1}, "a n b c") == expected
