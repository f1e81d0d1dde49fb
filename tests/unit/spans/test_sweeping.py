"""The sweep against looking at every pair."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from irbridge.spans.rules import CONTAINS, rule_of
from irbridge.spans.sweeping import Place, Taken, swept

_STRETCH = st.tuples(st.integers(0, 30), st.integers(0, 12))


@given(st.lists(_STRETCH, max_size=12), st.lists(_STRETCH, max_size=12), st.sampled_from(["contains", "overlap=0.5", "overlap=0.1", "overlap=1"]))  # fmt: skip
def test_finds_every_pair(spans: list[tuple[int, int]], chunks: list[tuple[int, int]], rule: str) -> None:
    of_spans = [Place(start, start + size + 1, number) for number, (start, size) in enumerate(spans)]
    of_chunks = [Place(start, start + size, number) for number, (start, size) in enumerate(chunks)]
    expected = set()
    for span in of_spans:
        for chunk in of_chunks:
            covered = len(set(range(span.start, span.end)) & set(range(chunk.start, chunk.end)))
            if rule_of(rule).takes(covered, span.end - span.start):
                expected.add(Taken(span.number, chunk.number, covered))
    found = list(swept(of_spans, of_chunks, rule_of(rule)))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_fifty_thousand_chunks_and_spans_take_a_moment() -> None:
    chunks = [Place(number * 20, number * 20 + 25, number) for number in range(50_000)]
    spans = [Place(number * 20 + 3, number * 20 + 13, number) for number in range(50_000)]
    long = [Place(0, 1_000_000, -number) for number in range(1, 20_001)]  # as every pair: 10^9
    began = time.perf_counter()
    assert len(list(swept(spans + long, chunks, CONTAINS))) == 50_000
    # 10 of 10 in its own chunk; the chunk before reaches 5 into the next 20, 2 into its span.
    assert len(list(swept(spans + long, chunks, rule_of("overlap=0.5")))) == 50_000
    assert time.perf_counter() - began < 20
