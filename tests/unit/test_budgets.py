from __future__ import annotations

import pytest

from irbridge.budgets import Budget, Budgets
from irbridge.errors import InputError

LENGTHS = {"a": 3, "b": 4, "c": 5, "d": 1, "e": 0}


def depth(limit: int, ranking: str) -> int:
    budgets = Budgets({"tok": LENGTHS}, {"tok": "given"}, [Budget(limit, "tok")])
    (found,) = budgets.depths(ranking.split())
    budgets.check("run")
    return found


@pytest.mark.parametrize(
    "text, budget",
    [
        ("2000tok", Budget(2000, "tok")),
        ("1chars", Budget(1, "chars")),
        ("10", None),
        ("0tok", None),
        ("010tok", None),
        ("2000 tok", None),
        ("2000tokens", None),
        ("9007199254740993tok", None),  # 2**53 + 1
        ("", None),
        (None, None),
    ],
)
def test_reading(text: str | None, budget: Budget | None) -> None:
    assert Budget.read(text) == budget
    assert budget is None or str(budget) == text


@pytest.mark.parametrize(
    "limit, ranking, found",
    [
        (7, "a b c d", 2),  # 3 + 4 fill it
        (6, "a b c d", 1),  # b does not fit whole
        (8, "a b c d", 2),  # neither does c, and d behind it does not count though it would fit
        (100, "a b c d", 4),
        (2, "a b", 0),
        (3, "a e e b", 3),  # what has no length takes no room
        (5, "", 0),
    ],
)
def test_a_document_that_does_not_fit_whole_ends_the_ranking(limit: int, ranking: str, found: int) -> None:
    assert depth(limit, ranking) == found


def test_a_length_that_is_not_known() -> None:
    with pytest.raises(InputError, match=r"documents whose length is not known: x$") as caught:
        depth(8, "a x b")
    assert caught.value.path == "run"
    # Behind the end of the budget nobody asks.
    assert depth(6, "a b x") == 1


@pytest.mark.parametrize(
    "text, meant",
    [
        ("2000tokens", "2000tok"),
        ("2ktok", "2000tok"),
        ("2000TOK", "2000tok"),
        ("8000char", "8000chars"),
        ("8K_characters", "8000chars"),
        ("2k", None),
        ("0tok", None),
        ("2.5ktok", None),
        ("2000words", None),
    ],
)
def test_what_is_nearly_a_budget(text: str, meant: str | None) -> None:
    found = Budget.meant(text)
    assert (None if found is None else str(found)) == meant
