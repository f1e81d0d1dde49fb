"""Best, worst and mean over ties against every order of the tied documents, one by one."""

from __future__ import annotations

import itertools
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irbridge
from irbridge.errors import UsageError

NAMES = [
    *("P@1", "P@3", "R@2", "AP", "AP@3", "RR", "RR@2", "Success@1", "Success@3", "nDCG", "nDCG@3", "ndcg@2", "DCG@3"),
    *("RBP(p=0.7)", "RBP(p=0.7)@2", "AP(rel=2)", "NumRelRet", "SetP"),
]
DOCS = ["a", "b", "c", "d", "e", "f"]


def all_orders(run: dict[str, float]) -> list[list[str]]:
    groups = [
        [doc_id for doc_id, score in run.items() if score == level] for level in sorted({*run.values()}, reverse=True)
    ]
    return [
        [doc_id for part in parts for doc_id in part]
        for parts in itertools.product(*(list(itertools.permutations(group)) for group in groups))
    ]


@settings(max_examples=60)
@given(
    labels=st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1),
    run=st.dictionaries(st.sampled_from(DOCS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1),
)
def test_every_order_one_by_one(labels: dict[str, int], run: dict[str, float]) -> None:
    qrels = {"q": labels, "other": {"z": 1}}
    values: dict[str, list[float]] = {name: [] for name in NAMES}
    for ranking in all_orders(run):
        scores = irbridge.score(qrels, {"q": {doc_id: float(-at) for at, doc_id in enumerate(ranking)}}, NAMES)
        for name in NAMES:
            values[name].append(scores.of(name)["q"])
    for tied, summary in (("best", max), ("worst", min), ("expected", fmean)):
        found = irbridge.score(qrels, {"q": run}, NAMES, tied=tied)
        for name in NAMES:
            assert found.of(name)["q"] == pytest.approx(summary(values[name]), abs=1e-12), (tied, name)
            assert found.of(name)["other"] == 0.0


def test_by_hand() -> None:
    """One relevant of three tied: RR is 1, 1/2 or 1/3; McSherry & Najork's mean is (1 + 1/2 + 1/3) / 3."""
    run = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    found = {tied: irbridge.score({"q": {"b": 1}}, run, "RR", tied=tied).aggregates()["RR"] for tied in WAYS}
    assert found == {
        "ordered": 1 / 2,
        "best": 1.0,
        "worst": 1 / 3,
        "expected": pytest.approx((1 + 1 / 2 + 1 / 3) / 3, abs=1e-15),
    }


WAYS = ("ordered", "best", "worst", "expected")


def test_scores_that_tie_as_float32() -> None:
    run = {"q": {"a": 0.9000000002, "b": 0.9000000001}}
    for precision, value in (("float32", 0.75), ("float64", 0.5)):
        found = irbridge.score({"q": {"b": 1}}, run, "RR", tied="expected", precision=precision)
        assert found.aggregates()["RR"] == value


def test_a_ranking_without_scores_has_no_ties() -> None:
    found = irbridge.score({"q": {"b": 1}}, {"q": ["a", "b"]}, "RR", tied="best")
    assert found.aggregates()["RR"] == 0.5


@pytest.mark.parametrize("names, knobs", [("Bpref", {}), ("RR", {"depth": 5}), ("RR", {"judged_only": True})])
def test_what_has_no_mean_over_ties(names: str, knobs: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="mean over ties"):
        irbridge.score({"q": {"b": 1}}, {"q": {"b": 1.0}}, names, tied="expected", **knobs)


@pytest.mark.parametrize("name", ["Judged@1", "unj_1", "rbp_resid"])
@pytest.mark.parametrize("tied", ["best", "worst", "expected"])
def test_an_order_by_grade_is_no_bound_of_what_is_judged(name: str, tied: str) -> None:
    """Of two tied documents one is judged, of grade 0: Judged@1 is 0 or 1, and the grades say nothing of that."""
    with pytest.raises(UsageError, match="asks what is judged" if tied != "expected" else "mean over ties") as raised:
        irbridge.score({"q": {"b": 0, "c": 1}}, {"q": {"a": 1.0, "b": 1.0}}, name, tied=tied)
    assert "score it apart" in str(raised.value.hint)
