"""Rankings under conventions. Expected ranks are worked out by hand; the field notes name their sources."""

from __future__ import annotations

import numpy as np
import pytest

from irbridge.conventions import Convention, get_convention
from irbridge.errors import InputError
from irbridge.judging import judge
from irbridge.model import Judgment, Ranking
from irbridge.qrels import Qrels
from irbridge.ranking import arranged, contradicts, order, regrouped
from irbridge.reading import Reading

DESC = Convention("desc")


def qrels(*labels: tuple[str, str, int]) -> Qrels:
    return Qrels.from_judgments(Judgment(*label) for label in labels)


@pytest.mark.parametrize(
    "doc_ids, scores, knobs, best_first",
    [
        ("ab", [1, 2], {}, "ba"),
        ("ab", [1, 1], {}, "ba"),
        ("ab", [1, 1], {"ties": "docid-asc"}, "ab"),
        ("ba", [1, 1], {"ties": "given"}, "ba"),
        # U+FF5E is above U+10000's first UTF-16 unit: by code point (and UTF-8 byte) the astral id is the greater.
        (["\uff5e", "\U00010000"], [1, 1], {}, ["\U00010000", "\uff5e"]),
        # Code points, not numbers and not letters: "9" > "10", "a" > "B".
        (["10", "9", "B", "a"], [1, 1, 1, 1], {}, ["a", "B", "9", "10"]),
        # 0.9000000002 and 0.9000000001 are one float32 (field note B02).
        (["d0", "d9"], [0.9000000002, 0.9000000001], {"precision": "float32"}, ["d9", "d0"]),
        (["d0", "d9"], [0.9000000002, 0.9000000001], {}, ["d0", "d9"]),
        # Beyond float32's range both are infinite, as a cast in C makes them.
        ("ab", [1e300, 1e299], {"precision": "float32"}, "ba"),
        ("ab", [-0.0, 0.0], {}, "ba"),
        ("abc", [float("-inf"), float("inf"), 0], {}, "bca"),
        ("cab", None, {}, "cab"),
    ],
)
def test_order(doc_ids, scores, knobs, best_first):
    found, repeated = arranged(Ranking("q", list(doc_ids), scores), DESC.changed(**knobs))
    assert list(found.doc_ids) == list(best_first)
    assert not repeated


def test_falling_scores_need_no_order():
    assert order(["a", "b"], [2.0, 1.0], DESC) is None
    assert order(["a"], None, DESC) is None


@pytest.mark.parametrize("duplicates, best_first", [("first", "ab"), ("last", "ba")])
def test_a_repeated_document(duplicates, best_first):
    # Field note B07: a 9, b 5, a 1. The first a is at rank 1; the last one behind b.
    found, repeated = arranged(Ranking("q", list("aba"), [9, 5, 1]), DESC.changed(duplicates=duplicates))
    assert list(found.doc_ids) == list(best_first)
    assert repeated


def test_first_means_the_better_placed_one():
    found, _ = arranged(Ranking("q", list("aba"), [1, 5, 9]), DESC.changed(duplicates="first"))
    assert list(found.doc_ids) == ["a", "b"]
    assert found.scores == [9, 5]


def test_a_repeated_document_is_refused_by_name():
    with pytest.raises(InputError, match="query q has document a twice"):
        arranged(Ranking("q", list("aba"), [9, 5, 1]), DESC)


def test_the_querys_own_document_is_dropped_before_ranks_are_given():
    found, _ = arranged(Ranking("q", ["q", "a"], [9, 1]), get_convention("beir"))
    assert found.doc_ids == ["a"]


def test_a_ranking_is_not_changed():
    doc_ids, scores = ["a", "b"], [1.0, 2.0]
    arranged(Ranking("q", doc_ids, scores), DESC)
    assert (doc_ids, scores) == (["a", "b"], [1.0, 2.0])


@pytest.mark.parametrize("scores", [[1.0, float("nan")], [float("nan")], [float("nan"), 1.0]])
def test_nan_has_no_place(scores):
    with pytest.raises(InputError, match="is NaN"):
        order(["a", "b"][: len(scores)], scores, DESC)


