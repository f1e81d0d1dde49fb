"""Field notes B21 to B27: which queries count."""

from __future__ import annotations

import math
from typing import Any

import pytest

import irbridge

BINARY = "map ndcg Rprec recip_rank recall_10 P_10"


@pytest.fixture
def half(note: Any) -> Any:
    """B21: two judged queries, of which the run answers the first, perfectly."""
    note.qrels("q1 0 a 1 / q2 0 b 1")
    note.run("q1 Q0 a 1 2 t")
    return note


@pytest.mark.parametrize(
    "knobs, value, queries",
    [
        ({"convention": "trec_eval-9", "missing": "zero"}, 0.5, 2),  # -c
        ({"convention": "trec_eval-9"}, 1.0, 1),
        ({"convention": "ir_measures"}, 0.5, 2),
        ({}, 0.5, 2),
        ({"convention": "beir"}, 1.0, 1),
        ({"convention": "retrieval-eval"}, 0.5, 2),
    ],
)
def test_b21_a_query_that_the_run_does_not_answer(half: Any, knobs: Any, value: float, queries: int) -> None:
    assert half.score("map num_q", **knobs) == {"map": value, "num_q": queries}


def test_b21_one_denominator_for_all_measures_of_a_report(half: Any) -> None:
    """BEIR's report has MAP@1 1.0 beside MRR@1 and Accuracy@1 0.5."""
    names = "AP@1 RR@1 Success@1 R@1 P@1 nDCG@1"
    assert half.score(names, convention="beir") == dict.fromkeys(names.split(), 1.0)
    assert half.score(names) == dict.fromkeys(names.split(), 0.5)


@pytest.mark.parametrize("convention", ["trec_eval-10", "ranx"])
def test_b21_engines_that_refuse(half: Any, convention: str) -> None:
    done = half.scored("map", "--convention", convention)
    assert done.code == 2
    assert "does not answer 1 of 2 judged queries: q2" in done.err
    assert "--missing zero" in done.err
    assert "--missing skip" in done.err


def test_b21_the_gap_is_seen(half: Any) -> None:
    for flags in ((), ("--missing", "skip")):
        assert "1 of 2 judged queries answered" in half.scored("map", *flags).out
        assert half.report("map", *flags)["coverage"]["missing"] == ["q2"]


# -------------------------------------------------------------------------------------------------------------- B23


@pytest.mark.parametrize("flags", [(), ("--missing", "zero"), ("--missing", "skip"), ("--convention", "beir")])
def test_b23_no_query_in_common_is_an_error_whatever_is_missing(note: Any, flags: tuple[str, ...]) -> None:
    """trec_eval 10 -c prints map 0.0000 and exits 0 here, and a build that checks nothing else goes on."""
    note.qrels("301.1 0 a 1 / 302.1 0 b 1")
    note.run("301 Q0 a 1 2 t / 302 Q0 b 1 2 t")
    done = note.scored("map", *flags)
    assert done.code == 2
    assert done.out == ""
    for some in ("301.1", "302.1", "the run has 301, 302"):
        assert some in done.err


# -------------------------------------------------------------------------------------------------------------- B24


@pytest.fixture
def without(note: Any) -> Any:
    """B24: q1 is judged and has nothing relevant; q2 is answered perfectly."""
    note.qrels("q1 0 a 0 / q2 0 b 1")
    note.run("q1 Q0 a 1 1 t / q2 Q0 b 1 1 t")
    return note


@pytest.mark.parametrize("convention", ["trec_eval-9", "trec_eval-10", "ir_measures", "beir", "ranx"])
def test_b24_nothing_relevant_scores_zero_and_counts(without: Any, convention: str) -> None:
    scores = irbridge.score("a.qrels", "a.run", f"{BINARY} num_q set_P set_F bpref success_1", convention=convention)
    for measure in scores.measures:
        assert scores.of(measure.asked)["q1"] == (1.0 if measure.asked == "num_q" else 0.0)
    assert scores.aggregates()["map"] == 0.5
    assert scores.aggregates()["num_q"] == 2


def test_b24_the_specification_leaves_it_out_and_says_so(without: Any) -> None:
    report = without.report("map@10 ndcg@10 hit_rate@10")
    assert report["metrics"]["map@10"]["value"] == 1.0
    assert report["judgments"]["queries_scored"] == 1
    assert report["coverage"]["no_positives"] == ["q1"]
    said = "1 judged queries have no label at relevance >= 1 and were excluded from the averages"
    assert said in report["verdict"]["reasons"]


# -------------------------------------------------------------------------------------------------------------- B25


@pytest.mark.parametrize("convention", irbridge.CONVENTIONS)
def test_b25_a_query_with_no_judgment_at_all_is_undefined(convention: str) -> None:
    """It is left out; the queries after it are what they are."""
    qrels = {"q1": {"d1": 0, "d2": 1}, "q2": {}, "q3": {"d2": 1}}
    run = {query_id: {"d2": 1.0} for query_id in qrels}
    for _ in range(3):
        scores = irbridge.score(qrels, run, "nDCG@10 AP RR", convention=convention)
        assert scores.query_ids == ["q1", "q3"]
        assert scores.values.tolist() == [[1.0, 1.0]] * 3
        assert scores.coverage.extra == 1


def test_b25_no_measure_is_ever_nan_or_above_one() -> None:
    qrels = {"q1": {"d1": 0}, "q2": {"d2": 3, "d1": -1}, "q3": {"d3": 1}}
    run = {"q1": {"d1": 1.0}, "q2": ["d1", "d2"], "q3": []}
    names = "nDCG@10 ndcg@10 nDCG AP RR R@5 P@5 SetP SetR SetF Rprec Bpref Judged@5 Success@1"
    for convention in irbridge.CONVENTIONS:
        values = irbridge.score(qrels, run, names, convention=convention).values
        assert all(math.isfinite(value) and 0 <= value <= 1 for value in values.ravel().tolist())


# -------------------------------------------------------------------------------------------------------------- B27


@pytest.mark.parametrize("empty", ["a.qrels", "a.run"])
@pytest.mark.parametrize("content", [b"", b"\n\n", b"# nothing yet\n"], ids=["zero bytes", "blank", "comment"])
def test_b27_no_data_is_a_failure_and_not_a_zero(note: Any, empty: str, content: bytes) -> None:
    note.qrels("q1 0 a 1")
    note.run("a 1")
    note.bytes(empty, content)
    for flags in ((), ("--missing", "zero")):
        done = note.scored("map", *flags)
        assert done.code == 2
        assert done.out == ""
        assert empty in done.err
