from __future__ import annotations

import math

import pytest
from support.hits import value


def test_log_odds_of_precision() -> None:
    """Relevant at ranks 1 and 3 of R = 3: s = 1 + 2/3."""
    s = 1 + 2 / 3
    assert value("yaap", {"a": 1, "b": 1, "c": 1}, "a n c") == pytest.approx(math.log((1 + s) / (1 + 3 - s)), abs=1e-15)


def test_both_ends() -> None:
    assert value("yaap", {"a": 1}, "a") == math.log(2)
    assert value("yaap", {"a": 1}, "n") == -math.log(2)
    assert value("yaap", {"a": 0}, "a") == 0.0
