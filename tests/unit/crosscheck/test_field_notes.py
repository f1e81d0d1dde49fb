"""The field notes on engines: what each engine reports, and that the crosscheck says why.

Every expected value is a note's, marked there as verified on the engine named.
"""

from __future__ import annotations

import copy

import pytest
from support.asking import ask, asked, compared, why

from irbridge.conventions import get_convention
from irbridge.crosscheck.native import HeldRun
from irbridge.crosscheck.run import crosscheck
from irbridge.errors import InputError
from irbridge.model import Ranking

for needed in ("pytrec_eval", "ir_measures", "beir.retrieval.evaluation"):
    pytest.importorskip(needed)

TIED = ({"q1": {"b": 1}}, {"q1": {"b": 1.0, "c": 1.0}})
HALF = ({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}})
GRADED = ({"q1": {"a": 1, "b": 2, "c": 3}}, {"q1": {"a": 3.0, "n": 2.0, "c": 1.0}})


def test_b01_the_name_of_a_tied_document_decides():
    qrels = {"q1": {"a": 0, "b": 1, "c": 0}}
    first, second = {"q1": {"b": 1.0, "a": 1.0}}, {"q1": {"b": 1.0, "c": 1.0}}
    assert asked("pytrec_eval", "nDCG RR", qrels, first) == {"nDCG": {"q1": 1.0}, "RR": {"q1": 1.0}}
    found = asked("pytrec_eval", "nDCG RR", qrels, second)
    assert found["RR"] == {"q1": 0.5}
    assert found["nDCG"]["q1"] == pytest.approx(0.6309, abs=5e-5)
    assert why("pytrec_eval", "RR", qrels, second) == []
    assert why("pytrec_eval", "RR", qrels, second, get_convention("ir_measures").changed(ties="given")) == ["ties"]


@pytest.mark.parametrize(
    "qrels, run",
    [
        ({"q1": {"d0": 1}}, {"q1": {"d0": 0.9000000002, "d9": 0.9000000001}}),
        ({"q1": {"a": 1}}, {"q1": {"a": 16777217.0, "b": 16777216.0}}),
    ],
)
def test_b02_precision(qrels, run):
    assert asked("pytrec_eval", "RR", qrels, run) == {"RR": {"q1": 0.5}}
    assert why("pytrec_eval", "RR", qrels, run, "trec_eval-9") == []
    assert why("pytrec_eval", "RR", qrels, run, get_convention("trec_eval-10")) == ["precision"]
    assert compared("pytrec_eval", "RR", qrels, run, "trec_eval-10").ours == 1.0


def test_b03_one_library_two_tie_rules():
    values = {name: compared("ir_measures:msmarco", name, *TIED).theirs for name in ("RR@1", "RR@10")}
    assert values == {"RR@1": 1.0, "RR@10": 1.0}
    for name in ("RR", "P@1", "nDCG@1", "Success@1"):
        assert compared("ir_measures:pytrec_eval", name, *TIED).status == "equal"
    found = compared("ir_measures:msmarco", "RR@10", *TIED)
    assert found.note == "its msmarco provider"
    assert found.explanation.settings == "--ties docid-asc"


def test_b04_insertion_order():
    assert compared("beir", "AP@1", *TIED).status == "equal"
    assert compared("beir", "RR@1", *TIED).theirs == 1.0
    assert why("beir", "RR@1", *TIED) == ["ties"]
    turned = (TIED[0], {"q1": {"c": 1.0, "b": 1.0}})
    assert compared("beir", "RR@1", *turned).theirs == 0.0
    assert why("beir", "RR@1", *turned) == []


def test_b06_no_engine_here_reads_the_rank_column():
    run = HeldRun([Ranking("q1", ["a", "b"], [0.1, 0.9], [1, 2])])
    for oracle, name in (("pytrec_eval", "RR"), ("beir", "RR@10"), ("ir_measures:msmarco", "RR@10")):
        found = compared(oracle, name, {"q1": {"a": 1}}, run)
        assert (found.status, found.theirs) == ("equal", 0.5)


def test_b07_a_document_twice():
    run = HeldRun([Ranking("q1", ["a", "b", "a"], [9.0, 5.0, 1.0])])
    qrels = {"q1": {"a": 1}}
    with pytest.raises(InputError, match="has document a twice"):
        crosscheck(qrels, run, "AP RR")
    first = get_convention("ir_measures").changed(duplicates="first")
    for name in ("AP", "RR"):
        found = compared("ir_measures:pytrec_eval", name, qrels, run, first)
        assert (found.ours, found.theirs) == (1.0, 0.5)
        assert [cause.words for cause in found.explanation.causes] == ["the last of repeated documents counts"]


