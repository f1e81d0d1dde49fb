from __future__ import annotations

import pytest

import irbridge
from irbridge.errors import InputError

# o is judged for y alone; n for nobody.
QRELS = {"x": {"a": 1, "b": 0}, "y": {"o": 1}}
RUN = {"x": {"n": 5.0, "a": 4.0, "o": 3.0, "m": 2.0}}


@pytest.mark.parametrize("name, expected", [("Hole@1", 1.0), ("Hole@3", 1 / 3), ("Hole@4", 2 / 4), ("Hole@10", 2 / 10)])
def test_counted_by_hand(name: str, expected: float) -> None:
    assert irbridge.score(QRELS, RUN, name).of(name) == {"x": expected, "y": 0.0}


@pytest.mark.parametrize("knobs, expected", [({"depth": 1}, 1 / 4), ({"judged_only": True}, 0.0)])
def test_what_is_cut_away_is_no_hole(knobs: dict[str, object], expected: float) -> None:
    assert irbridge.score(QRELS, RUN, "Hole@4", **knobs).of("Hole@4")["x"] == expected


def test_beir_s_own_number() -> None:
    metrics = pytest.importorskip("beir.retrieval.custom_metrics")
    theirs = metrics.hole(QRELS, RUN, [1, 3, 4, 10])
    for k in (1, 3, 4, 10):
        assert irbridge.score(QRELS, RUN, f"Hole@{k}").aggregates()[f"Hole@{k}"] == pytest.approx(
            theirs[f"Hole@{k}"], abs=5e-6
        )


def test_a_table_without_its_pool() -> None:
    from irbridge.conventions import get_convention
    from irbridge.evaluate import score
    from irbridge.inputs import judged_run, qrels_of

    table, convention = qrels_of(QRELS), get_convention("ir_measures")
    with pytest.raises(InputError, match="Hole@3 needs to know the documents of all labels"):
        score(judged_run(table, RUN, convention), irbridge.parse_measures("Hole@3"), convention)
    # Where it is known in time, the table gets its pool, and the caller's stays as it is.
    assert irbridge.score(table, RUN, "Hole@3").of("Hole@3")["x"] == 1 / 3
    assert table.pool is None
