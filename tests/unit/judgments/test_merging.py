"""A three-way merge, case by case; each expected outcome follows from which sides changed what."""

from __future__ import annotations

from typing import Any

import pytest

from irbridge.judgments.merging import Merged, merge
from irbridge.judgments.tables import place_of
from irbridge.model import Judgment

BASE = Judgment("q", "d", 1, "text", labeled_by="human:a", notes="n")


def merged(base: Judgment | None, ours: Judgment | None, theirs: Judgment | None, prefer: Any = None) -> Merged:
    tables = [{} if label is None else {place_of(label): label} for label in (base, ours, theirs)]
    return merge(*tables, prefer)


def grade(relevance: int, by: str = "human:a", **fields: Any) -> Judgment:
    return BASE._replace(relevance=relevance, labeled_by=by, **fields)


@pytest.mark.parametrize(
    "base, ours, theirs, outcome",
    [
        (BASE, BASE, BASE, BASE),
        (BASE, grade(2), BASE, grade(2)),  # ours alone
        (BASE, BASE, grade(2), grade(2)),  # theirs alone
        (BASE, grade(2), grade(2), grade(2)),  # both alike
        (None, grade(2), None, grade(2)),  # added by one
        (None, grade(2), grade(2), grade(2)),  # added by both alike
        (BASE, None, BASE, None),  # removed by one
        (BASE, BASE, None, None),
        (BASE, None, None, None),
        # Two statements, each changed by one side.
        (BASE, grade(2, "human:b"), BASE._replace(notes="new"), grade(2, "human:b", notes="new")),
        (BASE, BASE._replace(extra={"x": 1}), BASE._replace(extra={"y": 2}), BASE._replace(extra={"x": 1, "y": 2})),
    ],
)
def test_what_one_side_changed_is_taken(base: Any, ours: Any, theirs: Any, outcome: Judgment | None) -> None:
    found = merged(base, ours, theirs)
    assert found.conflicts == ()
    assert found.labels == (() if outcome is None else (outcome,))


@pytest.mark.parametrize(
    "base, ours, theirs, what",
    [
        (BASE, grade(2), grade(0), "judgment"),
        (None, grade(2), grade(0), "judgment"),
        (BASE, None, grade(2), "label"),
        (BASE, grade(2), None, "label"),
        # A grade travels with the one who gave it: ours's grade by theirs's annotator is nobody's statement.
        (BASE, grade(2), grade(1, "human:b"), "judgment"),
        (BASE, BASE._replace(notes="a"), BASE._replace(notes="b"), "notes"),
        (BASE, BASE._replace(extra={"x": 1}), BASE._replace(extra={"x": True}), "x"),
    ],
)
def test_what_both_changed_in_two_ways_is_a_conflict(base: Any, ours: Any, theirs: Any, what: str) -> None:
    found = merged(base, ours, theirs)
    assert [conflict.what for conflict in found.conflicts] == [what]
    assert merged(base, ours, theirs, "ours").conflicts == ()
    assert merged(base, ours, theirs, "ours").labels == (() if ours is None else (ours,))
    assert merged(base, ours, theirs, "theirs").labels == (() if theirs is None else (theirs,))


def test_the_higher_or_lower_grade_wins_with_its_annotator_and_decides_nothing_else() -> None:
    ours, theirs = grade(2, "human:b"), grade(0, "human:c")
    assert merged(BASE, ours, theirs, "max").labels == (ours,)
    assert merged(BASE, ours, theirs, "min").labels == (theirs,)
    assert len(merged(BASE, ours, theirs, "max").settled) == 1
    assert merged(BASE, BASE._replace(notes="a"), BASE._replace(notes="b"), "max").conflicts
    assert merged(BASE, None, grade(2), "max").conflicts
    assert merged(BASE, grade(1, "human:b"), grade(1, "human:c"), "max").conflicts


def test_ours_keeps_its_order_and_theirs_comes_behind_its_query() -> None:
    def table(*names: str) -> dict[Any, Judgment]:
        labels = [Judgment(name[0], name, 1) for name in names]
        return {place_of(label): label for label in labels}

    found = merge(table("a1", "b1"), table("b1", "a1"), table("a1", "b1", "a2", "c1", "b2"))
    assert [label.doc_uri for label in found.labels] == ["b1", "b2", "a1", "a2", "c1"]
    assert (found.from_ours, found.from_theirs) == (0, 3)


def test_conflicts_as_data() -> None:
    (told,) = merged(BASE, grade(2), None).as_dict()["conflicts"]
    assert told == {
        "query_id": "q", "doc_uri": "d", "what": "label",
        "base": {"relevance": 1, "labeled_by": "human:a"}, "ours": {"relevance": 2, "labeled_by": "human:a"}, "theirs": None,
    }  # fmt: skip
