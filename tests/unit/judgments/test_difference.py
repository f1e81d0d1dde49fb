from __future__ import annotations

from pathlib import Path

import pytest

from irbridge.errors import InputError
from irbridge.judgments.difference import diff


def test_labels_are_added_removed_and_regraded(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 2\nq2 0 d5 -1\n")
    (tmp_path / "new").write_text("q2 0 d3 2\nq1 0 d4 1\nq1 0 d1 2\nq2 0 d5 0\n")
    found = diff(tmp_path / "old", tmp_path / "new")
    assert [(label.query_id, label.key) for label in found.added] == [("q1", "d4")]
    assert [(label.query_id, label.key) for label in found.removed] == [("q1", "d2")]
    assert [(each.after.key, each.before.relevance, each.after.relevance) for each in found.regraded] == [
        ("d1", 1, 2), ("d5", -1, 0),
    ]  # fmt: skip
    assert (found.edited, found.same, found.empty) == ((), 1, False)
    assert found.by_query() == {
        "q1": {"added": 1, "removed": 1, "regraded": 1, "edited": 0},
        "q2": {"added": 0, "removed": 0, "regraded": 1, "edited": 0},
    }


def test_formats_need_not_be_the_same(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("q1 0 d1 1\nq1 0 d2 -2\n")
    (tmp_path / "b.jsonl").write_text(
        '{"query_id":"q1","query":"text","doc_uri":"d1","relevance":1,"notes":"n"}\n'
        '{"query_id":"q1","doc_uri":"d2","relevance":0,"grade":-2}\n'
    )
    assert diff(tmp_path / "a", tmp_path / "b.jsonl", fields=True).empty


def test_subtopics_are_labels_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("q1 1 d1 1\nq1 2 d1 0\n")
    (tmp_path / "b").write_text("q1 1 d1 1\nq1 2 d1 1\n")
    (change,) = diff(tmp_path / "a", tmp_path / "b").regraded
    assert change.after.iteration == "2"


def test_other_fields_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query_id":"q","doc_uri":"d","relevance":1,"notes":"old","x":1,"y":0}\n')
    (tmp_path / "b.jsonl").write_text('{"query_id":"q","doc_uri":"d","relevance":2,"notes":"new","x":true,"y":0}\n')
    (change,) = diff(tmp_path / "a.jsonl", tmp_path / "b.jsonl", fields=True).regraded
    assert change.fields == ("notes", "x")
    assert diff(tmp_path / "a.jsonl", tmp_path / "b.jsonl").regraded[0].fields == ()


def test_two_grades_for_one_label_cannot_be_compared(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("q1 0 d1 1\nq1 0 d1 2\n")
    with pytest.raises(InputError, match="judged twice"):
        diff(tmp_path / "a", tmp_path / "a")
