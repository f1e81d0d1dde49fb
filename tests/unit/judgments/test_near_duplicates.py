"""The similarity join against all pairs, and its time on the worst texts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.judgments.near_duplicates import CANDIDATES, groups

TEXTS = st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=9).map(" ".join), max_size=25)


def by_all_pairs(texts: list[str], least: Fraction) -> list[list[str]]:
    sets = [set(text.split()) for text in texts]
    group = list(range(len(texts)))
    for i in range(len(texts)):
        for j in range(i):
            if sets[i] and sets[j] and Fraction(len(sets[i] & sets[j]), len(sets[i] | sets[j])) >= least:
                old, new = group[i], group[j]
                group = [new if each == old else each for each in group]
    members: dict[int, list[str]] = {}
    for place, each in enumerate(group):
        members.setdefault(each, []).append(str(place))
    return sorted(found for found in members.values() if len(found) > 1)


@given(TEXTS, st.sampled_from([Fraction(3, 5), Fraction(4, 5), Fraction(1)]))
def test_the_groups_are_those_of_all_pairs(texts: list[str], least: Fraction) -> None:
    found = list(groups(((str(place), text) for place, text in enumerate(texts)), least))
    assert sorted(found) == by_all_pairs(texts, least)


@given(TEXTS, st.randoms(use_true_random=False))
def test_the_order_of_the_texts_does_not_matter(texts: list[str], random) -> None:
    named = [(f"{place:02}", text) for place, text in enumerate(texts)]
    mixed = random.sample(named, len(named))
    least = Fraction(4, 5)
    assert sorted(map(sorted, groups(mixed, least))) == sorted(map(sorted, groups(named, least)))


def test_a_template_makes_one_group_however_often_it_was_filled_in() -> None:
    texts = [
        (str(number), f"what is the exact population of the old city{number} today please")
        for number in range(CANDIDATES * 5)
    ]
    (found,) = groups(texts, Fraction(4, 5))
    assert len(found) == CANDIDATES * 5


@pytest.mark.parametrize("text", ["", " ", "?!"])
def test_texts_without_a_word_are_like_none(text: str) -> None:
    assert list(groups([("a", text), ("b", text)], Fraction(4, 5))) == []
