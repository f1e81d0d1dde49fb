"""Where quotes stand. Places are counted by hand on short texts; on random ones a slow search decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.spans.finding import Found, Searched, folded


@pytest.mark.parametrize(
    "document, quote, places",
    [
        ("one two three", "two", [(4, 7)]),
        ("one  two\nthree", "two three", [(5, 14)]),  # a line break for a space
        ("one\r\ntwo\rthree", " one two ", [(0, 8)]),  # line ends; blanks at the quote's ends
        ("a\u00a0b", "a b", [(0, 3)]),
        ("ab", "a b", []),  # white space does not go away
        ("a b", "ab", []),
        ("One", "one", []),  # case is not folded
        ("xcafe\u0301!", "caf\u00e9", [(1, 6)]),  # 4 characters of the quote are 5 of the text
        ("caf\u00e9", "cafe\u0301", [(0, 4)]),
        ("cafe\u0301", "cafe", []),  # that is another word
        ("caf\u00e9", "cafe", []),
        ("aaa", "aa", [(0, 2), (1, 3)]),  # places may overlap
        ("x y x y", "x", [(0, 1), (4, 5)]),
        ("x x x", "x", [(0, 1), (2, 3)]),  # two say all
        ("text", "", []),
        ("text", " \n", []),
        ("", "x", []),
        ("  x  ", "x", [(2, 3)]),
        ("\U0001f600 ok", "ok", [(2, 4)]),  # code points, not UTF-16
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_places(document: str, quote: str, places: list[tuple[int, int]], many: bool) -> None:
    assert list(Searched(document, many=many).find(quote).places) == places


@pytest.mark.parametrize(
    "document, quote, inside",
    [
        ("in 2024", "4", True),
        ("start", "art", True),
        ("art.", "art", False),
        ("(4)", "4", False),
        ("x_art", "art", False),
        ("the restart is", "art is", False),  # of several words: a chunk may begin in the middle of one
        ("\u6771\u4eac\u90fd", "\u6771\u4eac", False),  # scripts without spaces tell no borders of words
        ("na\u00efvet\u00e9s", "na\u00efvet\u00e9", True),
    ],
)
def test_one_word_inside_a_longer_one(document: str, quote: str, inside: bool) -> None:
    found = Searched(document).find(quote)
    assert (len(found.places), found.inside_word) == (1, inside)


def test_half_a_character_is_found_nowhere() -> None:
    assert Searched("text").find("\ud800") == Found()


def naive(document: str, quote: str) -> list[tuple[int, int]]:
    """Every stretch with the quote's folded form whose ends are not blank; texts without combining characters."""
    return [
        (start, end)
        for start in range(len(document))
        for end in range(start + 1, len(document) + 1)
        if folded(document[start:end]) == folded(quote) and not document[start].isspace() and not document[end - 1].isspace()
    ]  # fmt: skip


_WORDS = st.text(st.sampled_from("ab \n\u00e9"), max_size=14)


@given(_WORDS, st.text(st.sampled_from("ab \u00e9"), min_size=1, max_size=5))
def test_finds_what_a_slow_search_finds(document: str, quote: str) -> None:
    expected = naive(document, quote) if folded(quote) else []
    assert list(Searched(document).find(quote).places) == expected[:2]


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "de"]), max_size=30), st.data())
def test_the_table_of_words_finds_the_same(words: list[str], data: st.DataObject) -> None:
    document = " ".join(words)
    start = data.draw(st.integers(0, len(document)))
    quote = document[start : start + data.draw(st.integers(0, 60))]
    assert Searched(document, many=True).find(quote) == Searched(document).find(quote)
