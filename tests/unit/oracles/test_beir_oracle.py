from __future__ import annotations

import copy
import logging
import sys

import pytest
from support.asking import ask, asked

from irbridge.oracles import ORACLES

pytest.importorskip("beir.retrieval.evaluation")


def test_b04_its_own_measures_go_by_insertion_order():
    qrels = {"q1": {"b": 1}}
    assert asked("beir", "AP@1 RR@1", qrels, {"q1": {"b": 1.0, "c": 1.0}}) == {"AP@1": {"q1": 0.0}, "RR@1": {"q1": 1.0}}
    assert asked("beir", "AP@1 RR@1", qrels, {"q1": {"c": 1.0, "b": 1.0}}) == {"AP@1": {"q1": 0.0}, "RR@1": {"q1": 0.0}}


def test_b17_the_querys_own_document_is_dropped_by_evaluate_alone():
    # With removal nDCG@1 = 1; without, RR = 1/2.
    assert asked("beir", "nDCG@1 RR@10", {"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}}) == {
        "nDCG@1": {"q1": 1.0},
        "RR@10": {"q1": 0.5},
    }


def test_b19_what_it_is_given_stays_as_it_was():
    qrels, run = {"q1": {"a": 1}}, {"q1": {"q1": 9.0, "a": 1.0}}
    before = copy.deepcopy((qrels, run))
    asked("beir", "nDCG@1 P@1 RR@1 Success@1", qrels, run)
    assert (qrels, run) == before


def test_b21_two_denominators_in_one_report():
    answer = ask("beir", "AP@1 RR@1 Success@1", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 2.0}})
    assert answer.means == {"AP@1": 1.0, "RR@1": 0.5, "Success@1": 0.5}
    assert answer.values == {"AP@1": {"q1": 1.0}, "RR@1": {"q1": 1.0, "q2": 0.0}, "Success@1": {"q1": 1.0, "q2": 0.0}}


def test_b23_nothing_in_common_is_no_division_by_zero():
    answer = ask("beir", "AP@1 RR@1", {"301.1": {"a": 1}}, {"301": {"a": 1.0}})
    assert answer.refused is None
    assert answer.values == {"AP@1": {}, "RR@1": {"301.1": 0.0}}


def test_means_are_rounded_to_five_places():
    # One of three queries: 1/3.
    qrels = {f"q{number}": {"a": 1} for number in range(3)}
    run = {f"q{number}": {"a": float(number), "z": 1.5} for number in range(3)}
    answer = ask("beir", "P@1", qrels, run)
    assert answer.means == {"P@1": 0.33333}


@pytest.mark.parametrize(
    "name, word",
    [
        ("AP", "with a cutoff only"),
        ("Bpref", "has no Bpref"),
        ("P(rel=2)@1", "no relevance level"),
        ("P(judged_only=True)@1", "judged-only"),
        ("nDCG(dcg='exp-log2')@10", "linear gain"),
    ],
)
def test_what_it_has_not(name, word):
    assert word in ask("beir", name, {"q1": {"a": 1}}, {"q1": {"a": 1.0}}).left_out[name]


def test_the_root_logger_gets_no_handler():
    before = list(logging.root.handlers)
    logging.root.handlers.clear()
    try:
        asked("beir", "RR@1", {"q1": {"a": 1}}, {"q1": {"a": 1.0}})
        assert logging.root.handlers == []
    finally:
        logging.root.handlers[:] = before


def test_absent_or_without_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "beir.retrieval.evaluation", None)
    assert ORACLES.get("beir").status() == (None, "skipped: beir is not installed")
    monkeypatch.delitem(sys.modules, "beir.retrieval.evaluation")
    monkeypatch.setitem(sys.modules, "pytrec_eval", None)
    assert ORACLES.get("beir").status() == (None, "skipped: beir needs pytrec_eval, which is not installed")
