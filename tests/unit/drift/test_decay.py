"""How a measure's movement is split. All numbers are worked out by hand: RR is 1/rank of the first relevant key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.conventions import get_convention
from irbridge.corpora import corpus_of
from irbridge.drift.decay import Labels, decayed, moved
from irbridge.drift.workflow import inspected
from irbridge.measures.names import parse
from irbridge.model import Chunk, Judgment, Ranking

RR, CONVENTION = parse("RR@10"), get_convention("ir_measures")


def label(query_id: str, chunk: str, text: str) -> Judgment:
    return Judgment(query_id, "d", 1, chunk_id=chunk, chunk_text=text)


# a is the same text under a new id; b is in two chunks; c is valid.
LABELS = [label("q1", "a-old", "one text"), label("q2", "b-old", "two parts"), label("q3", "c", "three")]
CORPUS = [
    Chunk("a-new", "d", None, 0, "one text"),
    Chunk("b1", "d", None, 1, "two"),
    Chunk("b2", "d", None, 2, "parts"),
    Chunk("c", "d", None, 3, "three"),
]
EARLIER = [Ranking("q1", ["a-old"]), Ranking("q2", ["x", "b-old"]), Ranking("q3", ["c"])]
LATER = [Ranking("q1", ["y", "a-new"]), Ranking("q2", ["b1", "b2"]), Ranking("q3", ["c"])]


def labels() -> Labels:
    found = inspected(LABELS, corpus_of(CORPUS))
    assert [each.status for each in found.drift.findings] == ["RE_ANCHORABLE", "SPLIT", "VALID"]
    return Labels.of(found.labels, found.drift, found.repair)


def test_one_run() -> None:
    [reading] = decayed(labels(), LATER, RR, CONVENTION)
    # As they stand q1 and q2 name chunks that are no more: (0 + 0 + 1) / 3; repaired q1 is found at rank 2: (1/2 + 1) / 2.
    assert reading.as_dict() == {
        "measure": "RR@10", "standing": pytest.approx(1 / 3), "valid": 1.0, "stale": 0.0, "held": 0.75,
        "queries": {"standing": 3, "valid": 1, "stale": 2, "held": 2},
    }  # fmt: skip


def test_two_runs() -> None:
    [movement] = moved(labels(), EARLIER, LATER, RR, CONVENTION)
    # Before (1 + 1/2 + 1) / 3 = 5/6, after 1/3: moved by -1/2. On q1 and q3 the retriever went from 1, 1 to 1/2, 1.
    assert movement.before == pytest.approx(5 / 6)
    assert movement.after == pytest.approx(1 / 3)
    assert movement.movement == pytest.approx(-1 / 2)
    assert movement.retriever == pytest.approx(-1 / 4)
    assert movement.decay == pytest.approx(-1 / 4)
    assert movement.queries == 2
    # Changes -1/2 and 0: mean -1/4, s = sqrt(1/8), t(0.975, 1) = 12.7062047: -1/4 -+ 12.7062047 / 4.
    assert movement.low == pytest.approx(-1 / 4 - 12.706204736174694 / 4, abs=1e-9)
    assert movement.high == pytest.approx(-1 / 4 + 12.706204736174694 / 4, abs=1e-9)
    assert not movement.telling


def test_where_no_label_holds_nothing_is_said_of_the_retriever() -> None:
    gone = [label("q1", "z", "nowhere to be found in there")]
    found = inspected(gone, corpus_of(CORPUS))
    [movement] = moved(Labels.of(gone, found.drift, found.repair), [Ranking("q1", ["z"])], LATER, RR, CONVENTION)
    assert (movement.before, movement.after, movement.movement) == (1.0, 0.0, -1.0)
    assert (movement.retriever, movement.decay, movement.low, movement.queries) == (None, None, None, 0)


keys = st.permutations(["a-old", "a-new", "b-old", "b1", "b2", "c", "x", "y"])


@given(st.lists(keys, min_size=3, max_size=3), st.lists(keys, min_size=3, max_size=3))
def test_the_parts_add_up_and_an_unchanged_corpus_has_no_decay(one: list[list[str]], other: list[list[str]]) -> None:
    earlier = [Ranking(f"q{n + 1}", order) for n, order in enumerate(one)]
    later = [Ranking(f"q{n + 1}", order) for n, order in enumerate(other)]
    [movement] = moved(labels(), earlier, later, RR, CONVENTION)
    assert movement.movement is not None
    assert movement.retriever is not None
    assert movement.decay is not None
    assert movement.retriever + movement.decay == pytest.approx(movement.movement)
    same = [Chunk(each.key, "d", None, number, each.chunk_text) for number, each in enumerate(LABELS)]
    found = inspected(LABELS, corpus_of(same))
    [unchanged] = moved(Labels.of(LABELS, found.drift, found.repair), earlier, later, RR, CONVENTION)
    assert unchanged.decay == pytest.approx(0)
