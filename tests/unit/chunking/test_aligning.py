"""Pieces found again in their text; where each stands was counted by hand."""

from __future__ import annotations

import pytest

from irbridge.chunking.aligning import aligned, from_offsets, from_pieces
from irbridge.errors import InputError, MissingDependency


@pytest.mark.parametrize(
    "text, pieces, overlap, expected",
    [
        ("ab cd ef", ["ab ", "cd ", "ef"], 0, [(0, 2), (3, 5), (6, 8)]),
        ("ab cd ef", ["ab cd", "cd ef"], 2, [(0, 5), (3, 8)]),
        # Without a known overlap the second "cd" may begin anywhere in the first piece.
        ("ab cd ef", ["ab cd", "cd ef"], None, [(0, 5), (3, 8)]),
        # White space was changed: found by the letters, the text is the document's own.
        ("ab\n\ncd  ef", ["ab cd", "ef"], 0, [(0, 6), (8, 10)]),
        ("ab cd", ["  ab", "\n", " cd  "], 0, [(0, 2), (3, 5)]),
        # The same words again: pieces follow each other, so it is the next place, not the first.
        ("la la la", ["la", "la", "la"], 0, [(0, 2), (3, 5), (6, 8)]),
        # "a b" and "ab" are the same without white space; to the letter there is one way.
        ("xa b ab", ["xa b", "b ab"], 1, [(0, 4), (3, 7)]),
        # A piece within what is covered adds nothing.
        ("abc   d", ["abc", "bc  ", "c   d"], 2, [(0, 3), (2, 7)]),
        # Three x's by pieces of two: only the places 0 and 1 reach the end.
        ("xxx", ["xx", "xx"], 1, [(0, 2), (1, 3)]),
        ("", [], 0, []),
        (" \n", [" "], None, []),
        ("😀e\u0301 👩\u200d👧", ["😀e\u0301", "👩\u200d👧"], 0, [(0, 3), (4, 7)]),
    ],
)
def test_places(text: str, pieces: list[str], overlap: int | None, expected: list[tuple[int, int]]) -> None:
    assert aligned("lib", text, pieces, overlap) == expected


@pytest.mark.parametrize(
    "text, pieces, overlap, said",
    [
        ("Ab cd", ["ab", "cd"], 0, "chunk 0 of lib is not in the document"),
        ("ab cd ef", ["ab", "ef"], 0, "chunk 1 of lib is not in the document"),
        ("ab cd ef", ["cd", "ef"], 0, "chunk 0 of lib"),
        ("ab cd", ["ab"], 0, "left out text at the end"),
        ("ab cd", [], 0, "left out text at the end"),
        ("ab cd", ["ab", "cd", "ef"], 0, "chunk 2 of lib"),
        # More shared than the overlap allows.
        ("abcdef", ["abcd", "bcdef"], 2, "chunk 1 of lib"),
        # Five x's by three pieces of two: 0 1 3 and 0 2 3 both reach the end.
        ("xxxxx", ["xx", "xx", "xx"], 1, "chunk 1 of lib may begin at character 1 or at 2: the text repeats itself"),
    ],
)
def test_no_place_and_several_places_are_refused(text: str, pieces: list[str], overlap: int | None, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        aligned("lib", text, pieces, overlap)
    assert caught.value.hint


def test_a_text_that_repeats_itself_for_long_is_given_up() -> None:
    with pytest.raises(InputError, match="the text repeats itself"):
        aligned("lib", "x" * 100_000, ["x" * 6000] * 20, 5000)


def test_offsets_that_are_true_are_taken() -> None:
    cut = from_offsets("lib", lambda text: [(0, 2, "xx"), (1, 3, "xx"), (3, 5, "xx")])
    assert cut("xxxxx") == [(0, 2), (1, 3), (3, 5)]


def test_offsets_that_are_false_are_not_believed() -> None:
    cut = from_offsets("lib", lambda text: [(1, 3, "ab"), (3, 5, "cd")])
    assert cut("ab cd") == [(0, 2), (3, 5)]


def test_true_offsets_that_leave_text_out_are_not_believed() -> None:
    cut = from_offsets("lib", lambda text: [(0, 2, "ab")])
    with pytest.raises(InputError, match="left out text at the end"):
        cut("ab cd")


def test_what_a_library_dies_of_is_told() -> None:
    def split(text: str) -> list[str]:
        raise ValueError("no such\x1b[31m token")

    with pytest.raises(InputError, match=r"lib failed on this text: ValueError: no such\\x1b\[31m token"):
        from_pieces("lib", split)("ab")


def test_a_panic_is_told_too_and_an_interruption_is_not_swallowed() -> None:
    class Panic(BaseException):
        pass

    def raising(error: BaseException):
        def split(text: str) -> list[str]:
            raise error

        return split

    with pytest.raises(InputError, match="Panic"):
        from_pieces("lib", raising(Panic("at the disco")))("ab")
    for error in (KeyboardInterrupt(), MissingDependency("lib")):
        with pytest.raises(type(error)):
            from_pieces("lib", raising(error))("ab")
