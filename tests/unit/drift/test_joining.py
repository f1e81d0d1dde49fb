"""How far the end of one text is the beginning of the next: the definition, tried for every length, is what is expected."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from irbridge.drift import joining
from irbridge.drift.joining import _border, _overlap

TEXTS = st.text("ab-", max_size=30).map(str.encode)


def longest(before: bytes, after: bytes) -> int:
    return max(
        (size for size in range(1, min(len(before), len(after)) + 1) if before.endswith(after[:size])), default=0
    )


@given(before=TEXTS, after=TEXTS)
def test_the_longest_text_that_ends_the_one_and_begins_the_other(before, after):
    assert _border(before, after) == longest(before, after)
    assert _border(before + after[:7], after) == longest(before + after[:7], after)


@given(before=TEXTS, after=TEXTS, least=st.integers(1, 5), tried=st.integers(0, 2))
def test_it_is_the_same_whichever_way_it_is_found(before, after, least, tried):
    expected = longest(before, after)
    usual, joining._TRIED = joining._TRIED, tried
    try:
        assert _overlap(before, after, least) == (expected if expected >= least else 0)
    finally:
        joining._TRIED = usual


def test_rows_of_dashes_take_time_in_proportion_to_their_length():
    row = b"-" * 200_000
    began = time.process_time()
    assert _overlap(row + b"1", row + b"2", 16) == 0
    assert _overlap(b"1" + row, row + b"2", 16) == len(row)
    # Place by place it takes 200,000 comparisons of 100 KB each, a minute and more.
    assert time.process_time() - began < 10
