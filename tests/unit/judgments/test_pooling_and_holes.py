"""Pools and holes of two small runs, worked out by hand.

run a   q1: d1 .9, d2 .8, d3 .7      q2: d4 .5
run b   q1: d3 .9, d1 .9, d5 .1      (equal scores: d3 before d1, ids descending)
judged  q1: d1, d3                   q2: nothing of these, d9 only
"""

from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.api import score
from irbridge.errors import InputError, UsageError
from irbridge.judgments.holes import holes
from irbridge.judgments.pooling import pool

A = "q1 Q0 d1 1 0.9 a\nq1 Q0 d2 2 0.8 a\nq1 Q0 d3 3 0.7 a\nq2 Q0 d4 1 0.5 a\n"
B = "q1 Q0 d1 1 0.9 b\nq1 Q0 d3 2 0.9 b\nq1 Q0 d5 3 0.1 b\n"
JUDGED = "q1 0 d1 1\nq1 0 d3 0\nq2 0 d9 1\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.run": A, "b.run": B, "j.qrels": JUDGED}.items():
        (tmp_path / name).write_text(text)


def test_a_pool_is_what_any_run_has_among_its_first() -> None:
    found = pool(["a.run", "b.run"], 2)
    assert [(row.query_id, row.doc_id, row.best_rank, row.runs) for row in found.rows] == [
        ("q1", "d1", 1, (0, 1)), ("q1", "d2", 2, (0,)), ("q1", "d3", 1, (1,)), ("q2", "d4", 1, (0,)),
    ]  # fmt: skip
    assert pool(["b.run"], 1).rows[0].doc_id == "d3"  # of equal scores the higher id is first, as in a scoring


def test_what_is_judged_need_not_be_judged_again() -> None:
    found = pool(["a.run", "b.run"], 2, "j.qrels")
    assert [(row.query_id, row.doc_id) for row in found.rows] == [("q1", "d2"), ("q2", "d4")]
    assert found.queries == {"q1": (3, 2), "q2": (1, 0)}
    assert found.judged == 2


def test_rows_of_one_query_may_be_scattered(tmp_path: Path) -> None:
    (tmp_path / "s.run").write_text("q1 Q0 d2 2 0.8 a\nq2 Q0 d4 1 0.5 a\nq1 Q0 d1 1 0.9 a\n")
    assert [row.doc_id for row in pool(["s.run"], 1).rows] == ["d1", "d4"]


def test_a_document_twice_counts_once(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"query_id":"q1","ranking":["d1","d1","d2"]}\n')
    assert [row.doc_id for row in pool(["t.jsonl"], 2).rows] == ["d1", "d2"]


def test_holes_are_unjudged_documents_among_the_first() -> None:
    found = holes("j.qrels", ["a.run", "b.run"], 2)
    a, b = found.runs
    assert [(query.query_id, query.looked_at, query.holes) for query in a.queries] == [
        ("q1", 2, ((2, "d2"),)), ("q2", 1, ((1, "d4"),)),
    ]  # fmt: skip
    assert a.judged == (1 / 2 + 0) / 2
    # b does not answer q2: nothing is judged of nothing.
    assert [query.holes for query in b.queries] == [(), ()]
    assert b.judged == (1 + 0) / 2


@pytest.mark.parametrize("run", ["a.run", "b.run"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_share_is_the_measure_judged(run: str, k: int) -> None:
    measured = score("j.qrels", run, f"Judged@{k}").aggregates()[f"Judged@{k}"]
    assert holes("j.qrels", [run], k).runs[0].judged == pytest.approx(measured, abs=1e-15)


def test_a_pool_that_was_judged_leaves_no_hole(tmp_path: Path) -> None:
    rows = [f"{row.query_id} 0 {row.doc_id} 1\n" for row in pool(["a.run", "b.run"], 3).rows]
    (tmp_path / "all.qrels").write_text("".join(rows))
    assert [run.holes for run in holes("all.qrels", ["a.run", "b.run"], 3).runs] == [0, 0]


def test_nothing_to_pool() -> None:
    with pytest.raises(UsageError):
        pool([], 10)
    with pytest.raises(UsageError):
        pool(["a.run"], 0)
    with pytest.raises(UsageError):
        holes("j.qrels", [], 10)


def test_holes_of_a_run_of_other_queries_are_no_answer(tmp_path: Path) -> None:
    """As of a scoring: nothing was judged of nothing, and 0 unjudged documents would say that all is well."""
    (tmp_path / "other.run").write_text("x1 Q0 d1 1 0.9 a\n")
    with pytest.raises(InputError, match="no query in common: the judgments have q1, q2; the run has x1") as failed:
        holes("j.qrels", ["a.run", "other.run"], 2)
    assert failed.value.path == "other.run"