def test_b17_the_querys_own_document():
    qrels, run = {"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}}
    found = compared("beir", "nDCG@10", qrels, run)
    assert found.ours == pytest.approx(0.6309, abs=5e-5)
    assert found.theirs == 1.0
    assert why("beir", "nDCG@10", qrels, run) == ["self_retrieval"]
    assert why("beir", "nDCG@1", qrels, run, "beir") == []
    # evaluate_custom leaves it in.
    assert compared("beir", "RR@10", qrels, run).theirs == 0.5


def test_b19_nothing_of_the_callers_is_changed():
    qrels, run = {"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}}
    before = copy.deepcopy((qrels, run))
    crosscheck(qrels, run, "nDCG@10 RR@10")
    assert (qrels, run) == before


def test_b21_queries_that_are_not_answered():
    assert asked("pytrec_eval", "AP", *HALF) == {"AP": {"q1": 1.0}}
    assert compared("ir_measures:pytrec_eval", "AP", *HALF).theirs == 0.5
    assert compared("ir_measures:pytrec_eval", "NumQ", *HALF).theirs == 1.0
    assert compared("beir", "AP@1", *HALF).theirs == 1.0
    assert compared("beir", "RR@1", *HALF).theirs == 0.5
    assert compared("beir", "Success@1", *HALF).theirs == 0.5
    # All of one report, under one convention: each says what it does.
    assert why("pytrec_eval", "AP", *HALF) == ["missing"]
    assert why("beir", "AP@1", *HALF) == ["missing"]
    assert why("beir", "RR@1", *HALF) == []
    assert why("ir_measures:pytrec_eval", "AP", *HALF) == []
    assert why("ir_measures:pytrec_eval", "AP", *HALF, "trec_eval-9") == ["missing"]
    assert why("ir_measures:pytrec_eval", "NumQ", *HALF) == ["formula"]


def test_b23_nothing_in_common():
    qrels, run = {"301.1": {"a": 1}}, {"301": {"a": 1.0}}
    assert asked("pytrec_eval", "AP", qrels, run) == {"AP": {}}
    assert ask("beir", "AP@1", qrels, run).refused is None  # BEIR itself divides by zero
    with pytest.raises(InputError, match=r"no query in common: the judgments have 301\.1; the run has 301"):
        crosscheck(qrels, run, "AP")


def test_b24_nothing_relevant():
    qrels, run = {"q1": {"a": 0}, "q2": {"b": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    for oracle in ("pytrec_eval", "ir_measures:pytrec_eval"):
        for name in ("AP", "nDCG", "Rprec", "RR", "R@5", "P@1"):
            found = compared(oracle, name, qrels, run)
            assert (found.status, found.theirs, found.equal) == ("equal", 0.5, 2)
    assert why("pytrec_eval", "map@10", qrels, run, "retrieval-eval") == ["no_positives"]
    assert why("beir", "mrr@10", qrels, run, "retrieval-eval") == ["no_positives"]


def test_b25_a_query_with_an_empty_dict_of_labels():
    qrels = {"q1": {"d1": 0, "d2": 1}, "q2": {}, "q3": {"d2": 1}}
    run = {query_id: {"d2": 1.0} for query_id in qrels}
    assert asked("pytrec_eval", "AP", qrels, run) == {"AP": {"q1": 1.0, "q3": 1.0}}
    # ir_measures would count q2 as 0; it is not given to anybody, because it has no answer.
    assert ask("ir_measures:pytrec_eval", "AP", qrels, run).means == {"AP": 1.0}
    assert compared("pytrec_eval", "AP", qrels, run).equal == 2


def test_b27_empty_inputs_are_no_results():
    with pytest.raises(InputError, match="holds no ranking"):
        crosscheck({"q1": {"a": 1}}, {}, "AP")
    with pytest.raises(InputError, match="holds no label"):
        crosscheck({}, {"q1": {"a": 1.0}}, "AP")


def test_b31_grades_all_negative():
    # pytrec_eval's zeros come from memory that it never wrote; on a bad day it crashes or does not return.
    qrels, run = {"q1": {"d1": -2, "d2": -1}}, {"q1": {"d1": 2.0, "d2": 1.0}}
    for oracle in ("pytrec_eval", "ir_measures:pytrec_eval", "beir"):
        assert compared(oracle, "nDCG@10", qrels, run).status == "refused"
    assert crosscheck(qrels, run, "AP", oracles=["pytrec_eval"]).as_dict()


def test_b32_the_level():
    # Level 2: num_rel 2, map 0.1667, RR 0.3333; nDCG stays 0.5250.
    second = get_convention("ir_measures").changed(rel=2)
    values = {"NumRel": 2.0, "AP": 0.1667, "RR": 0.3333, "nDCG": 0.5250}
    for oracle in ("pytrec_eval", "ir_measures:pytrec_eval"):
        for name, value in values.items():
            found = compared(oracle, name, *GRADED, second)
            if (oracle, name) == ("ir_measures:pytrec_eval", "NumRel"):
                assert found.status == "uncovered"  # its provider has it for level 1 only
                continue
            assert found.status == "equal"
            assert found.theirs == pytest.approx(value, abs=5e-5)
    # ranx' way, where the level cuts gains, gives 0.3520.
    ranx = get_convention("ranx").changed(rel=2)
    found = compared("pytrec_eval", "nDCG", *GRADED, ranx)
    assert found.ours == pytest.approx(0.3520, abs=5e-5)
    assert [cause.name for cause in found.explanation.causes] == ["level_cuts_gain"]


def test_b33_gains():
    # Linear 0.5250 and 0.2346 at 2; exponential 0.4791 and 0.1125 at 2.
    found = compared("pytrec_eval", "ndcg@2", *GRADED)
    assert found.ours == pytest.approx(0.11245, abs=5e-6)
    assert found.theirs == pytest.approx(0.2346, abs=5e-5)
    assert [cause.words for cause in found.explanation.causes] == ["linear gain"]
    assert why("ir_measures:pytrec_eval", "nDCG(dcg='exp-log2')@2", *GRADED) == []
    assert why("ir_measures:pytrec_eval", "nDCG(gains={1:1,2:3,3:7})", *GRADED) == []
    whole = compared("ir_measures:pytrec_eval", "nDCG(dcg='exp-log2')", *GRADED)
    assert whole.theirs == pytest.approx(0.4791, abs=5e-5)


@pytest.mark.skipif(__import__("shutil").which("perl") is None, reason="gdeval is a perl script")
def test_b68_gdeval_gives_exponential_gain_whatever_the_query_is_called():
    found = compared("ir_measures:gdeval", "ndcg@2", *GRADED)
    assert (found.status, found.theirs) == ("equal", 0.11245)
    # It has no linear gain, so the linear name is none of its business.
    assert compared("ir_measures:gdeval", "nDCG@2", *GRADED).status == "uncovered"
    high = ({"1": {"a": 5, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}})
    refused = compared("ir_measures:gdeval", "ndcg@2", *high)
    assert refused.reason == "not called: gdeval stops at grades above 4; there is a 5"
    assert compared("ir_measures:pytrec_eval", "nDCG(dcg='exp-log2')@2", *high).status == "equal"


@pytest.mark.parametrize(
    "scores, value",
    [
        # (i) scientific notation, as a reader has made numbers of it, and (iii) infinities.
        ({"a": 1.2e1, "b": 9.5}, 1.0),
        ({"a": float("-inf"), "b": float("inf"), "c": 0.0}, 1 / 3),
    ],
)
def test_b53_scores(scores, value):
    run = HeldRun([Ranking("q1", list(scores), list(scores.values()))])
    for oracle in ("pytrec_eval", "ir_measures:msmarco", "ir_measures:cwl_eval"):
        found = compared(oracle, "RR", {"q1": {"a": 1}}, run)
        assert (found.status, found.theirs) == ("equal", pytest.approx(value))


def test_b53_nan_has_no_place():
    # The engines order it by the document's id: last for a, first for z.
    for doc_id in "az":
        run = {"q1": {doc_id: float("nan"), "b": 0.5, "c": 0.4}}
        for oracle in ("pytrec_eval", "ir_measures:msmarco", "beir"):
            assert "NaN" in (ask(oracle, "RR P@1 RR@3", {"q1": {doc_id: 1}}, run).refused or "")
        with pytest.raises(InputError, match="NaN"):
            crosscheck({"q1": {doc_id: 1}}, run, "RR")
