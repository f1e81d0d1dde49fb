from __future__ import annotations

import math

import pytest
from support.hits import value, values

LOG3 = math.log2(3)
LABELS = {"a": 1, "b": 2, "c": 0, "z": 1}


@pytest.mark.parametrize(
    "name, expected",
    [
        # returned n, a, b; expected a, b, z
        ("llama_index_hit_rate", 1.0),
        ("llama_index_hit_rate_granular", 2 / 3),
        ("llama_index_mrr", 1 / 2),
        ("llama_index_mrr_granular", (1 / 2 + 1 / 3) / 2),
        ("llama_index_precision", 2 / 3),
        ("llama_index_recall", 2 / 3),
        ("llama_index_ap", (1 / 2 + 2 / 3) / 3),
        ("llama_index_ndcg", (1 / LOG3 + 1 / 2) / (1 + 1 / LOG3 + 1 / 2)),
        ("IDBasedContextPrecision", 2 / 3),
        ("IDBasedContextRecall", 2 / 3),
        ("llama_index_mrr_granular(rel=2)", 1 / 3),
    ],
)
def test_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "n a b") == pytest.approx(expected, abs=1e-15)


def test_its_ndcg_counts_what_could_not_be_found() -> None:
    """One relevant document, on top of three: 1 / (1 + 1/log2(3) + 1/2), where nDCG is 1."""
    assert value("llama_index_ndcg", {"a": 1}, "a n m") == pytest.approx(1 / (1.5 + 1 / LOG3), abs=1e-15)


def test_nothing_returned() -> None:
    for name in ("llama_index_hit_rate", "llama_index_mrr_granular", "llama_index_ndcg"):
        assert values(name, {"q": LABELS}, {}) == {"q": 0.0}
