"""Which queries count, under each convention. Expected means are worked out by hand from field notes B21 and B24."""

from __future__ import annotations

import pytest

from irbridge.api import score
from irbridge.errors import InputError, UnknownName, UsageError
from irbridge.evaluate import convention_of
from irbridge.measures.names import parse

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}}
RUN = {"q1": {"a": 2.0}, "q3": {"c": 1.0}, "q9": {"z": 1.0}}


@pytest.mark.parametrize(
    "convention, queries, mean",
    [
        ("ir_measures", ["q1", "q2", "q3"], 1 / 3),
        ("trec_eval-9", ["q1", "q3"], 1 / 2),
        ("beir", ["q1", "q3"], 1 / 2),
        ("retrieval-eval", ["q1", "q2"], 1 / 2),
    ],
)
def test_who_counts(convention, queries, mean):
    scores = score(QRELS, RUN, "AP num_q", convention=convention)
    assert scores.query_ids == queries
    assert scores.aggregates() == {"AP": pytest.approx(mean), "num_q": len(queries)}
    assert scores.coverage.missing == ["q2"]
    assert scores.coverage.no_positives == ["q3"]
    assert (scores.coverage.judged, scores.coverage.answered, scores.coverage.extra) == (3, 2, 1)
    assert scores.coverage.scored == len(queries)


@pytest.mark.parametrize("convention", ["trec_eval-10", "ranx"])
def test_a_missing_query_can_be_an_error(convention):
    with pytest.raises(InputError, match="does not answer 1 of 3 judged queries: q2") as caught:
        score(QRELS, RUN, "AP", convention=convention)
    assert "--missing zero" in (caught.value.hint or "")
    assert score(QRELS, RUN, "AP", convention=convention, missing="zero").aggregates() == {"AP": pytest.approx(1 / 3)}


def test_nothing_scored_means_no_number():
    scores = score({"q1": {"a": 0}}, {"q1": {"a": 1.0}}, "precision@1")
    assert scores.convention.name == "retrieval-eval"
    assert scores.aggregates() == {}
    assert scores.query_ids == []


def test_per_query_values_under_the_names_that_were_asked_for():
    scores = score(QRELS, RUN, ["map", "nDCG@1"])
    assert list(scores.per_query()) == [
        ("q1", "map", 1.0), ("q1", "nDCG@1", 1.0), ("q2", "map", 0.0), ("q2", "nDCG@1", 0.0), ("q3", "map", 0.0),
        ("q3", "nDCG@1", 0.0),
    ]  # fmt: skip
    assert scores.of("map") == {"q1": 1.0, "q2": 0.0, "q3": 0.0}
    with pytest.raises(UnknownName, match="'mapp' is not a measure of these scores; did you mean map") as caught:
        scores.of("mapp")
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("one of: map")


@pytest.mark.parametrize(
    "names, convention",
    [
        ("ndcg@10 mrr@5", "retrieval-eval"),
        ("nDCG@10", "ir_measures"),
        ("ndcg@10 nDCG@10", "ir_measures"),
        ("map", "ir_measures"),
    ],
)
def test_the_convention_of_a_dialect(names, convention):
    assert convention_of(None, parse(names)).name == convention


