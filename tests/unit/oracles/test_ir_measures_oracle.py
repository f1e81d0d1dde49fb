from __future__ import annotations

import shutil
import sys

import pytest
from support.asking import ask, asked

from irbridge.oracles import ORACLES

pytest.importorskip("ir_measures")
GRADED = {"q1": {"a": 1, "b": 2, "c": 3}}
RANKED = {"q1": {"a": 3.0, "n": 2.0, "c": 1.0}}
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is a perl script")


def test_every_provider_is_probed_for_itself(monkeypatch):
    own = [oracle for oracle in ORACLES if oracle.column == "ir_measures"]
    assert {"pytrec_eval", "msmarco", "judged", "gdeval", "cwl_eval"} <= {oracle.name.split(":")[1] for oracle in own}
    import ir_measures

    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("PATH", "/nonexistent")
        elsewhere.setitem(sys.modules, "ranx", None)
        assert ORACLES.get("ir_measures:gdeval").status() == (None, "skipped: perl is not installed")
        assert ORACLES.get("ir_measures:ranx").status() == (None, "skipped: ranx is not installed")
    if shutil.which("perl"):  # and nothing of that is remembered, by ir_measures neither
        assert ir_measures.providers.registry["gdeval"].is_available()
        assert ORACLES.get("ir_measures:gdeval").status()[1] is None
    assert ORACLES.get("ir_measures:judged").status() == (ir_measures.__version__, None)


def test_a_provider_that_breaks_is_said_to_be_broken(monkeypatch):
    # Field note B69: with new versions of its libraries a provider asserts.
    import ir_measures

    def broken(self):
        raise AssertionError("expected object dtype")

    monkeypatch.setattr(type(ir_measures.providers.registry["ranx"]), "is_available", broken)
    assert ORACLES.get("ir_measures:ranx").status() == (None, "skipped: broken: AssertionError: expected object dtype")


def test_without_the_package_all_are_skipped(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert ORACLES.get("ir_measures:msmarco").status() == (None, "skipped: ir_measures is not installed")


def test_measures_of_several_gains_do_not_mix():
    # In one call its provider would give the plain one the other's value (0.7098 for 0.7967 in one case).
    names = "nDCG@2 nDCG(gains={1:1,2:3,3:7})@2 nDCG(dcg='exp-log2')@2 nDCG"
    found = asked("ir_measures:pytrec_eval", names, GRADED, RANKED)
    # Field notes B33 and B34: linear 0.2346, exponential 0.11245, linear without a cutoff 0.5250.
    assert {name: round(own["q1"], 4) for name, own in found.items()} == {
        "nDCG@2": 0.2346,
        "nDCG(gains={1:1,2:3,3:7})@2": 0.1125,
        "nDCG(dcg='exp-log2')@2": 0.1125,
        "nDCG": 0.5250,
    }


def test_counts_do_not_join_a_judged_only_call():
    # In one call NumRet would join the first invocation, whatever that takes out of the ranking: 1 document for 2.
    found = asked(
        "ir_measures:pytrec_eval", "P(judged_only=True)@1 NumRet", {"q1": {"a": 1}}, {"q1": {"a": 2.0, "n": 1.0}}
    )
    assert found["NumRet"] == {"q1": 2.0}


def test_negative_grades_stay_negative_under_gains():
    # -1 counts as not judged for judged-only, 0 as judged: a at rank 2 after d (0), at rank 1 after d (-1).
    name = "nDCG(gains={1:3},judged_only=True)@1"
    for grade, value in ((0, 0.0), (-1, 1.0)):
        qrels, run = {"q1": {"a": 1, "d": grade}}, {"q1": {"d": 2.0, "a": 1.0}}
        assert asked("ir_measures:pytrec_eval", name, qrels, run) == {name: {"q1": value}}


@needs_perl
def test_b68_gdeval_with_query_ids_that_are_no_numbers():
    for query_id in ("q1", "1", "q-1", "ü"):
        qrels, run = {query_id: GRADED["q1"]}, {query_id: RANKED["q1"]}
        answer = ask("ir_measures:gdeval", "nDCG(dcg='exp-log2')@2", qrels, run)
        assert answer.values == {"nDCG(dcg='exp-log2')@2": {query_id: pytest.approx(0.11245, abs=1e-9)}}
        assert list(answer.means.values()) == [pytest.approx(0.11245, abs=1e-9)]


@needs_perl
def test_b68_gdeval_is_not_called_with_grades_above_four():
    answer = ask("ir_measures:gdeval", "nDCG(dcg='exp-log2')@2", {"1": {"a": 5}}, {"1": {"a": 1.0}})
    assert answer.refused == "not called: gdeval stops at grades above 4; there is a 5"


@needs_perl
def test_gdeval_is_not_called_with_ids_that_hold_a_space():
    answer = ask("ir_measures:gdeval", "nDCG(dcg='exp-log2')@2", {"1": {"a b": 1}}, {"1": {"c": 1.0}})
    assert answer.refused == "not called: the id 'a b' cannot stand in a file of columns"


def test_gains_that_its_c_code_would_drown_in():
    # 2^30 - 1 entries.
    answer = ask("ir_measures:pytrec_eval", "nDCG(dcg='exp-log2')@2", {"1": {"a": 30}}, {"1": {"a": 1.0}})
    assert "for its gains, query 1 has grade 1073741823" in answer.declined["nDCG(dcg='exp-log2')@2"]
    assert (
        "whole numbers"
        in ask("ir_measures:pytrec_eval", "nDCG(gains={1:0.5})", GRADED, RANKED).left_out["nDCG(gains={1:0.5})"]
    )


def test_b21_queries_without_an_answer_have_its_default():
    answer = ask("ir_measures:pytrec_eval", "AP NumQ", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}})
    assert answer.values == {"AP": {"q1": 1.0, "q2": 0.0}, "NumQ": {"q1": 1.0, "q2": 0.0}}
    assert answer.means == {"AP": 0.5, "NumQ": 1.0}


