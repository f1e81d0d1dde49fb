from __future__ import annotations

import pytest
from support.asking import ask, asked, resolved

from irbridge.oracles import ORACLES

pytest.importorskip("pytrec_eval")
# Field notes B32 to B34.
GRADED = {"q1": {"a": 1, "b": 2, "c": 3}}
RANKED = {"q1": {"a": 3.0, "n": 2.0, "c": 1.0}}


def test_values_of_the_field_notes():
    found = asked("pytrec_eval", "nDCG nDCG@2 AP(rel=2) RR(rel=2) NumRel(rel=2) num_q set_F.2 set_F", GRADED, RANKED)
    rounded = {name: round(own["q1"], 4) for name, own in found.items()}
    # Level 2: c alone of b and c, at rank 3: RR 1/3, AP 1/6. SetF: P = R = 2/3, so any weight gives 2/3.
    assert rounded == {
        "nDCG": 0.5250,
        "nDCG@2": 0.2346,
        "AP(rel=2)": 0.1667,
        "RR(rel=2)": 0.3333,
        "NumRel(rel=2)": 2.0,
        "num_q": 1.0,
        "set_F_2": 0.6667,
        "set_F": 0.6667,
    }


def test_parameters_other_than_cutoffs_stay_apart():
    # P 1/2, R 1: (x + 1) P R / (x P + R) is 2/3 for x = 1, 1.5 / 2 for x = 2, 0.75 / 1.25 for x = 0.5.
    found = asked("pytrec_eval", "set_F set_F.2 set_F.0.5", {"q1": {"a": 1}}, {"q1": {"a": 2.0, "b": 1.0}})
    assert [own["q1"] for own in found.values()] == pytest.approx([2 / 3, 0.75, 0.6])


def test_judged_only():
    # Field note B30: -1 is taken out with the unjudged.
    qrels, run = {"q1": {"d1": -1, "d2": 1}}, {"q1": {"d1": 2.0, "d2": 1.0}}
    found = asked("pytrec_eval", "P@1 P(judged_only=True)@1", qrels, run)
    assert [own["q1"] for own in found.values()] == [0.0, 1.0]


def test_only_queries_on_both_sides():
    answer = ask("pytrec_eval", "AP", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}})
    assert answer.values == {"AP": {"q1": 1.0}}
    assert answer.means == {}


@pytest.mark.parametrize(
    "name, word",
    [
        ("RR@10", "has no RR with a cutoff"),
        ("Judged@10", "has no Judged"),
        ("nDCG(dcg='exp-log2')@10", "linear gain"),
        ("nDCG(gains={1:1,2:5})@10", "linear gain"),
    ],
)
def test_what_it_has_not(name, word):
    assert word in ask("pytrec_eval", name, GRADED, RANKED).left_out[name]


def test_a_gain_that_only_a_convention_chose_is_for_the_convention_to_explain():
    assert ORACLES.get("pytrec_eval").covers(resolved("ndcg@10")[0]) is None


def test_the_package_of_2020_is_not_used(monkeypatch):
    import pytrec_eval

    monkeypatch.delattr(pytrec_eval, "__version__")
    assert ORACLES.get("pytrec_eval").status() == (None, "skipped: this pytrec_eval is the one of 2020")


@pytest.mark.parametrize(
    "beta, value",
    # P 1/2, R 1/3: the weight at its smallest gives P, at its largest R; at 2, (2 + 1) P R / (2 P + R) = 3/8.
    [("5e-324", 1 / 2), ("1e-320", 1 / 2), ("1e-13", 1 / 2), ("2", 3 / 8), ("1e22", 1 / 3), ("1e308", 1 / 3)],
)
def test_weights_of_any_size(beta, value):
    qrels, run = {"q1": {"a": 1, "b": 1, "c": 1}}, {"q1": {"a": 2.0, "n": 1.0}}
    found = asked("pytrec_eval", f"set_F.{beta}", qrels, run)
    assert list(found.values()) == [{"q1": pytest.approx(value, abs=1e-9)}]


def test_a_level_beyond_its_integers():
    answer = ask("pytrec_eval", "AP(rel=2147483647) AP(rel=2147483648)", GRADED, RANKED)
    assert answer.values == {"AP(rel=2147483647)": {"q1": 0.0}}
    assert answer.left_out == {"AP(rel=2147483648)": "its relevance levels end at 2,147,483,647"}


def test_more_queries_than_it_is_given_at_a_time():
    qrels = {f"q{number}": {"a": 1} for number in range(1101)}
    run = {query_id: {"z": 2.0, "a": 1.0} for query_id in qrels}
    assert asked("pytrec_eval", "RR", qrels, run) == {"RR": dict.fromkeys(qrels, 0.5)}
