"""Every oracle that is registered keeps the promises of `irbridge.oracles.base.Oracle`."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
import warnings

import pytest
from support.asking import resolved

from irbridge.conventions import Convention
from irbridge.crosscheck.variants import variant
from irbridge.oracles import ORACLES, Answer, Material, Oracle

NAMES = (
    "nDCG@10 nDCG nDCG(dcg='exp-log2')@3 nDCG(gains={1:2,2:9})@3 ndcg@10 AP AP@2 AP(rel=2) RR RR@10 RR(rel=2)@3 P@1 "
    "P(judged_only=True)@2 R@5 Success@1 Rprec Bpref Judged@10 Judged SetP SetR SetF SetF(beta=2) SetAP "
    "NumQ NumRet NumRel NumRelRet"
)
MEASURES = resolved(NAMES)
QRELS = {"q1": {"a": 2, "b": 0, "c": 1, "d": -1}, "q2": {"a": 1}, "q3": {"z": 1}}
RUN = {"q1": {"b": 3.0, "q1": 2.5, "c": 2.0, "d": 2.0, "a": 1.0}, "q2": {"a": 0.0, "n": 1.0}, "q9": {"a": 1.0}}
every = pytest.mark.parametrize("name", ORACLES.names())

# What an oracle must not be given (dependencies of the C code, of perl, of files): never an exception, never a crash.
POISON = {
    "NUL in a document id": ({"q1": {"a": 1}}, {"q1": {"a\0b": 1.0}}),
    "NUL in a query id": ({"q\0": {"a": 1}}, {"q\0": {"a": 1.0}}),
    "half a surrogate pair": ({"q1": {"a\ud800": 1}}, {"q1": {"a": 1.0}}),
    "NaN": ({"q1": {"a": 1}}, {"q1": {"a": float("nan"), "b": 1.0}}),
    "a huge grade": ({"q1": {"a": 10**9}}, {"q1": {"a": 1.0}}),
    "a very negative grade": ({"q1": {"a": -(10**9), "b": 1}}, {"q1": {"a": 1.0}}),
    "a grade beyond 64 bits": ({"q1": {"a": 2**70}}, {"q1": {"a": 1.0}}),
    "a grade that is no whole number": ({"q1": {"a": 0.9}}, {"q1": {"a": 1.0}}),
    "a score that is no number": ({"q1": {"a": 1}}, {"q1": {"a": "high"}}),
    "an id that is no text": ({1: {"a": 1}}, {1: {"a": 1.0}}),
    "no labels": ({}, {"q1": {"a": 1.0}}),
}
# What it may refuse or answer, but must survive.
ODD = {
    "an empty run": ({"q1": {"a": 1}}, {}),
    "an empty ranking": ({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {}, "q2": {"a": 1.0}}),
    "an empty dict of labels": ({"q1": {"a": 1}, "q2": {}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}),
    "grades all negative": ({"q1": {"a": -2, "b": -1}}, {"q1": {"a": 2.0, "b": 1.0}}),
    "no positive grade": ({"q1": {"a": 0}}, {"q1": {"a": 2.0}}),
    "infinite scores": ({"q1": {"a": 1}}, {"q1": {"a": float("-inf"), "b": float("inf"), "c": 0.0}}),
    "no query in common": ({"301.1": {"a": 1}}, {"301": {"a": 1.0}}),
    "ids with a space": ({"q 1": {"a b": 1}}, {"q 1": {"a b": 1.0}}),
    "empty ids": ({"": {"": 1}}, {"": {"": 1.0}}),
    "whole numbers as scores": ({"q1": {"a": 1}}, {"q1": {"a": 2, "b": 1}}),
}


@every
def test_it_is_described(name: str) -> None:
    oracle = ORACLES.get(name)
    assert isinstance(oracle, Oracle)
    assert oracle.summary
    assert not oracle.summary.endswith(".")
    assert 0 < oracle.tolerance < 1e-4
    assert oracle.column == (oracle.group or oracle.name)


def test_names_and_columns_are_told_apart() -> None:
    names = set(ORACLES.names())
    assert len(names) == len(ORACLES.names())
    assert names.isdisjoint({oracle.group for oracle in ORACLES if oracle.group and oracle.group not in oracle.aliases})


@every
def test_its_state_is_a_version_or_a_reason(name: str) -> None:
    version, skipped = ORACLES.get(name).status()
    assert (version is None) != (skipped is None)
    assert skipped is None or skipped.startswith("skipped: ")


def there(name: str) -> Oracle:
    oracle = ORACLES.get(name)
    if oracle.status()[0] is None:
        pytest.skip(f"{name} is not installed")
    return oracle


# ranx and trectools are never installed for the tests, trec_eval is where somebody put it.
optional = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.may_skip("not part of a complete machine"))
        if name in {"ir_measures:ranx", "ir_measures:trectools", "trec_eval"}
        else name
        for name in ORACLES.names()
    ],
)


@optional
def test_each_measure_is_answered_or_left_out_with_a_reason(name: str) -> None:
    answer = there(name).evaluate(QRELS, RUN, MEASURES)
    assert answer.refused is None, answer.refused
    told = [*answer.values, *answer.left_out, *answer.declined]
    assert sorted(told) == sorted(measure.asked for measure in MEASURES)
    for own in answer.values.values():
        assert set(own) <= set(QRELS)
        assert all(type(value) is float for value in own.values())
    assert set(answer.means) <= set(answer.values)


@optional
def test_its_convention_and_its_formulas_are_known_ones(name: str) -> None:
    oracle = there(name)
    for measure in MEASURES:
        if oracle.covers(measure) is None:
            assert isinstance(oracle.convention(measure), Convention)
            code = oracle.formula(measure)
            assert code is None or variant(code) is not None


@optional
def test_what_it_is_given_stays_as_it_was(name: str) -> None:
    # As `crosscheck` hands it over: all oracles get one and the same. A query that finds itself is what BEIR takes out.
    run = {**RUN, "q3": {"z": 1.0, "q3": 0.5}}
    material = Material.of(QRELS, run)
    before = copy.deepcopy(material)
    there(name).answer(material, MEASURES)
    assert material == before
    assert [list(own) for own in material.run.values()] == [list(own) for own in before.run.values()]


@optional
@pytest.mark.parametrize("case", POISON)
def test_poison_does_not_reach_it(name: str, case: str) -> None:
    oracle = there(name)
    qrels, run = POISON[case]
    answer = oracle.evaluate(qrels, run, resolved("AP nDCG RR@10 Judged@10 P@1"))
    assert isinstance(answer, Answer)
    if any(oracle.covers(measure) is None for measure in resolved("AP nDCG RR@10 Judged@10 P@1")):
        # The Python providers look at no grade and have no table.
        harmless = "grade" in case and name in {"ir_measures:judged", "ir_measures:msmarco", "ir_measures:cwl_eval"}
        harmless = harmless and "no whole number" not in case
        assert harmless or (answer.refused or "").startswith("not called: "), answer


@optional
@pytest.mark.parametrize("case", ODD)
def test_odd_input_does_not_kill_it(name: str, case: str) -> None:
    qrels, run = ODD[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = there(name).evaluate(qrels, run, MEASURES)
    assert answer.refused is None or answer.refused.startswith("not called: "), answer.refused


def test_looking_at_the_oracles_loads_none_of_their_libraries() -> None:
    program = (
        "import sys\nfrom irbridge.oracles import ORACLES\nlist(ORACLES)\n"
        "print([name for name in ('pytrec_eval', 'ir_measures', 'beir', 'numpy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
