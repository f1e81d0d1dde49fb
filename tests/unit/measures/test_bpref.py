from __future__ import annotations

import pytest
from support.hits import value

# The example in trec_eval's file bpref_bug: the first judged document is not relevant, the next four are; not retrieved
# are three judged non-relevant and two relevant ones. R = 6, N = 4: (4 * (1 - 1/4)) / 6 = 0.5.
BUG = {"n1": 0, "r1": 1, "r2": 1, "r3": 1, "r4": 1, "n2": 0, "n3": 0, "n4": 0, "r5": 1, "r6": 1}


def test_the_example_of_trec_eval() -> None:
    assert value("bpref", BUG, "n1 r1 r2 r3 r4") == 0.5


def test_unjudged_documents_are_passed_over() -> None:
    assert value("Bpref", BUG, "u n1 r1 v w r2 r3 r4 x") == 0.5


def test_a_negative_grade_is_passed_over_and_not_counted_as_non_relevant() -> None:
    """m_bpref.c: RELVALUE_UNJUDGED is skipped, and rel_levels has no negative levels."""
    assert value("Bpref", {**BUG, "u": -1, "v": -2}, "u n1 r1 v r2 r3 r4") == 0.5


def test_more_non_relevant_than_relevant() -> None:
    """R = 1, N = 3, two of them above: 1 - min(2, 1) / min(3, 1) = 0."""
    assert value("Bpref", {"r": 1, "n1": 0, "n2": 0, "n3": 0}, "n1 n2 r") == 0.0


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Bpref", 2 / 3),  # trec_eval: nothing judged non-relevant; a, c of three
        ("Bpref(rel=2)", 0.0),  # trec_eval -l 2: R = 2, N = 1, above c stands a: (1 - 1/1) / 2
    ],
)
def test_levels(name: str, expected: float) -> None:
    assert value(name, {"a": 1, "b": 2, "c": 3}, "a n c") == expected


def test_nothing_relevant() -> None:
    assert value("Bpref", {"a": 0}, "a") == 0.0