def test_b27_an_empty_run_and_empty_qrels():
    assert ask("ir_measures:pytrec_eval", "AP", {"q1": {"a": 1}}, {}).means == {"AP": 0.0}
    # ir_measures itself says NaN.
    assert ask("ir_measures:pytrec_eval", "AP", {}, {}).refused == "not called: no query has a label"


def test_an_empty_ranking_is_as_none():
    # Its judged provider would divide by 0.
    assert asked("ir_measures:judged", "Judged@10", {"q1": {"a": 1}}, {"q1": {}}) == {"Judged@10": {"q1": 0.0}}


def test_b03_msmarco_breaks_ties_by_ascending_id():
    qrels, run = {"q1": {"b": 1}}, {"q1": {"b": 1.0, "c": 1.0}}
    assert asked("ir_measures:msmarco", "RR@1 RR@10", qrels, run) == {"RR@1": {"q1": 1.0}, "RR@10": {"q1": 1.0}}
    plain = asked("ir_measures:pytrec_eval", "RR P@1 nDCG@1 Success@1", qrels, run)
    assert [own["q1"] for own in plain.values()] == [0.5, 0.0, 0.0, 0.0]


def test_names_of_trec_eval_and_of_ir_measures_share_one_answer():
    found = asked("ir_measures:pytrec_eval", "AP map nDCG@2 ndcg_cut_2", GRADED, RANKED)
    assert found["AP"] == found["map"]
    assert found["nDCG@2"] == found["ndcg_cut_2"]


def test_cwl_evals_slow_average_precision_is_for_few_queries():
    pytest.importorskip("cwl")
    qrels = {f"q{number}": {"a": 1} for number in range(11)}
    run = {query_id: {"a": 1.0} for query_id in qrels}
    answer = ask("ir_measures:cwl_eval", "AP RR", qrels, run)
    assert answer.declined["AP"].startswith("not called: cwl_eval's AP takes a tenth of a second for every query")
    assert set(answer.values) == {"RR"}
    few = ask("ir_measures:cwl_eval", "AP", {"q0": qrels["q0"]}, {"q0": run["q0"]})
    assert few.values == {"AP": {"q0": 1.0}}


def test_cwl_eval_is_not_asked_for_more_documents_than_it_looks_at():
    # It makes an array of the cutoff's length (7.5 GB at a billion), which it then cannot use.
    pytest.importorskip("cwl")
    names = "P@1000 P@1001 P@1000000000 P@9223372036854775807 RR"
    answer = ask("ir_measures:cwl_eval", names, GRADED, RANKED)
    assert answer.refused is None
    # Two of three retrieved are relevant, in 1,000 places; the first is at rank 1.
    assert answer.values == {"P@1000": {"q1": pytest.approx(0.002)}, "RR": {"q1": 1.0}}
    assert set(answer.declined) == {"P@1001", "P@1000000000", "P@9223372036854775807"}
    assert answer.declined["P@1001"] == (
        "not called: cwl_eval looks at 1,000 documents of a ranking; it is asked for cutoffs up to that"
    )


@pytest.mark.parametrize("beta, taken", [("0.5", True), ("1e-05", False), ("1e-320", False), ("1e308", False)])
def test_weights_that_it_would_misread(beta, taken):
    # ir_measures writes 1e-05 into trec_eval's name, and pytrec_eval reads the 1 before the e.
    answer = ask("ir_measures:pytrec_eval", f"SetF(beta={beta})", GRADED, RANKED)
    assert (list(answer.values) == [f"SetF(beta={beta})"]) is taken
    assert taken or "the digits before the e" in answer.left_out[f"SetF(beta={beta})"]


def test_a_level_beyond_its_integers():
    answer = ask("ir_measures:pytrec_eval", "AP(rel=2147483647) AP(rel=2147483648)", GRADED, RANKED)
    assert answer.values == {"AP(rel=2147483647)": {"q1": 0.0}}
    assert answer.left_out == {"AP(rel=2147483648)": "its relevance levels end at 2,147,483,647"}
