"""INST, INSQ, BPM, SDCG and NERR8 to NERR11, with gains 1/2, 0, 1 at ranks 1, 2, 3 (grades 1, -, 2 of 2)."""

from __future__ import annotations

import math

import pytest
from support.hits import value

from irbridge.errors import UsageError

LABELS = {"a": 1, "b": 2, "c": 0}


def found(name: str) -> float:
    return value(name, LABELS, "a n b c")


def test_bpm_stops_at_the_goal_or_the_budget() -> None:
    assert found("BPM(max_rel=2)@10") == pytest.approx((1 / 2 + 1) / 3)  # 1 is reached at rank 3
    assert found("BPM(max_rel=2)@2") == pytest.approx((1 / 2) / 2)
    assert found("BPM(T=0.5,max_rel=2)@10") == pytest.approx(1 / 2)


def test_sdcg_is_scaled_by_k_best_documents() -> None:
    best = 1 + 1 / math.log2(3) + 1 / 2
    assert found("SDCG(max_rel=2)@3") == pytest.approx((1 / 2 + 1 / 2) / best)


def test_nerr8_and_nerr9() -> None:
    """Chances to look at ranks 1, 2, 3: 1, 1/2, 1/2; with patience 1, 1/4, 1/6."""
    assert found("NERR8(max_rel=2)@3") == pytest.approx((1 / 2 + 1 / 2) / 2)
    assert found("NERR9(max_rel=2)@3") == pytest.approx((1 / 2 + 1 / 6) / (1 + 1 / 4 + 1 / 6))


def test_nerr10_stops_where_the_gain_is_full() -> None:
    """1, 1/4, 1/8 with p = 1/2; nothing after the full gain at rank 3."""
    assert found("NERR10(p=0.5,max_rel=2)") == pytest.approx((1 / 2 + 1 / 8) / (1 + 1 / 4 + 1 / 8))


def test_nerr11() -> None:
    """Patience (2/3)^2, (3/4)^2 with T = 1: chances 1, 1/2 * 4/9, 1/2 * 4/9 * 9/16."""
    assert found("NERR11(max_rel=2)") == pytest.approx((1 / 2 + 1 / 8) / (1 + 2 / 9 + 1 / 8))


def test_insq_weighs_1000_ranks() -> None:
    """w_i is in proportion to (2T / (i + 2T - 1))^2: 1, 4/9, 1/4, ..."""
    whole = sum((2 / (rank + 1)) ** 2 for rank in range(1, 1001))
    assert found("INSQ(max_rel=2)") == pytest.approx((1 / 2 + 1 / 4) / whole, abs=1e-14)


def test_inst_gives_up_sooner_after_a_gain() -> None:
    """After 1/2 at rank 1: c_1 = (1.5 / 2.5)^2, c_2 = (2.5 / 3.5)^2; from rank 3 on the gain is 1.5."""
    chances = [1.0, (1.5 / 2.5) ** 2]
    chances.append(chances[1] * (2.5 / 3.5) ** 2)
    for rank in range(3, 1000):
        still = rank + 2 - 1.5
        chances.append(chances[-1] * ((still - 1) / still) ** 2)
    assert found("INST(max_rel=2)") == pytest.approx((1 / 2 + chances[2]) / sum(chances), abs=1e-14)


def test_a_scale_without_width() -> None:
    with pytest.raises(UsageError, match="min_rel must be less than max_rel"):
        found("INST(min_rel=2,max_rel=2)")
