from __future__ import annotations

import numpy as np
import pytest
from support.asking import resolved

from irbridge.oracles.base import Material
from irbridge.oracles.guards import (
    all_negative,
    endless_ndcg,
    high_grades,
    malformed,
    repeats,
    rows,
    spaced_ids,
    unset_memory,
)

GOOD = {"q1": {"a": 1}}
AP = resolved("AP")


def said(qrels, run, names="AP"):
    return malformed(Material.of(qrels, run), resolved(names))


def test_what_is_sound_passes():
    assert said(GOOD, {"q1": {"a": 1.0, "é\u00a0☃": -1, "b": float("inf")}}) is None
    assert said({"q1": {"a": np.int64(1)}}, {"q1": {"a": np.float32(1)}}) is None


@pytest.mark.parametrize(
    "qrels, run, word",
    [
        ({}, {}, "no query has a label"),
        ({"q1": {}}, {"q1": {"a": 1.0}}, "no query has a label"),
        ({1: {"a": 1}}, {}, "is not text"),
        ({"q1": {"a": 1}}, {"q1": {2: 1.0}}, "is not text"),
        ({"q1": {"a": 1.0}}, {}, "not a whole number"),
        ({"q1": {"a": None}}, {}, "not a whole number"),
        (GOOD, {"q1": {"a": "1"}}, "is not a number"),
        (GOOD, {"q1": {"a": float("nan")}}, "is NaN"),
        (GOOD, {"q1": {"a": 10**400}}, "beyond a double"),
        (GOOD, {"q1": {"a\0b": 1.0}}, "NUL"),
        ({"q\0": {"a": 1}}, {}, "NUL"),
        (GOOD, {"q1": {"a\ud800": 1.0}}, "half a surrogate pair"),
    ],
)
def test_what_would_crash_or_poison_an_engine_is_named(qrels, run, word):
    assert word in (said(qrels, run) or "")


def test_a_cutoff_below_one_aborts_the_process():
    from dataclasses import replace

    (measure,) = resolved("P@1")
    assert "below 1" in (malformed(Material.of(GOOD, {}), [replace(measure, cutoff=0)]) or "")


def test_high_grades():
    # Tables as long as the grade; uncut nDCG takes steps with its square: 30,000 took 0.4 s, 100,000 over 3 s.
    assert "grade 1000000000" in (high_grades(Material.of({"q": {"a": 10**9, "b": 1}}, {}), AP) or "")
    assert "grade -1000000000" in (high_grades(Material.of({"q": {"a": -(10**9), "b": 1}}, {}), AP) or "")
    assert high_grades(Material.of({"q": {"a": 100_000}}, {}), AP) is None


def test_ndcg_that_may_never_end():
    many = Material.of({f"q{number}": {"a": 90_000} for number in range(5)}, {})
    declined = endless_ndcg(many, resolved("AP nDCG@10 nDCG ndcg"))
    assert list(declined) == ["nDCG", "ndcg"]
    assert "square" in declined["nDCG"]


def test_what_trec_evals_code_answers_from_memory_that_it_never_wrote():
    negative = Material.of({"q0": {"a": 1}, "q1": {"a": -1}}, {"q0": {"a": 1.0}, "q1": {"a": 1.0}})
    assert "grades of query q1 are negative" in (unset_memory(negative, AP) or "")
    empty = Material.of({"q0": {"a": 1}, "q1": {"a": 1}}, {"q0": {"a": 1.0}, "q1": {}})
    assert "ranking of query q1 is empty" in (unset_memory(empty, AP) or "")
    assert unset_memory(Material.of({"q1": {"a": -1, "b": 0}}, {"q1": {"a": 1.0}}), AP) is None
    assert unset_memory(Material.of({"q1": {"a": -1}}, {}), AP) is None  # never looked at


def test_ids_that_no_file_of_columns_holds():
    assert spaced_ids(Material.of(GOOD, {"q1": {"a\u00a0b": 1.0}})) is None  # no ASCII white space: one column
    assert "a b" in (spaced_ids(Material.of(GOOD, {"q1": {"a b": 1.0}})) or "")
    assert spaced_ids(Material.of({"q1": {"": 1}}, {})) is not None


def test_queries_at_which_trec_eval_stops():
    # Field note B31: all grades negative, exit 4 in 9 and 10; a query that is not answered is never looked at.
    negative = {"q1": {"a": -2, "b": -1}}
    assert all_negative(Material.of(negative, {"q1": {"a": 1.0}})) == "q1"
    assert all_negative(Material.of(negative, {})) is None
    assert all_negative(Material.of({"q1": {"a": -2, "b": 0}}, {"q1": {}})) is None
    # Field note B07.
    assert "q1" in (repeats(Material.of(GOOD, {}, ["q1"])) or "")
    assert repeats(Material.of(GOOD, {})) is None


def test_rows_are_counted():
    assert (
        rows(Material.of(GOOD | {"q2": {"b": 1}}, {"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 1.0}, "q3": {"z": 1.0}}))
        == 3
    )
