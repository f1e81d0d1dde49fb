from __future__ import annotations

import math

import pytest
from support.hits import values

import irbridge
from irbridge.measures.names import parse

QRELS = {"x": {"a": 1}, "y": {"a": 1, "b": 0}, "z": {"a": 1}}
RUN = {"x": ["a"], "y": ["b", "a"], "z": ["n"]}


@pytest.mark.parametrize("name, y", [("gm_map", 1 / 2), ("gm_bpref", 0.0)])
def test_a_query_has_the_plain_value(name: str, y: float) -> None:
    assert values(name, QRELS, RUN) == {"x": 1.0, "y": y, "z": 0.0}


def test_the_aggregate_is_the_geometric_mean_with_a_floor() -> None:
    """trec_eval's meas_avg.c: exp((ln 1 + ln 0.5 + ln 0.00001) / 3)."""
    scores = irbridge.score(QRELS, {"x": {"a": 1.0}, "y": {"b": 2.0, "a": 1.0}, "z": {"n": 1.0}}, "gm_map gm_bpref")
    assert scores.aggregates()["gm_map"] == pytest.approx((0.5 * 0.00001) ** (1 / 3), rel=1e-14)
    assert scores.aggregates()["gm_bpref"] == pytest.approx((0.00001 * 0.00001) ** (1 / 3), rel=1e-14)


def test_an_unanswered_query_has_the_floor() -> None:
    """`trec_eval -c` patches it up: value of 0 would be perfection."""
    scores = irbridge.score(QRELS, {"x": {"a": 1.0}}, "gm_map", convention="trec_eval-9", missing="zero")
    assert scores.aggregates()["gm_map"] == pytest.approx(math.exp(2 * math.log(0.00001) / 3), rel=1e-14)


def test_no_interval_of_an_arithmetic_mean() -> None:
    (measure,) = parse("gm_map")
    assert measure.family.mean is not None
    assert not measure.family.total
