"""Pieces looked for at every so many bytes of a stream: they are found wherever they stand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift.windows import SIZE, Windows

# Long stretches of few letters, so that pieces stand at several places, and one within another.
STRETCHES = st.lists(
    st.sampled_from([b"a" * 23, b"ab" * 8, b"abcabcabd", b"x", b"yz" * 20, b"once upon a time "]), max_size=14
)


@given(data=st.data())
def test_finds_what_stands_there_and_nothing_else(data):
    text = b"".join(data.draw(STRETCHES)).ljust(SIZE, b"-")
    starts = data.draw(st.lists(st.integers(0, len(text) - SIZE), min_size=1, max_size=4))
    pieces = list(dict.fromkeys(text[start : start + SIZE] for start in starts))
    block = b"".join(data.draw(STRETCHES)) + data.draw(st.sampled_from([b"", text])) + b"".join(data.draw(STRETCHES))
    standing = {
        (at, number)
        for at in range(len(block) - SIZE + 1)
        for number, piece in enumerate(pieces)
        if block.startswith(piece, at)
    }
    windows = Windows(pieces)
    assert windows.telling.all()
    assert set(windows.standing(block)) == standing


def test_a_piece_is_found_once_wherever_it_stands():
    piece = bytes(range(65, 65 + SIZE))
    windows = Windows([piece])
    for before in range(40):
        assert windows.standing(b" " * before + piece + b" ") == [(before, 0)]


def test_pieces_with_a_window_that_many_have():
    # Of 65 pieces each has one of 16 letters in a row; of 64 too, but those are few enough.
    own = [bytes([48 + number % 10, 65 + number // 10]) * 7 + b"a" for number in range(65)]
    pieces = [each + b"a" * 15 + b"b" for each in own]
    assert [len(piece) for piece in pieces] == [SIZE] * 65
    assert not Windows(pieces).telling.any()
    assert Windows(pieces[:64]).telling.all()
    other = bytes(range(65, 65 + SIZE))
    mixed = Windows([*pieces, other])
    assert mixed.telling.tolist() == [False] * 65 + [True]
    assert mixed.standing(pieces[3] + other) == [(SIZE, 65)]
    assert Windows(pieces[:64]).standing(pieces[3]) == [(0, 3)]


def test_what_is_ignored():
    pieces = [bytes(range(start, start + SIZE)) for start in (40, 80)]
    windows = Windows(pieces)
    assert windows.standing(b"".join(pieces), np.array([True, False])) == [(SIZE, 1)]
