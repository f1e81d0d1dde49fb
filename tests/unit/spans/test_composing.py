"""Normal forms with the way back. Expected places are counted by hand; which pieces there are, from Unicode's own data."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.spans.composing import Composed, begins

ACUTE, DOT_BELOW = "\u0301", "\u0323"


def test_what_is_normal_already_maps_onto_itself() -> None:
    made = Composed("plain")
    assert (made.text, [made.place(at) for at in range(6)]) == ("plain", [0, 1, 2, 3, 4, 5])


def test_a_composed_character_stands_for_two() -> None:
    # c a f e + acute, space, x: the normal form has 6 characters, the text 7.
    made = Composed("cafe" + ACUTE + " x")
    assert made.text == "caf\u00e9 x"
    assert [made.place(at) for at in range(7)] == [0, 1, 2, 3, 5, 6, 7]


def test_a_place_within_a_piece_is_none() -> None:
    # a + acute + dot below is reordered and composed to a-with-dot-below + acute: one piece, 3 to 2 characters.
    made = Composed("x" + "a" + ACUTE + DOT_BELOW + "y")
    assert made.text == "x\u1ea1" + ACUTE + "y"
    assert [made.place(at) for at in range(5)] == [0, 1, None, 4, 5]
    # The same text in normal form has no border there either.
    assert [Composed(made.text).place(at) for at in range(5)] == [0, 1, None, 3, 4]


def test_one_character_may_become_another_or_several() -> None:
    # U+212B (Angstrom sign) is one piece for one; U+0958 is excluded from composition and becomes two.
    made = Composed("\u212bb\u0958c")
    assert made.text == "\u00c5b\u0915\u093cc"
    assert [made.place(at) for at in range(6)] == [0, 1, 2, None, 3, 4]


@pytest.mark.parametrize(
    "character, whether",
    [
        ("a", True), ("\n", True), ("\u00e9", True), ("\u4e2d", True), ("\uac00", True), ("\U0001f600", True),
        (ACUTE, False),
        ("\u1161", False), ("\u11a8", False),  # Hangul vowel and final consonant join the syllable before
        ("\u09be", False),  # a spacing vowel sign of combining class 0, second half of U+09CB
        ("\u0344", False), ("\u0f73", False),  # decompose into combining marks alone; U+0F73 has class 0 itself
    ],
)  # fmt: skip
def test_where_a_piece_begins(character: str, whether: bool) -> None:
    assert begins(character) is whether


_MARKED = st.text(
    st.sampled_from(
        "aeo \n\u0301\u0323\u0308\u212b\u0958\u1100\u1161\u11a8\uac00\u09c7\u09be\u0f71\u0f73\u0344\U0001d15e"
    ),
    max_size=24,
)


@given(_MARKED | st.text(max_size=24))
def test_the_normal_form_is_unicode_s(text: str) -> None:
    assert Composed(text).text == unicodedata.normalize("NFC", text)


@given(_MARKED, st.data())
def test_a_stretch_between_two_places_is_the_text_s_own(text: str, data: st.DataObject) -> None:
    """What stands between two places of the normal form is the normal form of what stands between their origins."""
    made = Composed(text)
    known = [at for at in range(len(made.text) + 1) if made.place(at) is not None]
    low, high = sorted((data.draw(st.sampled_from(known)), data.draw(st.sampled_from(known))))
    start, end = made.place(low), made.place(high)
    assert start is not None
    assert end is not None
    assert unicodedata.normalize("NFC", text[start:end]) == made.text[low:high]
