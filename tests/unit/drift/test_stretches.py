"""Pieces of texts in stretches of their own: all that stand there are found, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift import stretches
from irbridge.drift.edits import _clusters, agreement
from irbridge.drift.stretches import Crowded, Padded, standing
from irbridge.drift.together import _agreeing

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


def test_of_what_is_looked_up_whole_the_first_few_places_are_enough():
    text = b"abcdefghijkl" * 5
    # From 0 it stands at 0, 12, 24, 36 and 48; from 1 at one place fewer.
    piece, at = standing(
        Padded(text), np.array([0, 1]), np.zeros(2, np.int64), 12, Padded(text), np.array([0, 60]), 12, 3
    )
    assert list(zip(piece.tolist(), at.tolist(), strict=True)) == [(0, 0), (0, 12), (0, 24), (1, 1), (1, 13), (1, 25)]


@given(st.data())
def test_votes_of_which_nothing_comes_are_all_that_is_left_out(data):
    sizes = data.draw(st.lists(st.sampled_from([20, 40, 100, 400]), min_size=1, max_size=4))
    votes = [data.draw(st.lists(st.tuples(st.integers(-150, 600), st.integers(0, 30)), max_size=12)) for _ in sizes]
    owners = np.array([owner for owner, own in enumerate(votes) for _ in own], np.int64)
    shifts = np.array([shift for own in votes for shift, _ in own], np.int64)
    flat = [vote for own in votes for vote in own]
    kept = _agreeing(owners, shifts, [agreement(size) for size in sizes]).tolist()
    assert owners[kept].tolist() == sorted(owners[kept].tolist())
    for owner, (size, own) in enumerate(zip(sizes, votes, strict=True)):
        assert _clusters([flat[at] for at in kept if owners[at] == owner], size) == _clusters(list(own), size)
    # Alone a vote has too few beside it, where two or more must agree.
    assert not _agreeing(np.array([0]), np.array([7]), [agreement(40)]).tolist()
    # Of 40 bytes shifts may be 32 apart.
    assert _agreeing(np.array([0, 0]), np.array([7, 39]), [agreement(40)]).tolist() == [0, 1]
    assert not _agreeing(np.array([0, 0]), np.array([7, 40]), [agreement(40)]).tolist()
