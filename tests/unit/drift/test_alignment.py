"""Alignment of an edited text. Runs and shares are counted by hand; white space is left out as it is where texts are aligned."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift import alignment
from irbridge.drift.alignment import Block, align, align_near, similarity
from irbridge.drift.edits import edited


def flat(text: str) -> str:
    return text.replace(" ", "")


REFUNDS = flat(
    "Refunds are paid within thirty days of the renewal date, unless the member asks for a credit note; then no refunds "
    "are paid at all."
)


def edit_of(label: str, document: str):
    return edited({7: label.encode()}, document.encode()).get(7)


def test_a_word_that_stands_again_at_the_end_leads_nowhere():
    # "Refunds are", 10 characters of 107, became "Money is"; the other 97 are equal. "efundsarepaid" stands at the end too,
    # and is not what was meant.
    found = edit_of(REFUNDS, "Moneyis" + REFUNDS[10:])
    assert len(REFUNDS) == 107
    assert (found.similarity, found.covered) == (97 / 107, 97 / 107)
    assert (found.doc_start, found.label_start) == (7, 10)


def test_similarity_is_not_lost_to_a_part_that_stands_further_on():
    # The first "weekdays" (8) goes; what remains is equal. The same word further on must not swallow what is between.
    before, between = "itisopenon", "fromninetofive,exceptinthemonthofmay;allother"
    after = "areasinthelawofthecountrybefore"
    label = before + "weekdays" + between + "weekdays" + after
    found = edit_of(label, before + between + "weekdays" + after)
    assert found.covered == found.similarity == (len(label) - 8) / len(label)


def test_runs_far_off_are_left_out_at_the_ends():
    # "thedirector" (11) opens the label and stands 60 characters before the rest: with it the stretch is longer than it is worth.
    rest = "signseverycontractinthenameofthesocietyandkeepsthem"
    blocks = align_near("thedirector" + rest, "thedirector" + "x" * 60 + "thechairman" + rest)
    # "the" of the word in its place is equal.
    assert blocks == [Block(0, 71, 3), Block(11, 82, 51)]
    assert similarity(blocks, 62) == 54 / 62


def test_of_two_chains_the_heavier_one_is_taken():
    a, b, c = "abcdefghijkl", "mnopqrstuvwxyzäö", "0123456789"
    # b before a in the one, after it in the other: 16 characters weigh more than 12.
    assert align(a + b + c, b + a + c) == [Block(12, 0, 16), Block(28, 28, 10)]


def test_what_two_runs_share_counts_once():
    # "na" twice less: both runs have the "na" in the middle.
    label, text = "thelongbananananarow", "thelongbananarow"
    assert sum(block.size for block in align(label, text)) == len(text)


def sound(one: str, other: str, blocks: list[Block]) -> None:
    ends = 0, 0
    for at, place, size in blocks:
        assert size >= 3
        assert at >= ends[0]
        assert place >= ends[1]
        assert one[at : at + size] == other[place : place + size]
        ends = at + size, place + size
    assert ends[0] <= len(one)
    assert ends[1] <= len(other)


@given(st.text("ab", max_size=300), st.text("abc", max_size=300), st.integers(-400, 400))
def test_runs_are_equal_and_follow_each_other(one, other, shift):
    sound(one, other, align(one, other, shift))
    sound(one, other, align_near(one, other, shift))


@given(st.text("ab c", max_size=80), st.integers(0, 10**6), st.integers(-40, 40))
def test_seeds_are_believed_only_where_they_are_true(part, seed, shift):
    chance = random.Random(seed)
    one = (part + "".join(chance.choices("abcdefgh", k=60))) * 2
    other = one[chance.randrange(40) :] + one[: chance.randrange(40)]
    seeds = [(chance.randrange(len(one)), chance.randrange(len(other))) for _ in range(20)]
    sound(one, other, align_near(one, other, shift, seeds))


SIZE = 100_000
LETTERS = random.Random(5)


def noisy(text: str, every: int) -> str:
    letters = list(text)
    for at in LETTERS.sample(range(len(text)), len(text) // every):
        letters[at] = "#"
    return "".join(letters)


HOSTILE = {
    "one letter": lambda size: ("a" * size, "a" * size),
    "one letter, edited": lambda size: (noisy("a" * size, 50), noisy("a" * size, 50)),
    "two letters by turns": lambda size: ("ab" * (size // 2), noisy("ab" * (size // 2), 50)),
    "two letters anyhow": lambda size: tuple("".join(LETTERS.choices("ab", k=size)) for _ in range(2)),
    "rows of a table": lambda size: ("|---|no|1.5|" * (size // 12), noisy("|---|no|1.5|" * (size // 12), 60)),
    "few words": lambda size: tuple("".join(LETTERS.choices(("early", "late", "noon"), k=size // 4)) for _ in range(2)),
}


@pytest.mark.parametrize("size", [SIZE // 5, SIZE])
@pytest.mark.parametrize("name", HOSTILE)
def test_work_is_linear_in_the_texts(name, size, monkeypatch):
    one, other = HOSTILE[name](size)
    calls = compared = 0

    def counted(function):
        def count(*args):
            nonlocal calls, compared
            found = function(*args)
            calls, compared = calls + 1, compared + found
            return found

        return count

    monkeypatch.setattr(alignment, "_common", counted(alignment._common))
    monkeypatch.setattr(alignment, "_common_before", counted(alignment._common_before))
    sound(one, other, align_near(one, other))
    # Each of them is a run that was tried.
    assert 0 < calls < 2 * size
    assert compared < 64 * size


@pytest.mark.parametrize("name", ["one letter", "two letters by turns", "rows of a table"])
def test_a_long_text_of_what_repeats_is_found_all_the_same(name):
    one, other = HOSTILE[name](SIZE)
    # One letter in fifty or more was replaced; between two that are near each other there may be fewer than three.
    assert similarity(align_near(one, other), len(one)) > 0.96
