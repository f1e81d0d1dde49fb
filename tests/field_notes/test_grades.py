"""Field notes B28 to B34: what a grade is, and what it is worth."""

from __future__ import annotations

from typing import Any

import pytest

import irbridge


def approx(**values: float) -> Any:
    """To the four decimals that the notes give."""
    return pytest.approx(values, abs=5e-5)


# -------------------------------------------------------------------------------------------------------------- B28


def test_b28_fractional_grades_are_refused_row_by_row(note: Any) -> None:
    note.qrels("q1 0 a 0.9 / q1 0 b 1.9 / q1 0 c 2.0")
    note.run("a 3, b 2, c 1")
    done = note.scored("map")
    assert done.code == 2
    assert "a.qrels:1: grade '0.9' is not an integer" in done.err
    assert "a.qrels:2: grade '1.9' is not an integer" in done.err
    assert "2.0" not in done.err


def test_b28_integral_ones_are_taken_with_a_note(note: Any) -> None:
    """What trec_eval reads of the three, 0, 1 and 2, gives its map and ndcg."""
    note.qrels("q1 0 a 0.0 / q1 0 b 1.0 / q1 0 c 2.0")
    note.run("a 3, b 2, c 1")
    assert note.score("num_rel map ndcg") == approx(num_rel=2, map=0.5833, ndcg=0.6199)
    assert "3 grades written like 1.0 were read as integers" in note.scored("map").out


@pytest.mark.parametrize("grade", ["yes", "1e0", "1,0", "+1", "0x1", "\u0661", "1_0", "nan", "--1"])
def test_b28_nothing_else_is_a_grade(note: Any, grade: str) -> None:
    note.qrels(f"q1 0 z 1 / q1 0 a {grade}")
    note.run("a 1")
    done = note.scored("map")
    assert done.code == 2
    assert "a.qrels:2: grade " in done.err


def test_b28_the_same_from_a_program() -> None:
    """ranx casts 1.9 to 1 and 0.9 to 0 without a word."""
    run = {"q1": {"a": 3.0, "c": 1.0}}
    assert irbridge.score({"q1": {"a": 0, "c": 2.0}}, run, "num_rel").aggregates() == {"num_rel": 1}
    for grade in (0.9, "2.5", float("nan"), None):
        with pytest.raises(irbridge.InputError, match="query q1, document c"):
            irbridge.score({"q1": {"a": 0, "c": grade}}, run, "num_rel")


# -------------------------------------------------------------------------------------------------------- B30, B31


def test_b30_a_negative_grade_is_not_relevant_and_gains_nothing(note: Any) -> None:
    note.qrels("q1 0 D1 -1 / q1 0 D2 1")
    note.run("D1 2, D2 1")
    assert note.score("P_1 ndcg") == approx(P_1=0.0, ndcg=0.6309)
    assert note.score("P_1 ndcg", judged_only=True) == {"P_1": 1.0, "ndcg": 1.0}
    assert note.report("P_1", "--judged-only")["metrics"]["P_1"]["value"] == 1.0


def test_b30_minus_one_minus_two_and_zero_stay_apart(note: Any) -> None:
    note.qrels("q1 0 D1 -1 / q1 0 D2 -2 / q1 0 D3 0 / q1 0 D4 1")
    assert note.command("convert", "a.qrels", "--to", "judgments", "-o", "a.jsonl").code == 0
    assert note.command("convert", "a.jsonl", "--to", "trec-qrels", "-o", "back.qrels").code == 0
    assert (note.folder / "back.qrels").read_bytes() == (note.folder / "a.qrels").read_bytes()
    assert [label.relevance for label in irbridge.load("a.jsonl")] == [-1, -2, 0, 1]


@pytest.mark.parametrize("convention", irbridge.CONVENTIONS)
def test_b31_only_negative_grades_are_no_positives(note: Any, convention: str) -> None:
    """trec_eval aborts the whole evaluation, pytrec_eval gives 0 for everything."""
    note.qrels("q1 0 D1 -2 / q1 0 D2 -1 / q2 0 a 1")
    note.run("q1 Q0 D1 1 2 t / q1 Q0 D2 2 1 t / q2 Q0 a 1 1 t")
    names = ["map", "ndcg", "ndcg_cut_10", "recip_rank", "P_10", "recall_10", "Rprec", "bpref", "set_F", "success_1"]
    scores = irbridge.score("a.qrels", "a.run", names, convention=convention)
    assert scores.aggregates()["map"] == (1.0 if convention in {"retrieval-eval", "msmarco"} else 0.5)
    for name in names:
        assert scores.of(name).get("q1", 0.0) == 0.0
    assert scores.coverage.no_positives == ["q1"]


# ---------------------------------------------------------------------------------------------------- B32, B33, B34


def test_b32_the_level_does_not_reach_ndcg(example: Any) -> None:
    names = "num_rel map recip_rank ndcg"
    expected = {"num_rel": 2, "map": 0.1667, "recip_rank": 0.3333, "ndcg": 0.5250}
    for convention in ("trec_eval-9", "trec_eval-10", "ir_measures"):
        assert example.score(names, convention=convention, rel=2) == approx(**expected)
    found = {name: each["value"] for name, each in example.report(names, "--rel", "2")["metrics"].items()}
    assert found == approx(**expected)
    assert example.score("ndcg") == approx(ndcg=0.5250)


def test_b32_but_for_ranx_where_it_does(example: Any) -> None:
    assert example.score("nDCG", convention="ranx", rel=2) == approx(nDCG=0.3520)


def test_b33_linear_and_exponential_gain(example: Any) -> None:
    linear = {"ndcg": 0.5250, "ndcg_cut_2": 0.2346, "nDCG@2": 0.2346}
    assert example.score(list(linear)) == approx(**linear)
    exponential = {"nDCG(dcg='exp-log2')": 0.4791, "nDCG(dcg='exp-log2')@2": 0.1125, "ndcg@2": 0.1125}
    assert example.score(list(exponential)) == approx(**exponential)
    assert example.score("ndcg nDCG@2", gain="exp") == approx(ndcg=0.4791, **{"nDCG@2": 0.1125})
    # trec_eval's way to say it: -m ndcg.1=1,2=3,3=7
    assert example.score("ndcg.1=1,2=3,3=7") == approx(**{"ndcg_1=1,2=3,3=7": 0.4791})
    assert example.score("nDCG(gains={0:0,1:1,2:3,3:7})@2") == approx(**{"nDCG(gains={0:0,1:1,2:3,3:7})@2": 0.1125})


def test_b33_the_gain_stands_beside_the_number(example: Any) -> None:
    done = example.scored("nDCG@2 ndcg@2")
    said = " ".join(done.out.split())
    assert "nDCG@2 linear 0.2346" in said
    assert "ndcg@2 exponential 0.1125" in said
    assert "labels are graded (1, 2, 3)" in said
    measures = example.report("nDCG@2 ndcg@2 AP")["measures"]
    assert (measures["nDCG@2"]["gain"], measures["ndcg@2"]["gain"]) == ("linear", "exponential")
    assert "gain" not in measures["AP"]


def test_b34_three_numbers_that_are_called_ndcg(example: Any) -> None:
    assert example.score("ndcg ndcg_cut.2") == approx(ndcg=0.5250, ndcg_cut_2=0.2346)
    # -M 2 cuts the run and leaves the ideal whole.
    assert example.score("ndcg", depth=2) == approx(ndcg=0.2100)
    assert example.report("ndcg", "--depth", "2")["metrics"]["ndcg"]["value"] == pytest.approx(0.2100, abs=5e-5)
