"""Worst and best over unjudged documents, as they are asked for. q returns n (unjudged), a (1), m (unjudged); b (2) is not returned."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

import irbridge
from irbridge.errors import UsageError

QRELS = {"q": {"a": 1, "b": 2}, "p": {"a": 1}}
RUN = {"q": {"n": 3.0, "a": 2.0, "m": 1.0}}


def bounds(name: str, **knobs: Any) -> tuple[float, float]:
    scores = irbridge.score(QRELS, RUN, name, unjudged="bounds", **knobs)
    worst, best = scores.bounds[0]
    return float(worst[0]), float(best[0])


def test_worked_out() -> None:
    assert bounds("P@1") == (0.0, 1.0)
    assert bounds("P@2") == (0.5, 1.0)
    # R = 2. Best: n counts, 2 of 3. Worst: m below the cut makes R 3, 1 of 3.
    assert bounds("R@2") == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    # AP 1/4 as it is. Worst: nothing relevant more (with m (1/2 + 2/3) / 3 is more). Best: n and m, (1 + 1 + 1) / 4.
    assert bounds("AP") == (0.25, 0.75)
    # nDCG@1: n of grade 2 beside b, 2 / 2.
    assert bounds("nDCG@1") == (0.0, 1.0)
    # nDCG@2: best n of grade 2, (2 + 1/log2(3)) / (2 + 2/log2(3)); worst nothing for n and 2 for m: (1/log2(3)) / the same.
    two = 1 / log2(3)
    assert bounds("nDCG@2") == (pytest.approx(two / (2 + 2 * two)), pytest.approx((2 + two) / (2 + 2 * two)))


def test_the_best_ndcg_is_not_always_that_of_the_highest_grades() -> None:
    # a at rank 1 is all that there is: 1. Anything relevant at rank 3 would make the ideal better by more.
    scores = irbridge.score({"q": {"a": 1, "b": 0}}, {"q": {"a": 3.0, "b": 2.0, "n": 1.0}}, "nDCG", unjudged="bounds")
    assert scores.bound(0) == (pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3))), 1.0)


def test_the_highest_grade() -> None:
    # DCG: n and m of grade 2, or of grade 5.
    assert bounds("DCG")[1] == pytest.approx(2 + 1 / log2(3) + 2 / 2)
    assert bounds("DCG", unjudged_grade=5)[1] == pytest.approx(5 + 1 / log2(3) + 5 / 2)
    # Where no grade reaches the level, nothing more can be relevant.
    assert bounds("P@1", rel=3) == (0.0, 0.0)
    assert bounds("P@1", rel=3, unjudged_grade=3) == (0.0, 1.0)


def test_the_mean_and_each_alone() -> None:
    scores = irbridge.score(QRELS, RUN, "P@1 AP num_rel_ret", unjudged="bounds")
    assert [scores.bound(number) for number in range(3)] == [(0.0, 0.5), (0.125, 0.375), (1.0, 3.0)]
    assert scores.aggregates() == irbridge.score(QRELS, RUN, "P@1 AP num_rel_ret").aggregates()
    for unjudged, place in (("worst", 0), ("best", 1)):
        alone = irbridge.score(QRELS, RUN, "P@1 AP num_rel_ret", unjudged=unjudged)
        assert list(alone.aggregates().values()) == [scores.bound(number)[place] for number in range(3)]  # type: ignore[index]


def test_within_a_depth_and_a_budget() -> None:
    # Without m, R@2 has nothing below its cut: 1 of 2 to 2 of 3.
    assert bounds("R@2", depth=2) == (0.5, pytest.approx(2 / 3))
    assert bounds("P@2tok", lengths={"n": 1, "a": 1, "m": 1}) == (0.5, 1.0)


def test_measures_without_bounds() -> None:
    scores = irbridge.score(QRELS, RUN, "bpref P@1", unjudged="bounds")
    assert list(scores.bounds) == [1]
    assert scores.bound(0) is None
    for name, knobs in (("bpref", {}), ("P@1", {"judged_only": True}), ("P@1", {"tied": "expected"})):
        with pytest.raises(UsageError, match=r"no worst and best|goes with neither"):
            irbridge.score(QRELS, RUN, name, unjudged="worst", **knobs)
    with pytest.raises(UsageError, match="scale"):
        irbridge.score(QRELS, RUN, "ERR@3", unjudged="best", unjudged_grade=5)
