"""Pieces of texts in stretches of their own: all that stand there are found, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift import stretches
from irbridge.drift.stretches import Crowded, Padded, standing

SIZES = [(8, 8), (12, 8), (15, 8), (12, 12), (15, 12), (16, 16)]


@pytest.mark.parametrize("size, width", SIZES)
@given(st.data())
def test_each_place_is_found_once_in_its_own_stretch(size, width, data):
    # Of two letters much repeats; stretches are made of parts of the pieces' text.
    source = data.draw(st.text("ab", min_size=size, max_size=size + 20)).encode()
    starts = data.draw(st.lists(st.integers(0, len(source) - size), max_size=6))
    parts = data.draw(
        st.lists(
            st.one_of(st.text("ab", max_size=40), st.just(source.decode()), st.just(source.decode()[3:])),
            min_size=1,
            max_size=5,
        )
    )
    homes = [data.draw(st.integers(0, len(parts) - 1)) for _ in starts]
    text = "\0".join([*parts, ""]).encode()
    edges = np.cumsum([0, *(len(part) + 1 for part in parts)])
    found = standing(
        Padded(source), np.array(starts, np.int64), np.array(homes, np.int64), size, Padded(text), edges, width
    )
    expected = [
        (number, at)
        for number, (start, home) in enumerate(zip(starts, homes, strict=True))
        for at in range(int(edges[home]), int(edges[home + 1]))
        if text.startswith(source[start : start + size], at)
    ]
    assert list(zip(*(each.tolist() for each in found), strict=True)) == expected


@pytest.mark.parametrize("size, width", SIZES)
def test_at_the_borders_of_blocks(size, width, monkeypatch):
    monkeypatch.setattr(stretches, "_BLOCK", 4)
    text = np.random.default_rng(1).integers(97, 123, 300, np.uint8).tobytes()
    starts = np.arange(300 - size + 1)
    piece, at = standing(Padded(text), starts, starts * 0, size, Padded(text), np.array([0, 300]), width)
    assert piece.tolist() == at.tolist() == starts.tolist()


def test_what_stands_at_too_many_places_is_left_to_others():
    dashes = b"-" * 40_000
    with pytest.raises(Crowded):
        standing(Padded(dashes), np.arange(200), np.zeros(200, np.int64), 15, Padded(dashes), np.array([0, 40_000]))
