from __future__ import annotations

import pytest

import irbridge
from irbridge.model import Judgment

# User u finds a and b relevant, user v only c (grade 2), user w nothing.
LABELS = [
    Judgment("q", "a", 1, iteration="u"),
    Judgment("q", "b", 1, iteration="u"),
    Judgment("q", "c", 2, iteration="v"),
    Judgment("q", "a", 0, iteration="v"),
    Judgment("q", "a", 0, iteration="w"),
]
RUN = {"q": {"a": 4.0, "x": 3.0, "b": 2.0, "c": 1.0}}


def value(name: str, **knobs: object) -> float:
    return irbridge.score(LABELS, RUN, name, **knobs).aggregates()[name]


def test_the_mean_over_users() -> None:
    # AP: u (1/1 + 2/3) / 2 = 5/6; v 1/4; w 0.
    assert value("map_avgjg") == pytest.approx((5 / 6 + 1 / 4) / 3)
    # P@3: u 2/3, v 0, w 0.
    assert value("P_avgjg_3") == pytest.approx(2 / 9)
    # Twice R: u at rank int(2 * 2 + 0.9) = 4: 2/4; v at rank int(2 + 0.9) = 2: 0; w: R = 0, so 0.
    assert value("Rprec_mult_avgjg_2.00") == pytest.approx((2 / 4) / 3)


def test_the_level_is_taken_in_each_group() -> None:
    assert value("map_avgjg", rel=2) == pytest.approx((1 / 4) / 3)


def test_judged_only_is_judged_by_the_user() -> None:
    # u sees a b: AP 1; v sees a c: 1/2; w sees a: 0.
    assert value("map_avgjg", judged_only=True) == pytest.approx(1.5 / 3)
