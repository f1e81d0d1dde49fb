from __future__ import annotations

import pytest

from irbridge.conventions import get_convention
from irbridge.crosscheck.native import HeldRun, Native
from irbridge.errors import InputError
from irbridge.inputs import qrels_of
from irbridge.measures.names import parse
from irbridge.model import Ranking

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}


def held(*rankings):
    return HeldRun(rankings)


def test_a_run_is_read_whole(tmp_path):
    path = tmp_path / "a.run"
    path.write_text("q1 Q0 a 1 2.5 t\nq9 Q0 z 1 1 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 1 t\n")
    run = HeldRun.read(qrels_of(QRELS), path)
    by_query = {ranking.query_id: (list(ranking.doc_ids), list(ranking.scores)) for ranking in run}
    # Rows of q1 are scattered; of q9, which nobody judged, the name is enough.
    assert by_query == {"q1": (["a", "b"], [2.5, 2.0]), "q2": (["c"], [1.0]), "q9": ([], [])}
    assert "interleaved" in run.reading.notes


def test_a_list_without_scores_gets_scores_that_order_it_everywhere():
    run = HeldRun.read(qrels_of(QRELS), {"q1": ["b", "a", "x"]})
    assert list(run.rankings[0].scores) == [2.0, 1.0, 0.0]


def test_a_ranking_without_documents_answers_here_and_is_not_given_to_engines():
    table = qrels_of(QRELS)
    run = HeldRun.read(table, {"q1": [], "q2": {"c": 1.0}, "q8": []})
    assert [ranking.query_id for ranking in run] == ["q1", "q2", "q8"]
    assert run.material(table).run == {"q2": {"c": 1.0}}
    # q8 is not judged: nobody would be told of it anyway.
    assert str(run.reading.notes["empty"]).startswith("1 ranking holds no document")
    native, skip = Native(table, run), get_convention("trec_eval-9")
    # As `score` has it: q1 is answered, with nothing.
    assert native.scores(parse("AP"), skip).query_ids == ["q1", "q2"]
    assert native.scores(parse("AP"), skip, without_empty=True).query_ids == ["q2"]


def test_numbers_of_a_held_run_are_packed():
    run = HeldRun.read(qrels_of(QRELS), [Ranking("q1", ["a", "b"], [2.0, 1], [1, 2])])
    (ranking,) = run
    assert (ranking.scores.itemsize, ranking.ranks.itemsize) == (8, 8)
    assert (ranking.scores.tolist(), ranking.ranks.tolist()) == ([2.0, 1.0], [1, 2])
    # A rank that no 64 bits hold is kept as it is.
    (ranking,) = HeldRun.read(qrels_of(QRELS), [Ranking("q1", ["a"], [2.0], [2**70])])
    assert list(ranking.ranks) == [2**70]


def test_what_oracles_are_given():
    run = held(Ranking("q1", ["a", "b", "a"], [9.0, 5.0, 1.0]), Ranking("q9", ["z"], [1.0]))
    material = run.material(qrels_of(QRELS))
    assert material.qrels == QRELS
    # The last row of a counts, in its place; q9 is not judged.
    assert list(material.run["q1"].items()) == [("b", 5.0), ("a", 1.0)]
    assert list(material.run) == ["q1"]
    assert material.repeated == ("q1",)


def test_the_rank_column_in_place_of_scores():
    # Field note B06: scores say b, the rank column says a.
    run = held(Ranking("q1", ["a", "b"], [0.1, 0.9], [1, 2]))
    turned = run.by_rank()
    assert turned is not None
    assert turned.rankings[0].scores == [-1.0, -2.0]
    assert held(Ranking("q1", ["a"], [1.0])).by_rank() is None


def test_an_order_is_computed_once_for_all_conventions_that_share_it():
    native = Native(qrels_of(QRELS), held(Ranking("q1", ["b", "a"], [1.0, 1.0])))
    base = get_convention("ir_measures")
    assert native.judged(base) is native.judged(base.changed(missing="skip", rel=2))
    assert native.judged(base) is not native.judged(base.changed(ties="docid-asc"))


def test_numbers_under_any_convention_and_for_some_queries():
    native = Native(qrels_of(QRELS), held(Ranking("q1", ["a", "b"], [1.0, 1.0]), Ranking("q9", ["z"], [1.0])))
    base, (rr,) = get_convention("ir_measures"), parse("RR")
    # Ties by descending id put b first: RR 1/2 for q1; q2 is not answered.
    assert native.scores([rr], base).of("RR") == {"q1": 0.5, "q2": 0.0}
    assert native.scores([rr], base.changed(ties="docid-asc")).of("RR") == {"q1": 1.0, "q2": 0.0}
    assert native.scores([rr], base).coverage.extra == 1
    near = native.only({"q1"})
    assert near is not None
    assert near.scores([rr], base).of("RR") == {"q1": 0.5}
    assert native.only({"q2"}) is None


def test_an_input_that_cannot_be_scored_says_so():
    with pytest.raises(InputError, match="no query in common"):
        Native(qrels_of(QRELS), held(Ranking("q9", ["a"], [1.0]))).judged(get_convention("ir_measures"))
