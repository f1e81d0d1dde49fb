from __future__ import annotations

import pytest
from support.hits import value

E = 0.00001


def test_the_first_document_counts_in_full() -> None:
    assert value("infAP", {"a": 1}, "a") == 1.0


def test_a_sample_of_the_pool() -> None:
    """Ranks: u (pooled, not judged), n (judged, not relevant), x (not pooled), a (relevant). At rank 4, 2 of the 3 above are
    pooled, none of the 1 judged above is relevant: 1/4 + 3/4 * 2/3 * e / (1 + 2e); R = 2."""
    expected = (1 / 4 + 3 / 4 * (2 / 3) * (E / (1 + 2 * E))) / 2
    assert value("infAP", {"u": -1, "n": 0, "a": 1, "b": 1}, "u n x a") == pytest.approx(expected, abs=1e-15)


def test_the_level() -> None:
    """-l 2: a is judged and not relevant; c at rank 3: 1/3 + 2/3 * 1/2 * e / (1 + 2e), of R = 2."""
    expected = (1 / 3 + 2 / 3 * (1 / 2) * (E / (1 + 2 * E))) / 2
    assert value("infAP(rel=2)", {"a": 1, "b": 2, "c": 3}, "a n c") == pytest.approx(expected, abs=1e-15)


def test_nothing_relevant() -> None:
    assert value("infAP", {"a": 0, "b": -1}, "a b") == 0.0
