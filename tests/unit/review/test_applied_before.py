"""Decisions that were applied before, as spec/review.md 3.1 tells them; worked out by hand."""

from __future__ import annotations

from typing import Any

from irbridge.model import Judgment
from irbridge.review.applied_before import applied_before
from irbridge.review.decisions import Action, Decision, Name, name_of

AT = "2026-05-04T03:02:01Z"
OLD = Judgment("q", "d", 2, chunk_id="c1:old", chunk_text="Dogs ride free.", labeled_by="human:x")
ANCHOR = {"doc_uri": "d", "chunk_id": "c1:old", "relevance": 2, "labeled_by": "human:x"}


def decision(action: Action, of: Judgment = OLD, at: str = AT) -> Decision:
    return Decision(*name_of(of), action, (), "human:ana", at)


def row(*origins: Any, at: str = AT, query: str = "q") -> Judgment:
    return Judgment(
        query,
        "d",
        2,
        chunk_id="c1:new",
        labeled_by="human:ana",
        labeled_at=at,
        extra={"reanchored_from": list(origins)},
    )


def found(action: Action, labels: list[Judgment], *earlier: Judgment, at: str = AT) -> set[Name]:
    return applied_before([decision(action, at=at)], labels, earlier)


def test_a_choice_is_known_by_its_signature_and_the_old_key() -> None:
    assert found("choose", [row(ANCHOR)]) == {name_of(OLD)}
    assert found("choose", [row({**ANCHOR, "chunk_id": "c1:another"})]) == set()
    assert found("choose", [row(ANCHOR, query="another")]) == set()
    assert found("choose", [row("no anchor", {"labeled_by": ["human:ana"]})]) == set()
    # Decided once more since: that was not applied.
    assert found("choose", [row(ANCHOR)], at="2026-05-04T03:02:02Z") == set()


def test_so_is_one_whose_row_another_one_took_in() -> None:
    signed = {"doc_uri": "d", "chunk_id": "c1:new", "labeled_by": "human:ana", "labeled_at": AT}
    other = row(ANCHOR, signed)._replace(labeled_by="human:y", labeled_at=None)
    assert found("choose", [other]) == {name_of(OLD)}
    assert found("choose", [row({**signed, "reanchored_from": [ANCHOR]})._replace(labeled_by=None)]) == {name_of(OLD)}


def test_a_removed_label_was_there_before() -> None:
    assert found("none", [], OLD) == {name_of(OLD)}
    assert found("none", []) == set()
    assert found("none", [], OLD._replace(relevance=1)) == set()


def test_a_label_that_was_changed_or_moved_is_not_gone() -> None:
    assert found("none", [OLD._replace(relevance=1)], OLD) == set()
    assert found("none", [OLD._replace(chunk_id="c1:new", corpus_fingerprint="new/1")], OLD) == set()
