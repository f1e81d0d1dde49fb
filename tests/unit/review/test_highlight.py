"""What is marked, by hand: a marked text is the one that both sides have."""

from __future__ import annotations

import pytest

from irbridge.review.highlight import Flat, Range, _shared, common, shared_words, telling


def parts(text: str, ranges: list[Range]) -> list[str]:
    return [text[start:end] for start, end in ranges]


@pytest.mark.parametrize(
    "label, chunk, in_chunk, in_label",
    [
        # One inside the other, whatever the white space is.
        ("Dogs ride free. So do cats.", "So  do\ncats.", ["So  do\ncats."], ["So do cats."]),
        ("So do cats.", "Dogs ride free.\tSo do\u00a0cats. Not fish.", ["So do\u00a0cats."], ["So do cats."]),
        # Across a border: the end of the label begins the chunk, or the reverse.
        ("the long way home", "way home is long", ["way home"], ["way home"]),
        ("the long way home", "it was the long", ["the long"], ["the long"]),
        # Edited: runs of eight and more, then of three and more between them.
        (
            "Refunds are paid within ten days of the journey.",
            "Refunds are paid within 20 days of the journey.",
            ["Refunds are paid within", "days of the journey."],
            ["Refunds are paid within", "days of the journey."],
        ),
        # Texts that have little in common: only what is too long for an accident, here 12 characters without white space.
        (
            "the cat sat, two crowns a day. Nobody else asks for more than that, and the rest is silence.",
            "In the rain: two crowns a day. It does so each year, and so do the others; rest assured.",
            ["two crowns a day."],
            ["two crowns a day."],
        ),
        # Nothing in common but accidents.
        ("abcdef", "uvwxyz", [], []),
        ("ab", "ba", [], []),
        ("", "text", [], []),
        ("text", " \n", [], []),
    ],
)
def test_what_is_common(label: str, chunk: str, in_chunk: list[str], in_label: list[str]) -> None:
    found = common(Flat(label), Flat(chunk))
    assert (parts(chunk, found.chunk), parts(label, found.label)) == (in_chunk, in_label)


def test_of_a_text_that_stands_as_it_is_only_the_border_is_common() -> None:
    label, chunk = "## Fares\n\nThe fare of a dog is two crowns.", "The fare of a dog is paid.\n\n## Fares"
    assert parts(chunk, common(Flat(label), Flat(chunk), stands=True).chunk) == ["## Fares"]
    assert parts(chunk, common(Flat(label), Flat(chunk)).chunk) == ["The fare of a dog is"], (
        "that of an edited one may not be"
    )
    # A place can be known without a border that shows it.
    assert parts(chunk, common(Flat("x The fare of a dog is x"), Flat(chunk), stands=True).chunk) == [
        "The fare of a dog is"
    ]


def test_a_text_at_several_places_is_marked_at_each() -> None:
    assert common(Flat("ha!"), Flat("ha! and ha!")).chunk == [(0, 3), (8, 11)]


def test_ranges_count_code_points_not_bytes_or_utf_16_units() -> None:
    assert common(Flat("über 😀 alles"), Flat("😀😀 über 😀 alles!")).chunk == [(3, 15)]


def test_composed_and_decomposed_are_equal_and_marks_are_not_torn() -> None:
    label, chunk = "Café Ångström", "im Cafe\u0301 A\u030angstro\u0308m."
    found = common(Flat(label), Flat(chunk))
    assert parts(chunk, found.chunk) == ["Cafe\u0301 A\u030angstro\u0308m"]
    assert parts(label, found.label) == [label]


def test_hangul_parts_are_one_syllable() -> None:
    # U+1112 U+1161 U+11AB compose to U+D55C.
    found = common(Flat("\ud55c"), Flat("x\u1112\u1161\u11ab"))
    assert found.chunk == [(1, 4)]


@pytest.mark.parametrize(
    "ends, begins, size",
    [("abcab", "abx", 2), ("aaaa", "aaa", 3), ("aab", "aaba", 3), ("", "a", 0), ("abc", "abc", 3), ("ababc", "ababab", 0)],
)  # fmt: skip
def test_the_longest_border(ends: str, begins: str, size: int) -> None:
    assert _shared(ends, begins) == size


def test_a_megabyte_of_dashes_takes_no_quadratic_time() -> None:
    text = "-" * 1_000_000
    found = common(Flat("a" + text), Flat(text + "b"))
    assert (found.label, found.chunk) == ([(1, 1_000_001)], [(0, 1_000_000)])


def test_words_in_common() -> None:
    wanted = telling("Smoking is allowed on the platform")
    assert wanted == {"smoking", "allowed", "platform"}
    text = "No SMOKING on the platform."
    assert parts(text, shared_words(text, wanted)) == ["SMOKING", "platform"]


def test_scripts_without_spaces_share_neighbouring_characters() -> None:
    text = "駅では喫煙できません"
    assert parts(text, shared_words(text, telling("喫煙は禁止"))) == ["喫煙"]