def test_a_level_in_the_name_beats_the_convention():
    # Field note B32: a 1, b 2, c 3; run a, n, c; level 2: RR 1/3, and nDCG does not change.
    qrels, run = {"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 3.0, "n": 2.0, "c": 1.0}}
    found = score(qrels, run, "RR RR(rel=1) ndcg", rel=2).aggregates()
    assert found == {"RR": pytest.approx(1 / 3), "RR(rel=1)": 1.0, "ndcg": pytest.approx(0.5250, abs=5e-5)}
    assert score(qrels, run, "ndcg", rel=2, level_cuts_gain=True).aggregates()["ndcg"] == pytest.approx(
        0.3520, abs=5e-5
    )


def test_gain_knob_leaves_spelled_gains_alone():
    # Field note B33: linear 0.2346 at 2, exponential 0.1125 (B32's input).
    qrels, run = {"q": {"a": 1, "b": 2, "c": 3}}, {"q": {"a": 3.0, "n": 2.0, "c": 1.0}}
    found = score(qrels, run, "nDCG@2 nDCG(dcg='exp-log2')@2 ndcg@2", gain="linear").aggregates()
    assert found["nDCG@2"] == pytest.approx(0.2346, abs=5e-5)
    assert found["nDCG(dcg='exp-log2')@2"] == pytest.approx(0.11245, abs=5e-6)
    assert found["ndcg@2"] == pytest.approx(0.2346, abs=5e-5)
    assert score(qrels, run, "nDCG@2", gain="exp").aggregates()["nDCG@2"] == pytest.approx(0.11245, abs=5e-6)


def test_cutoffs_for_all():
    assert list(score(QRELS, RUN, "P@5 AP RR", k=[1, 2]).aggregates()) == ["P@1", "P@2", "AP@1", "AP@2", "RR@1", "RR@2"]
    assert list(score(QRELS, RUN).aggregates()) == [
        "precision@10", "recall@10", "ndcg@10", "mrr@10", "map@10", "hit_rate@10",
    ]  # fmt: skip


def test_unknown_knob_or_value():
    with pytest.raises(UsageError):
        score(QRELS, RUN, "AP", ties="random")


def test_share_of_the_top_ten_that_is_judged():
    # q1: 1 of 1, q3: 1 of 1 in the top 10; q9 has no judgment and does not count.
    assert score(QRELS, RUN, "AP").coverage.judged_at_10 == 1.0
    run = {"q1": {"a": 1.0, "x": 0.5, "y": 0.4, "z": 0.3}}
    assert score(QRELS, run, "AP").coverage.judged_at_10 == 0.25


def test_a_level_in_the_name_and_queries_left_out_by_another():
    with pytest.raises(UsageError, match="is relevant from grade 2"):
        score(QRELS, RUN, "AP(rel=2)", no_positives="exclude")
    assert score(QRELS, RUN, "AP(rel=2)", no_positives="exclude", rel=2, missing="zero").query_ids == []


def test_a_split_is_chosen_by_the_mark_of_its_labels(tmp_path):
    path = tmp_path / "j.jsonl"
    path.write_text(
        '{"query_id":"q1","doc_uri":"a","relevance":1,"split":"test"}\n'
        '{"query_id":"q2","doc_uri":"b","relevance":1,"split":"train"}\n'
    )
    assert score(path, RUN, "AP", split="test").query_ids == ["q1"]
    assert score(path, RUN, "AP", split="all").query_ids == ["q1", "q2"]
    with pytest.raises(InputError, match="no label is of split 'dev'") as caught:
        score(path, RUN, "AP", split="dev")
    assert caught.value.hint == "its splits: test, train"
    (tmp_path / "q.txt").write_text("q1 0 a 1\n")
    with pytest.raises(InputError, match="no label is of split 'test'"):
        score(tmp_path / "q.txt", RUN, "AP", split="test")


def test_an_unknown_knob_is_named():
    with pytest.raises(UsageError, match="'relevance' is not a knob"):
        score(QRELS, RUN, "AP", relevance=2)


@pytest.mark.parametrize(
    "options",
    [
        {"rel": 2**64}, {"depth": 10**30}, {"rel": True}, {"gain": 3}, {"gain": {1: None}}, {"gain": {"1": 2}},
        {"convention": 5}, {"convention": "trec"}, {"k": 0}, {"k": [1.5]}, {"measures": 7}, {"measures": []},
    ],
)  # fmt: skip
def test_what_a_program_may_get_wrong_is_a_usage_error(options):
    with pytest.raises(UsageError):
        score(QRELS, RUN, **{"measures": "AP", **options})


def test_a_table_of_gains_and_a_single_cutoff():
    assert score(QRELS, RUN, "nDCG@10", gain={1: 3}, k=1).aggregates() == {"nDCG@1": pytest.approx(1 / 3)}


def test_a_list_of_measures_that_holds_itself():
    nested: list = ["AP"]
    nested.append(nested)
    with pytest.raises(UsageError, match="nested"):
        score(QRELS, RUN, nested)


def test_what_python_prints_of_scores_is_short():
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}
    assert repr(score(qrels, run, "AP P@1")) == "<Scores AP=0.5000, P@1=0.5000; 2 queries; ir_measures>"
    many = score(qrels, run, [f"P@{k}" for k in range(1, 10)], missing="skip")
    assert repr(many).endswith("P@6=0.1667, and 3 more; 1 query; ir_measures (changed)>")
    none = score({"q1": {"a": 0}}, run, "AP", no_positives="exclude")
    assert repr(none) == "<Scores of nothing; 0 queries; ir_measures (changed)>"
