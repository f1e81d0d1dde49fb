"""Where an interval around a mean ends on a screen: no mean of values from 0 to 1 is below 0 or above 1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from irbridge.measures.names import parse


@pytest.mark.parametrize("name", ["AP", "R@5", "RR", "nDCG@10", "Success@5", "hit_rate@10", "Compat"])
def test_of_values_from_0_to_1_it_ends_at_them(name: str) -> None:
    family = parse(name)[0].family
    assert family.possible(0.9, 0.75, 1.05) == (0.75, 1.0)
    assert family.possible(0.1, -0.05, 0.25) == (0.0, 0.25)
    assert family.possible(-0.9, -1.1, -0.7, least=-1) == (-1.0, -0.7)


@pytest.mark.parametrize("name", ["DCG@10", "utility"])
def test_of_other_values_it_stays_as_it_is(name: str) -> None:
    assert parse(name)[0].family.possible(0.9, -0.2, 2.0) == (-0.2, 2.0)


@pytest.mark.parametrize("said", ["0 to 10", "0 to 1.5", "from 0"])
def test_what_only_begins_alike_is_another_range(said: str) -> None:
    assert replace(parse("AP")[0].family, range=said).possible(0.9, -0.2, 2.0) == (-0.2, 2.0)


def test_a_mean_that_the_range_does_not_hold_is_left_alone() -> None:
    # A measure of somebody's own may say one range and have another.
    assert parse("AP")[0].family.possible(3.0, 2.5, 3.5) == (2.5, 3.5)
