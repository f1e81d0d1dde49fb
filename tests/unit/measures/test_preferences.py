from __future__ import annotations

from typing import Any

import pytest

import irbridge
from irbridge.errors import InputError, UsageError
from irbridge.model import Judgment
from irbridge.qrels import LEVEL, SUBGROUP


def preference(group: str, doc_id: str, level: float, subgroup: str = "0") -> Judgment:
    return Judgment("q", doc_id, int(level + 0.5), iteration=group, extra={SUBGROUP: subgroup, LEVEL: level})


def values(labels: list[Judgment], ranking: str, *names: str, **knobs: Any) -> list[float]:
    run = {"q": {doc_id: -float(place) for place, doc_id in enumerate(ranking.split())}}
    scores = irbridge.score(labels, run, [f"prefs_{name}" for name in names], **knobs)
    return [scores.aggregates()[f"prefs_{name}"] for name in names]


# One user: a (2) over b (1) over c, d (0): a>b, a>c, a>d, b>c, b>d are five preferences. c is not retrieved.
ONE = [preference("u", "a", 2), preference("u", "b", 1), preference("u", "c", 0), preference("u", "d", 0)]
# Another one: b over a, nothing else.
TWO = [*ONE, preference("v", "b", 1), preference("v", "a", 0)]


def test_retrieved_implied_and_all() -> None:
    # Ranking x b a d: of a>b (no), a>d, b>d (yes) all are retrieved: 2 of 3. a>c and b>c are implied: 4 of 5.
    assert values(ONE, "x b a d", "simp_ret", "simp_imp", "simp") == [2 / 3, 4 / 5, 4 / 5]
    # Only d: a>d and b>d are implied and fail; a>b, a>c, b>c have neither document.
    assert values(ONE, "d", "simp_ret", "simp_imp", "simp") == [0.0, 0.0, 0.0]
    # Only a: a>b, a>c, a>d are implied; b>c and b>d have neither.
    assert values(ONE, "a", "simp_ret", "simp_imp", "simp") == [0.0, 1.0, 3 / 5]
    assert values(ONE, "a", "num_prefs_poss", "num_prefs_ful", "num_prefs_ful_ret") == [5, 3, 0]


def test_users_who_contradict_each_other() -> None:
    # Ranking a b c d: all 5 of u, 0 of v's 1. Pairs: ab 1/2, ac, ad, bc, bd 1 each.
    assert values(TWO, "a b c d", "simp", "avgjg", "pair") == [5 / 6, 1 / 2, pytest.approx(4.5 / 5)]


def test_what_follows_from_two_subgroups() -> None:
    # a>b in one, b>c in the other: a>c follows.
    labels = [
        preference("u", "a", 2, "1"),
        preference("u", "b", 1, "1"),
        preference("u", "b", 2, "2"),
        preference("u", "c", 1, "2"),
    ]
    assert values(labels, "c a b", "num_prefs_poss", "num_prefs_ful", "simp") == [3, 1, 1 / 3]


def test_as_many_others_as_relevant() -> None:
    # R = 2 (a, b), N = 2 (c, d): all five preferences count as they are.
    assert values(ONE, "a b c d", "avgjg_Rnonrel") == [1.0]
    # R = 2, N = 1: one more other is held to stand below a and b: (3 + 2) / (3 + 2), and with b alone (2 + 1) / 5.
    less = ONE[:3]
    assert values(less, "a b c", "avgjg_Rnonrel") == [1.0]
    # b retrieved: b>c fulfilled by implication, a>b not, a>c has neither: (1 + 1) / (3 + 2).
    assert values(less, "b", "avgjg_Rnonrel") == [2 / 5]
    # No relevant document: 0 / 0 in trec_eval, printed as 0.
    assert values([preference("u", "c", 0)], "c", "avgjg_Rnonrel") == [0.0]


def test_a_level_between_whole_numbers_counts() -> None:
    labels = [preference("u", "a", 0.5), preference("u", "b", 0.25), preference("u", "c", 0)]
    assert values(labels, "a b c", "num_prefs_ful") == [3]
    assert values(labels, "b a c", "num_prefs_ful") == [2]


def test_contradictions_within_a_group() -> None:
    both = [
        preference("u", "a", 2, "1"),
        preference("u", "b", 1, "1"),
        preference("u", "b", 2, "2"),
        preference("u", "a", 1, "2"),
    ]
    relevance = [preference("u", "a", 2, "1"), preference("u", "b", 1, "1"), preference("u", "a", 0, "2")]
    for labels in (both, relevance):
        with pytest.raises(InputError, match="query q: the preferences of one judgment group contradict each other"):
            values(labels, "a b", "simp")
    with pytest.raises(InputError, match=r"judged twice, 2 and 1\.5"):
        values([preference("u", "a", 2), preference("u", "a", 1.5)], "a", "simp")


def test_a_query_with_more_pairs_than_memory_is_refused() -> None:
    labels = [preference("u", f"d{number}", number % 3) for number in range(12_000)]
    with pytest.raises(InputError, match="query q: 12,000 judged documents in 1 judgment groups are too many"):
        values(labels, "d1 d2", "simp")


def test_preferences_are_no_grades() -> None:
    for name in ("nDCG@10", "AP_IA", "map_avgjg"):
        with pytest.raises(InputError, match="preferences"):
            irbridge.score(ONE, {"q": {"a": 1.0}}, name)


def test_other_measures_beside_them_would_be_of_another_order() -> None:
    labels = {"q": {"a": 1, "b": 0}}
    with pytest.raises(
        UsageError, match="prefs_simp orders equal scores by ascending document id, AP by descending id"
    ):
        irbridge.score(labels, {"q": {"a": 1.0}}, "prefs_simp AP")
    # Where no order of ids rules, and for counts, they may stand together.
    assert (
        irbridge.score(labels, {"q": {"a": 1.0}}, "prefs_simp AP", convention="msmarco").aggregates()["prefs_simp"] == 1
    )
    assert irbridge.score(labels, {"q": {"a": 1.0}}, "prefs").aggregates()["num_q"] == 1
