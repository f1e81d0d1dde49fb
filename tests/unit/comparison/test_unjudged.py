"""Bounds over unjudged documents between two runs, worked out by hand.

q has one label, a 1. `first` returns a, then x; `second` returns y alone: x and y are judged by nobody.
"""

from __future__ import annotations

from typing import Any

import pytest

import irbridge
from irbridge.comparison.page import comparison_page

QRELS = {"q": {"a": 1}}
FIRST = {"q": {"a": 2.0, "x": 1.0}}
SECOND = {"q": {"y": 1.0}}


def compared(names: str, qrels: Any = None, runs: Any = None, **options: Any) -> irbridge.Comparison:
    given = {"first": FIRST, "second": SECOND} if runs is None else runs
    return irbridge.experiment(given, qrels or QRELS, names, **{"baseline": "second", "unjudged": "bounds", **options})


def test_what_the_other_run_returned_counts() -> None:
    found = compared("P@1 R@1")
    # P@1 of `first` is 1 whatever x and y are; of `second` it is 0 or 1.
    assert found.systems.bound(0, 0) == (1.0, 1.0)
    assert found.systems.bound(1, 0) == (0.0, 1.0)
    # R@1 of `first`: by itself at worst 1/2, with x relevant below the cut; with y relevant too it is 1/3.
    assert irbridge.score(QRELS, FIRST, "R@1", unjudged="bounds").bound(0) == (0.5, 1.0)
    assert found.systems.bound(0, 1) == pytest.approx((1 / 3, 1.0))
    # Of `second` at best y and a are all that is relevant: 1/2. At worst 0.
    assert found.systems.bound(1, 1) == (0.0, 0.5)


def test_whether_the_sign_is_certain() -> None:
    found = compared("P@1 R@1")
    precision, recall = found.of("first", "P@1"), found.of("first", "R@1")
    # P@1: 1 less at most 1; with y not relevant 1 - 0. A tie is possible, so nothing is certain.
    assert (precision.unjudged, precision.certain) == ((0.0, 1.0), None)
    # R@1: 1/3 less at most 1/2: below 0, although by themselves (1/2 and 1/2) it would not be.
    assert recall.unjudged == pytest.approx((1 / 3 - 1 / 2, 1.0))
    assert recall.certain is None
    # With y judged not relevant, the P@1 of `second` is 0 for certain.
    judged = {"q": {"a": 1, "y": 0}}
    assert compared("P@1", judged).of("first", "P@1").certain == "better"
    assert compared("P@1", judged, baseline="first").of("second", "P@1").certain == "worse"


def test_over_several_queries_the_means_decide() -> None:
    # p is judged whole, and one run finds both of its documents: 1 against 0. q alone is open (0 to 1): the mean is 1/2 or more.
    qrels = {"p": {"b": 1, "c": 0}, "q": {"a": 1}}
    first = {"p": {"b": 1.0}, "q": {"a": 2.0, "x": 1.0}}
    second = {"p": {"c": 1.0}, "q": {"y": 1.0}}
    found = compared("P@1", qrels, {"first": first, "second": second}).of("first", "P@1")
    assert (found.unjudged, found.certain) == ((0.5, 1.0), "better")


def test_measures_that_have_none() -> None:
    found = compared("Rprec bpref P@1")
    # A relevant document of the other run changes where Rprec looks, either way: nobody has proven how far. bpref has none at all.
    assert [found.systems.bound(0, number) is None for number in range(3)] == [True, True, False]
    assert found.of("first", "Rprec").unjudged is None
    # Where no other run returned anything unjudged, it is the run's own.
    alone = compared("Rprec", runs={"first": FIRST}, baseline=None)
    assert alone.systems.bound(0, 0) == irbridge.score(QRELS, FIRST, "Rprec", unjudged="bounds").bound(0)


def test_the_queries_are_those_that_count_by_their_labels() -> None:
    # p has no relevant label and is left out, though its unjudged document might be relevant.
    qrels = {"p": {"b": 0}, "q": {"a": 1}}
    runs = {"first": {**FIRST, "p": {"z": 1.0}}, "second": {**SECOND, "p": {"z": 1.0}}}
    found = compared("R@1", qrels, runs, no_positives="exclude")
    assert found.systems.query_ids == ["q"]
    assert found.systems.bound(0, 0) == pytest.approx((1 / 3, 1.0))


def test_within_a_budget_only_what_fits_may_be_relevant() -> None:
    # One token holds a of `first`, so that x is gone as under depth 1; y of `second` fits and may be relevant: R is 2.
    lengths = {"a": 1, "x": 1, "y": 1}
    assert compared("R@1tok", lengths=lengths).systems.bound(0, 0) == (1 / 2, 1.0)
    assert compared("R@9", depth=1).systems.bound(0, 0) == (1 / 2, 1.0)
    # Where y does not fit either, nothing is open. Into two tokens it does, and each measure goes by its own budget: with x, which
    # fits too, not relevant it is 1 of 2.
    lengths["y"] = 2
    found = compared("R@1tok R@2tok", lengths=lengths)
    assert [found.systems.bound(0, number) for number in range(2)] == [(1.0, 1.0), (1 / 2, 1.0)]


@pytest.mark.parametrize("name", ["R@1tok", "AP@1tok", "nDCG@1tok", "RR@1tok"])
def test_within_a_budget_a_run_alone_has_its_own_bounds(name: str) -> None:
    # x is below the budget: neither R nor the ideal of nDCG counts it, whether the run is compared or scored.
    lengths = {"a": 1, "x": 1}
    alone = compared(name, runs={"first": FIRST}, baseline=None, lengths=lengths)
    assert alone.systems.bound(0, 0) == (1.0, 1.0)
    assert irbridge.score(QRELS, FIRST, name, unjudged="bounds", lengths=lengths).bound(0) == (1.0, 1.0)


def test_the_values_are_the_usual_ones() -> None:
    names = "nDCG@10 R@1 AP"
    plain = compared(names, unjudged="usual")
    found = compared(names)
    assert (found.systems.values == plain.systems.values).all()
    assert not plain.bounded
    assert all("unjudged" not in each for each in plain.as_dict()["differences"])
    (first, _) = found.as_dict()["systems"]
    assert first["unjudged"]["R@1"] == [0.333333333333, 1.0]
    assert next(iter(found.rows()))["unjudged_certain"] is None


@pytest.mark.parametrize("how, values", [("worst", [1 / 2, 1.0]), ("best", [1.0, 1.0])])
def test_at_worst_or_best_each_run_has_grades_of_its_own_and_that_is_said(how: str, values: list[float]) -> None:
    # R@1 of a x: x below the cut is relevant at worst (1/2), and is not at best (1). The other run did not return it: R is 1.
    runs = {"first": FIRST, "second": {"q": {"a": 1.0}}}
    found = compared("R@1", runs=runs, unjudged=how)
    assert found.systems.values[:, 0, 0].tolist() == values
    said = [str(block) for block in comparison_page(found).blocks if "for each run by itself" in str(block)]
    assert len(said) == 1
    assert f"at the {how} for each run" in said[0]
    alone = compared("R@1", runs={"first": FIRST}, baseline=None, unjudged=how)
    assert "each run by itself" not in str(comparison_page(alone))
    assert "each run by itself" not in str(comparison_page(compared("R@1")))
