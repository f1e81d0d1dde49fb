"""Many needles in many haystacks: what the fast way finds is what asking for each pair finds, and its work is linear."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift import needles
from irbridge.drift.needles import holders, places

# Few letters, so that much repeats; one of two bytes and one of four.
TEXTS = st.text(alphabet="ab é🚲", max_size=40)


@pytest.fixture
def always_fast(monkeypatch):
    monkeypatch.setattr(needles, "_FEW", -1)


@pytest.mark.usefixtures("always_fast")
class TestFast:
    @given(st.lists(TEXTS, max_size=8), st.lists(TEXTS, max_size=6))
    def test_holders(self, wanted, haystacks):
        expected = {
            (number, place)
            for number, needle in enumerate(wanted)
            for place, haystack in enumerate(haystacks)
            if needle and needle in haystack
        }
        found = list(holders(wanted, haystacks))
        assert set(found) == expected
        assert len(found) == len(expected)

    @given(st.lists(TEXTS, max_size=8), st.text(alphabet="ab é🚲", max_size=120))
    def test_places(self, wanted, text):
        encoded, body = [needle.encode() for needle in wanted], text.encode()
        expected = {
            (number, at)
            for number, needle in enumerate(encoded)
            for at in range(len(body))
            if needle and body.startswith(needle, at)
        }
        assert set(places(encoded, body)) == expected

    @pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 11, 12, 13, 15, 16, 17, 40])
    def test_at_the_ends_of_blocks(self, size, monkeypatch):
        monkeypatch.setattr(needles, "_BLOCK", 32)
        text = bytes(random.Random(size).choices(range(97, 123), k=150))
        wanted = [text[at : at + size] for at in range(150 - size + 1)]
        found = set(places(wanted, text))
        assert {(number, number) for number in range(len(wanted))} <= found
        assert all(text.startswith(wanted[number], at) for number, at in found)


def test_needles_that_begin_alike_are_not_compared_with_each_other(monkeypatch):
    # A heading before each of 4,000 chunks and labels: a window in the heading would meet 4,000 x 4,000 pairs.
    monkeypatch.setattr(needles, "_FEW", -1)
    chance = random.Random(1)
    heading = "# The handbook of everything, part seven: of things\n"
    wanted = [heading + "".join(chance.choices("abcdefgh", k=60)) for _ in range(4000)]
    buckets = needles._buckets({number: needle.encode() for number, needle in enumerate(wanted)}, 16)
    largest = max(sum(map(len, alike.values())) for bucket in buckets.values() for alike in bucket.values())
    assert largest <= 4
    assert sorted(holders(wanted, wanted)) == [(number, number) for number in range(4000)]


def test_what_repeats_itself_is_not_compared_at_each_of_its_places(monkeypatch):
    # 40 needles of dashes, all of other lengths, in haystacks of dashes: some fit, some do not.
    monkeypatch.setattr(needles, "_FEW", -1)
    looked = 0
    of_group = needles._of_group

    def counting(*args):
        nonlocal looked
        looked += 1
        return of_group(*args)

    monkeypatch.setattr(needles, "_of_group", counting)
    wanted = ["-" * (1000 + 100 * number) for number in range(40)]
    haystacks = ["-" * 3000, "+" * 3000, "-" * 8000]
    found = set(holders(wanted, haystacks))
    assert found == {
        (number, place) for number in range(40) for place in (0, 2) if len(wanted[number]) <= len(haystacks[place])
    }
    # Each needle once in each of the two haystacks that hold its window, not once at each of 11,000 positions.
    assert looked <= 40 * 3


@pytest.mark.parametrize("few", [-1, 1 << 20])
def test_no_more_places_than_are_of_interest(monkeypatch, few):
    monkeypatch.setattr(needles, "_FEW", few)
    seen: list[int] = []
    for _, position in places([b"ab" * 20], b"ab" * 3000, lambda _: 6000 if len(seen) >= 3 else 0):
        seen.append(position)
    assert seen == [0, 2, 4]
