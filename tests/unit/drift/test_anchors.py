"""Pieces of texts: how many, of whom, and that they are found in bytes. Numbers of pieces are counted by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from irbridge.drift import anchors
from irbridge.drift.anchors import Anchors


def plain(length: int, seed: int = 1) -> bytes:
    return "".join(random.Random(seed).choices("abcdefghij klmnop", k=length)).encode()


class TestPieces:
    @pytest.mark.parametrize(
        "length, pieces",
        [
            # At each byte of it from which on there are 31.
            (30, 0), (31, 1), (33, 3),
            # 60 of these, every 4th is one of 15.
            (90, 15),
            # 192, every 12th; 4032, every 252nd.
            (222, 16), (4062, 16),
        ],
    )  # fmt: skip
    def test_their_number_follows_the_length(self, length, pieces):
        found = Anchors({7: plain(length)})
        assert found.count == ({7: pieces} if pieces else {})
        assert len(found.owners) == pieces

    def test_one_that_texts_share_has_all_of_them(self):
        text = plain(223)
        found = Anchors({1: text, 5: text, 6: plain(223, seed=2)})
        # 193 places, every 13th.
        assert sorted(found.owners) == [[1, 5]] * 15 + [[6]] * 15

    def test_a_row_of_dashes_has_one(self):
        assert Anchors({0: b"-" * 500}).count == {0: 1}

    def test_only_what_json_leaves_as_it_is(self):
        # Between quotes there are 40 bytes, and no piece holds one, which JSON writes otherwise.
        found = Anchors({0: b'"'.join(plain(40, seed) for seed in range(12))})
        assert found.plain
        assert found.count == {0: 15}  # 120 places, every 8th

    def test_unless_there_is_nothing_else(self):
        text = ("日本語の" * 20).encode()
        found = Anchors({0: text})
        assert not found.plain
        assert found.count[0] > 0
        assert {number for _, number in found.standing(b"\xff\xff" + text)} == set(range(len(found.owners)))

    def test_of_many_texts_there_are_fewer(self, monkeypatch):
        texts = {number: plain(463, number) for number in range(4)}
        monkeypatch.setattr(anchors, "_PIECES", ((3, 16), (4, 5)))
        # 5 of each, every 87th of 433.
        assert set(Anchors(texts).count.values()) == {5}
        assert set(Anchors({**texts, 4: plain(463, 4)}).count.values()) == {3}
        del texts[0]
        assert set(Anchors(texts).count.values()) == {16}

    def test_what_very_many_share_tells_nothing(self):
        # Of 54 places every 4th: in the piece from byte 28 on every window holds some of the number, and no other piece is so.
        texts = {number: b"-" * 40 + b"%04d" % number + b"-" * 40 for number in range(80)}
        found = Anchors(texts)
        assert set(found.count.values()) == {1}
        assert [(at, found.owners[piece]) for at, piece in found.standing(b"-" * 1000 + texts[7])] == [(1028, [7])]


@pytest.mark.parametrize("before", range(0, 90, 7))
def test_all_pieces_of_a_text_are_found_wherever_it_stands(before):
    long, short = plain(500, 1), plain(100, 2)
    found = Anchors({0: long, 1: short})
    block = b"-" * before + long + b"-" * before + short + b"-"
    standing = found.standing(block)
    assert {piece for _, piece in standing} == set(range(len(found.owners)))
    # Each position is within the text that the piece is of.
    owned = {piece: (before, 500) if found.owners[piece] == [0] else (2 * before + 500, 100) for _, piece in standing}
    assert all(owned[piece][0] <= at <= owned[piece][0] + owned[piece][1] - 31 for at, piece in standing)
    assert found(block) == sorted(at for at, _ in standing)


def test_what_is_ignored():
    long, short = plain(500, 1), plain(100, 2)
    found = Anchors({0: long, 1: short})
    ignored = np.array([owners == [1] for owners in found.owners])
    assert {tuple(found.owners[piece]) for _, piece in found.standing(long + short, ignored)} == {(0,)}
    assert {tuple(found.owners[piece]) for _, piece in found.standing(long + short, ~ignored)} == {(1,)}


def test_of_nothing():
    assert Anchors({}).standing(plain(500)) == []
