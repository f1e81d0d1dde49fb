"""Run against run and fused runs, by hand."""

from __future__ import annotations

from typing import Any

import pytest

import irbridge
from irbridge.comparison.fusing import way_of
from irbridge.comparison.overlapping import Moved
from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.model import Ranking

A = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 1.0}}
B = {"q1": {"a": 9.0, "c": 8.0, "d": 7.0}, "q3": {"x": 1.0}}


def test_overlap() -> None:
    found = irbridge.overlap(A, B, k=[1, 2, 3])
    (query,) = found.queries
    # abc and acd at p 0.9: 0.685 (test_rankings); the top 1, 2, 3 share 1, 1, 2 documents.
    assert query.rbo == pytest.approx(0.685, abs=1e-12)
    assert query.overlap == (1, 1 / 2, 2 / 3)
    assert (query.common, query.sizes, query.same) == (2, (3, 3), False)
    assert found.only == (1, 1)
    assert list(found.moved()) == [
        Moved("q1", "a", 1, 1, 0),
        Moved("q1", "b", 2, None, None),
        Moved("q1", "c", 3, 2, 1),
        Moved("q1", "d", None, 3, None),
    ]


def test_a_run_and_itself() -> None:
    found = irbridge.overlap(A, A)
    assert [each.rbo for each in found.queries] == pytest.approx([1, 1])
    assert all(each.same for each in found.queries)
    assert found.mean(0) == 1.0


def test_ties_are_ordered_and_counted() -> None:
    tied, strict = {"q": {"a": 1.0, "b": 1.0}}, {"q": {"a": 2.0, "b": 1.0}}
    assert irbridge.overlap(tied, strict).queries[0].same is False  # docid descending: b before a
    assert irbridge.overlap(tied, strict, ties="docid-asc").queries[0].same is True
    assert irbridge.overlap(tied, strict).first.tied == 1


def test_depth() -> None:
    assert irbridge.overlap(A, B, depth=1).queries[0].rbo == pytest.approx(1)


def test_rankings_without_documents() -> None:
    empty, full = [Ranking("q", [])], [Ranking("q", ["a"])]
    found = irbridge.overlap(empty, [Ranking("q", [])])
    assert found.queries[0].rbo is None
    assert found.mean() is None
    assert irbridge.overlap(empty, full).queries[0].rbo == 0.0


@pytest.mark.parametrize("p", [0, 1, -0.5, True, "0.9", float("nan")])
def test_persistence_is_between_0_and_1(p: Any) -> None:
    with pytest.raises(UsageError, match="persistence"):
        irbridge.overlap(A, B, p=p)


def test_nothing_in_common() -> None:
    with pytest.raises(InputError, match="no query in common"):
        irbridge.overlap({"q1": {"a": 1.0}}, {"q2": {"a": 1.0}})


# --------------------------------------------------------------------------------------------------------------- fusion


def fused(*runs: Any, **options: Any) -> dict[str, list[tuple[str, float]]]:
    return {
        ranking.query_id: list(zip(ranking.doc_ids, ranking.scores or (), strict=True))
        for ranking in irbridge.fuse(list(runs), **options)
    }


def test_rrf() -> None:
    found = fused(A, B)
    # a is first in both; c third and second; b second and d third in one.
    assert found["q1"] == [("a", 2 / 61), ("c", 1 / 62 + 1 / 63), ("b", 1 / 62), ("d", 1 / 63)]
    assert list(found) == ["q1", "q2", "q3"]
    assert found["q2"] == [("x", 1 / 61)]


def test_combsum_and_combmnz() -> None:
    # Min-max: a 1, b 1/2, c 0 and a 1, c 1/2, d 0. b and c tie: ids in descending order.
    assert fused(A, B, by="combsum")["q1"] == [("a", 2.0), ("c", 0.5), ("b", 0.5), ("d", 0.0)]
    assert fused(A, B, by="combmnz")["q1"] == [("a", 4.0), ("c", 1.0), ("b", 0.5), ("d", 0.0)]
    assert fused(A, B, by="combsum", norm="none")["q1"][0] == ("a", 12.0)
    assert fused(A, B, by="combsum", norm="rank")["q1"][0] == ("a", 2.0)


def test_top_and_depth() -> None:
    assert [doc_id for doc_id, _ in fused(A, B, top=2)["q1"]] == ["a", "c"]
    assert fused(A, B, depth=1)["q1"] == [("a", 2 / 61)]


def test_runs_without_scores() -> None:
    plain = [Ranking("q", ["a", "b"])]
    scored = {"q": {"b": 1.0}}
    assert [doc_id for doc_id, _ in fused(plain, scored)["q"]] == ["b", "a"]
    assert fused(plain, scored, by="combsum", norm="rank")["q"] == [("b", 1.5), ("a", 1.0)]
    with pytest.raises(InputError, match="has no scores"):
        fused(plain, scored, by="combsum")


def test_the_order_of_a_ranking_is_that_of_its_scores() -> None:
    shuffled = [Ranking("q", ["a", "b", "c"], [1.0, 3.0, 2.0])]
    assert [doc_id for doc_id, _ in fused(shuffled, shuffled)["q"]] == ["b", "c", "a"]


@pytest.mark.parametrize(
    "by, norm, error, message",
    [
        ("rff", None, UnknownName, "did you mean rrf"),
        ("combsum", "mimax", UnknownName, "did you mean minmax"),
        ("rrf", "minmax", UsageError, "nothing to normalise"),
        ("rrf/x", None, UsageError, "no parameter of rrf"),
        ("rrf/-1", None, UsageError, "no parameter of rrf"),
        ("rrf/1e999", None, UsageError, "no parameter of rrf"),
        ("combsum/2", None, UsageError, "takes no parameter"),
        (5, None, UsageError, "no way to fuse"),
    ],
)
def test_ways_that_are_none(by: Any, norm: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        way_of(by, norm)


def test_ways_have_names() -> None:
    assert way_of("rrf").name == "rrf/60"
    assert way_of("rrf/20").name == "rrf/20"
    assert way_of("combsum").name == "combsum, minmax"


def test_one_run_is_not_fused() -> None:
    with pytest.raises(UsageError, match="at least two runs"):
        irbridge.fuse([A])