@pytest.mark.parametrize(
    "ranks, scores, wrong",
    [
        ([1, 2], [2, 1], False),
        ([1, 2], [0.1, 0.9], True),  # field note B06
        ([2, 1], [1, 2], False),
        ([1, 2, 3], [1, 1, 1], False),
        ([1, 1, 1], [1, 2, 3], False),
        ([0, 0, 1], [3, 1, 2], True),
        ([3, 1, 2], [1, 3, 3], False),
        ([1], [1], False),
        (None, [1, 2], False),
        ([1, 2], [1.7e308, -1.7e308], False),  # further apart than a double reaches
        ([1, 2], [float("inf"), float("inf")], False),
    ],
)
def test_a_rank_column_that_contradicts_the_scores(ranks, scores, wrong):
    assert contradicts(Ranking("q", [str(n) for n in range(len(scores))], scores, ranks)) is wrong


def test_hits_are_ranks_and_grades_of_judged_documents():
    table = qrels(("q1", "b", 1), ("q2", "x", 2), ("q2", "y", 0))
    run = [Ranking("q2", ["x", "z", "y"], [3, 2, 1]), Ranking("q9", ["x"], [1]), Ranking("q1", ["a", "b"], [2, 1])]
    judged = judge(table, lambda: run, DESC)
    hits = judged.hits
    assert (hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist()) == ([0, 1, 1], [2, 1, 3], [1, 2, 0])
    assert hits.retrieved.tolist() == [2, 3]
    assert (judged.extra_count, judged.extra, judged.documents) == (1, ["q9"], 5)


def test_scattered_rows_are_gathered_whatever_their_order():
    table = qrels(("q1", "a", 1), ("q2", "b", 1))
    run = [
        Ranking("q1", ["x"], [3], [1]),
        Ranking("q2", ["b"], [1], [1]),
        Ranking("q0", ["b"], [1]),
        Ranking("q1", ["a"], [9], [2]),
    ]
    reading = Reading("r.run")
    hits = judge(table, lambda: iter(run), DESC, reading).hits
    assert (hits.query.tolist(), hits.rank.tolist()) == ([0, 1], [1, 1])
    assert hits.retrieved.tolist() == [2, 1]
    assert "interleaved" in reading.notes


def test_regrouping_keeps_scores_only_where_all_pieces_have_them():
    whole = list(regrouped([Ranking("q", ["a"], [1.0], [1]), Ranking("q", ["b"], [2.0])], Reading("run")))
    assert whole == [Ranking("q", ["a", "b"], [1.0, 2.0], None, None)]


def test_no_query_in_common_shows_both_sides():
    with pytest.raises(InputError, match=r"no query in common: the judgments have 301\.1; the run has 301"):
        judge(qrels(("301.1", "a", 1)), lambda: [Ranking("301", ["a"], [1])], DESC)


def test_an_empty_run_is_an_error():
    with pytest.raises(InputError, match="holds no ranking"):
        judge(qrels(("q", "a", 1)), list, DESC)


def test_depth_and_judged_only_follow_the_order():
    table = qrels(("q", "a", 1), ("q", "b", -1), ("q", "c", 1))
    hits = judge(table, lambda: [Ranking("q", list("xbac"), [4, 3, 2, 1])], DESC).hits
    assert hits.rank.tolist() == [2, 3, 4]
    assert hits.cut(3).rank.tolist() == [2, 3]
    assert hits.cut(3).retrieved.tolist() == [3]
    # Unjudged x and negative b are gone: a is first, c second (trec_eval -J).
    assert hits.judged.rank.tolist() == [1, 2]
    assert hits.judged.retrieved.tolist() == [2]


def test_against_fewer_labels_the_ranks_stay():
    table = qrels(("q", "a", 1), ("q", "c", 2), ("p", "a", 1))
    hits = judge(table, lambda: [Ranking("q", list("abc"), [3, 2, 1])], DESC).hits
    fewer = hits.restricted(np.array([False, True, False]))
    assert fewer.qrels.query_ids == ["q"]
    assert (fewer.rank.tolist(), fewer.grade.tolist(), fewer.retrieved.tolist()) == ([3], [2], [3])
