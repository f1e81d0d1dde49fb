from __future__ import annotations

import pytest
from support.hits import value

LABELS = {"a": 1, "b": 1, "c": 2}


@pytest.mark.parametrize(
    "name, expected",
    [
        # retrieved a, n, c, of R = 3
        ("relative_P@1", 1.0),
        ("relative_P_2", 1 / 2),
        ("R_cap@3", 2 / 3),
        ("R_cap@10", 2 / 3),
        ("R_cap(rel=2)@3", 1.0),
        ("SetRelP", 2 / 3),
        ("set_relative_P", 2 / 3),
        ("SetP(relative=True)", 2 / 3),
        ("SetRelP(rel=2)", 1.0),  # min(3, 1)
    ],
)
def test_counted_by_hand(name: str, expected: float) -> None:
    assert value(name, LABELS, "a n c") == expected


def test_a_short_ranking_is_measured_by_its_length() -> None:
    assert value("SetRelP", LABELS, "a") == 1.0
    assert value("relative_P@3", LABELS, "a") == 1 / 3


def test_beir_s_capped_recall() -> None:
    """beir/retrieval/custom_metrics.py recall_cap: |relevant in top k| / min(|relevant|, k), grades above 0."""
    metrics = pytest.importorskip("beir.retrieval.custom_metrics")
    run = {"q": {"a": 4.0, "n": 3.0, "c": 2.0, "m": 1.0}}
    theirs = metrics.recall_cap({"q": {**LABELS, "m": 0}}, run, [1, 2, 3, 10])
    for k in (1, 2, 3, 10):
        ours = value(f"R_cap@{k}", {**LABELS, "m": 0}, "a n c m")
        assert round(ours, 5) == theirs[f"R_cap@{k}"]
