"""Corrections, by hand and on the example of Benjamini and Hochberg 1995, section 4."""

from __future__ import annotations

import pytest

from irbridge.stats.corrections import CORRECTIONS

FEW = [0.01, 0.04, 0.03, 0.005]
# Fifteen hypotheses about a treatment of heart attacks; at 0.05 Bonferroni's procedure rejects three and theirs four.
PUBLISHED = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


@pytest.mark.parametrize(
    "name, expected",
    [
        # In order 0.005 * 4, 0.01 * 3, 0.03 * 2, 0.04 * 1, none below the one before.
        ("holm", [0.03, 0.06, 0.06, 0.02]),
        # In order 0.005 * 4 / 1, 0.01 * 4 / 2, 0.03 * 4 / 3, 0.04 * 4 / 4, none above the one after.
        ("bh", [0.02, 0.04, 0.04, 0.02]),
        ("bonferroni", [0.04, 0.16, 0.12, 0.02]),
        ("none", FEW),
    ],
)
def test_by_hand(name: str, expected: list[float]) -> None:
    assert CORRECTIONS.get(name).adjust(FEW) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("name, rejected", [("bonferroni", 3), ("holm", 3), ("bh", 4)])
def test_the_published_example(name: str, rejected: int) -> None:
    adjusted = CORRECTIONS.get(name).adjust(PUBLISHED)
    assert sum(p <= 0.05 for p in adjusted) == rejected
    assert adjusted[-1] == 1.0


@pytest.mark.parametrize("name", CORRECTIONS.names())
def test_edges(name: str) -> None:
    correction = CORRECTIONS.get(name)
    assert correction.adjust([]) == []
    assert correction.adjust([0.3]) == [0.3]
    assert correction.adjust([0.9, 0.9]) == [1.0, 1.0] or name in {"bh", "none"}
    assert correction.adjust([0.9, 0.9])[0] <= 1.0


def test_other_tools_names() -> None:
    assert CORRECTIONS.get("fdr_bh") is CORRECTIONS.get("bh")
    assert CORRECTIONS.get("benjamini-hochberg") is CORRECTIONS.get("bh")
