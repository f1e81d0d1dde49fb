"""The extremes over grades of unjudged documents, of one run and between two, against every assignment of grades to them, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.hits import PLAIN, hits_of

import irbridge
from irbridge.measures import FAMILIES
from irbridge.measures.names import parse

# Each family that has extremes, with every kind of parameter that may move them.
NAMES = {
    "P": "P@1 P@3 P(rel=2)@4",
    "R": "R@1 R@3 R(rel=2)@2 R@9",
    "relative_P": "relative_P@1 relative_P@3 relative_P(rel=2)@2",
    "RR": "RR RR@2 RR(rel=2)",
    "Success": "Success@2 Success(rel=2)@3",
    "AP": "AP AP@1 AP@3 AP(rel=2) AP(rel=2)@2",
    "gm_map": "gm_map",
    "nDCG": "nDCG nDCG@1 nDCG@2 nDCG@4 nDCG(dcg='exp-log2')@3 nDCG(gains={0:0.5,1:3,2:1})@3 nDCG(gains={1:0,2:0.25}) nDCG(gains={2:0})@2",
    "DCG": "DCG DCG@2 DCG(gains={0:0.5,1:3,2:1})@3",
    "IdealDCG": "IdealDCG IdealDCG@2",
    "ERR": "ERR ERR@2 ERR(max_rel=3)@4",
    "RBP": "RBP RBP(p=0.5,rel=2)@3",
    "SDCG": "SDCG(max_rel=2)@3",
    "Rprec": "Rprec Rprec(rel=2)",
    "Rprec_mult": "Rprec_mult@0.5 Rprec_mult@1.6",
    "IPrec": "IPrec@0 IPrec@0.5 IPrec@1",
    "11pt_avg": "11pt_avg",
    "SetP": "SetP SetP(rel=2)",
    "SetR": "SetR",
    "SetF": "SetF SetF(beta=0.3)",
    "SetAP": "SetAP",
    "SetRelP": "SetRelP",
    "NumRelRet": "NumRelRet",
    "utility": "utility utility(weights='1,-2,3,0.5')",
    "llama_index_hit_rate": "llama_index_hit_rate",
    "llama_index_mrr_granular": "llama_index_mrr_granular",
    "llama_index_ndcg": "llama_index_ndcg",
}
DOC_IDS = [f"d{number}" for number in range(7)]


def test_no_family_is_forgotten() -> None:
    assert {family.name for family in FAMILIES.builtin() if family.extremes is not None} == NAMES.keys()
    assert {measure.family.name for names in NAMES.values() for measure in parse(names)} == NAMES.keys()


def assignments(labels: dict[str, int], ranking: list[str], top: int) -> Iterator[dict[str, int]]:
    free = [doc_id for doc_id in ranking if doc_id not in labels]
    for grades in product(range(top + 1), repeat=len(free)):
        yield {**labels, **dict(zip(free, grades, strict=True))}


def check(name: str, labels: dict[str, int], ranking: list[str], top: int, *, level_cuts_gain: bool = False) -> None:
    # A label that is never retrieved, so that the highest grade of all, a scale to some measures, is the same throughout.
    scale = {"scale": {"x": top}}
    for measure in parse(NAMES[name]):
        convention = PLAIN.changed(level_cuts_gain=level_cuts_gain, rel=2 if level_cuts_gain else 1)
        resolved = measure.resolved(convention)
        extremes = resolved.family.extremes
        assert extremes is not None
        worst, best = extremes(hits_of({"q": labels, **scale}, {"q": ranking}), resolved, top)
        values = [
            float(resolved.family.compute(hits_of({"q": each, **scale}, {"q": ranking}), resolved)[0])
            for each in assignments(labels, ranking, top)
        ]
        assert (worst[0], best[0]) == pytest.approx((min(values), max(values)), rel=1e-12, abs=1e-12), measure.asked


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    labels=st.dictionaries(st.sampled_from(DOC_IDS), st.integers(-1, 3), min_size=1, max_size=5),
    ranking=st.lists(st.sampled_from(DOC_IDS), unique=True, max_size=7),
    top=st.integers(1, 3),
    cuts=st.booleans(),
)
# Unjudged documents above, between and below; a label that was not retrieved.
@example(labels={"d1": 1, "d6": 2}, ranking=["d0", "d1", "d2", "d3"], top=2, cuts=False)
@example(labels={"d1": 1}, ranking=["d1", "d2", "d3", "d4"], top=1, cuts=False)
# The best nDCG has the first unjudged document relevant, and not the last one, far below.
@example(
    labels={"d1": 1, "d2": 0, "d3": 0, "d4": 0, "d5": 0},
    ranking=["d0", "d2", "d1", "d3", "d4", "d5", "d6"],
    top=3,
    cuts=False,
)
@example(labels={"d6": 0}, ranking=["d0", "d1"], top=3, cuts=True)
def test_every_assignment(name: str, labels: dict[str, int], ranking: list[str], top: int, cuts: bool) -> None:
    if sum(doc_id not in labels for doc_id in ranking) > 4:
        ranking = [doc_id for doc_id in ranking if doc_id in labels or doc_id < "d4"]
    check(name, labels, ranking, top, level_cuts_gain=cuts)


def between(names: str, labels: dict[str, int], rankings: list[list[str]], top: int, *, level_cuts_gain: bool) -> None:
    """Two runs: no assignment of grades to what either returned leads out of the bounds of their values and of the change."""
    qrels = {"q": labels, "scale": {"x": top}}
    runs = [{"q": {doc_id: -float(rank) for rank, doc_id in enumerate(ranking)}} for ranking in rankings]
    knobs = {"level_cuts_gain": level_cuts_gain, "rel": 2 if level_cuts_gain else 1, "convention": PLAIN}
    found = irbridge.experiment(runs, qrels, names, baseline=0, unjudged="bounds", unjudged_grade=top, **knobs)
    every = [
        irbridge.experiment(runs, {**qrels, "q": each}, names, **knobs).systems.values
        for each in assignments(labels, list(dict.fromkeys([*rankings[0], *rankings[1]])), top)
    ]
    for number, measure in enumerate(found.systems.measures):
        if not measure.family.unreturned:
            continue
        values = [each[:, number].mean(axis=1) for each in every]
        for system in (0, 1):
            worst, best = (float(row.mean()) for row in found.systems.bounds[system][number])
            assert worst <= min(each[system] for each in values) + 1e-12, measure.asked
            assert best >= max(each[system] for each in values) - 1e-12, measure.asked
        difference = found.differences[number]
        assert difference.unjudged is not None
        least, most = difference.unjudged
        changes = [float(second - first) for first, second in values]
        assert least - 1e-12 <= min(changes) <= max(changes) <= most + 1e-12, measure.asked


@settings(max_examples=25, deadline=None)
@given(
    labels=st.dictionaries(st.sampled_from(DOC_IDS), st.integers(-1, 3), min_size=1, max_size=5),
    rankings=st.lists(st.lists(st.sampled_from(DOC_IDS), unique=True, min_size=1, max_size=4), min_size=2, max_size=2),
    top=st.integers(1, 2),
    cuts=st.booleans(),
)
# b is first in one run alone: once it is relevant, what the other one found is a smaller share.
@example(labels={"d1": 1}, rankings=[["d1", "d2"], ["d3", "d1"]], top=2, cuts=False)
@example(labels={"d1": 1, "d4": 2}, rankings=[["d1"], ["d3", "d2", "d5", "d4"]], top=1, cuts=True)
def test_between_two_runs(labels: dict[str, int], rankings: list[list[str]], top: int, cuts: bool) -> None:
    if len({doc_id for ranking in rankings for doc_id in ranking} - labels.keys()) > 4:
        rankings = [[doc_id for doc_id in ranking if doc_id in labels or doc_id < "d4"] for ranking in rankings]
    kept = [name for name in NAMES if next(iter(parse(NAMES[name]))).family.unreturned]
    # ERR(max_rel=3) refuses nothing here: no grade is above 3.
    between(" ".join(NAMES[name] for name in kept), labels, rankings, top, level_cuts_gain=cuts)
