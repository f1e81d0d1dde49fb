"""Decisions applied: the rows that must stand there afterwards, worked out by hand from spec/review.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from irbridge.errors import InputErrors, UsageError
from irbridge.identity import text_sha
from irbridge.model import Chunk, Judgment
from irbridge.review.applying import Applied, applied
from irbridge.review.decisions import Action, Choice, Decision, name_of

AT = "2026-05-04T03:02:01Z"


def cid(number: int) -> str:
    return f"c1:{number:032x}"


CHUNKS = {
    cid(number): Chunk(cid(number), doc, "r2", 0, text, start=10, end=10 + len(text))
    for number, doc, text in ((11, "d", "Dogs ride free."), (12, "d", "So do cats."), (21, "e", "Elsewhere."))
}


def label(number: int | None = 1, relevance: int = 2, query: str = "q", doc: str = "d", **more: Any) -> Judgment:
    return Judgment(query, doc, relevance, chunk_id=None if number is None else cid(number), **more)


def choice(number: int, relevance: int = 2) -> Choice:
    chunk = CHUNKS[cid(number)]
    return Choice(chunk.chunk_id, chunk.doc_uri, relevance, text_sha(chunk.text or ""))


def decision(of: Judgment, action: Action = "choose", *choices: Choice, line: int = 1) -> Decision:
    return Decision(*name_of(of), action, choices, "human:ana", AT, "new/1", line)


def carried_out(labels: Sequence[Judgment], *decisions: Decision, **more: Any) -> Applied:
    return applied(
        labels, list(range(1, len(labels) + 1)), decisions, **{"chunks": CHUNKS, "fingerprint": "new/1", **more}
    )


def rows(found: Applied) -> list[Judgment]:
    return [each.label for each in found.placed]


def test_each_chosen_chunk_becomes_a_row_with_its_own_relevance() -> None:
    old = label(
        1, 2, query="q", text_sha="t1:" + "0" * 32, chunk_text="Dogs ride free. So do cats.", corpus_fingerprint="old/1",
        labeled_by="synthetic:gpt", labeled_at="2025-01-01T00:00:00Z", stratum="s", notes="n", extra={"own": [1]},
    )._replace(query="May dogs ride?")  # fmt: skip
    found = carried_out([old], decision(old, "choose", choice(11, 3), choice(12, 1)))
    origin = {
        "doc_uri": "d", "chunk_id": cid(1), "text_sha": "t1:" + "0" * 32, "relevance": 2, "corpus_fingerprint": "old/1",
        "labeled_by": "synthetic:gpt", "labeled_at": "2025-01-01T00:00:00Z",
    }  # fmt: skip
    made = old._replace(
        corpus_fingerprint="new/1",
        labeled_by="human:ana",
        labeled_at=AT,
        extra={"own": [1], "reanchored_from": [origin]},
    )
    assert rows(found) == [
        made._replace(
            chunk_id=cid(11), relevance=3, text_sha=text_sha("Dogs ride free."), chunk_text="Dogs ride free."
        ),
        made._replace(chunk_id=cid(12), relevance=1, text_sha=text_sha("So do cats."), chunk_text="So do cats."),
    ]
    assert [each.line for each in found.placed] == [1, 1]
    assert found.as_dict() == {"decided": 1, "rows": 2, "absorbed": 0, "removed": 0, "skipped": 0, "superseded": 0}


def test_a_label_that_keeps_no_text_gets_none() -> None:
    old = label(1)
    (made,) = rows(carried_out([old], decision(old, "choose", choice(11))))
    assert (made.chunk_text, made.text_sha) == (None, text_sha("Dogs ride free."))


def test_the_origin_names_the_digest_of_a_text_that_goes() -> None:
    old = label(1, chunk_text="Dogs  ride.")
    (made,) = rows(carried_out([old], decision(old, "choose", choice(11))))
    assert made.extra["reanchored_from"] == [
        {"doc_uri": "d", "chunk_id": cid(1), "text_sha": text_sha("Dogs  ride."), "relevance": 2}
    ]


def test_another_document_comes_with_its_chunk() -> None:
    old = label(1)
    (made,) = rows(carried_out([old], decision(old, "choose", choice(21))))
    assert (made.doc_uri, made.chunk_id) == ("e", cid(21))


def test_a_label_of_a_document_stays_one() -> None:
    old = label(None, doc="gone")
    (made,) = rows(carried_out([old], decision(old, "choose", choice(21, 1))))
    assert (made.doc_uri, made.chunk_id, made.text_sha, made.relevance) == ("e", None, None, 1)


def test_a_span_becomes_that_of_the_chunk_or_goes() -> None:
    old = label(None, extra={"doc_revision": "r1", "span": {"start": 0, "end": 9}})
    (made,) = rows(carried_out([old], decision(old, "choose", choice(11))))
    assert made.chunk_id == cid(11)
    # "Dogs ride free." has 15 characters and begins at 10.
    assert (made.extra["doc_revision"], made.extra["span"]) == ("r2", {"start": 10, "end": 25})
    assert made.extra["reanchored_from"][0]["span"] == {"start": 0, "end": 9}
    (made,) = rows(carried_out([old], decision(old, "choose", choice(11)), chunks=None))
    assert "span" not in made.extra


def test_a_negative_grade_goes_with_the_label_that_had_it() -> None:
    old = label(1, -2, extra={"note": 1, "grade": -2})
    (made, _) = rows(carried_out([old, label(11, 1, "other")], decision(old, "choose", choice(11, 0))))
    assert (made.relevance, "grade" in made.extra) == (0, False)


def test_none_removes_and_skip_leaves() -> None:
    gone, kept, other = label(1), label(2), label(3)
    found = carried_out([gone, kept, other], decision(gone, "none"), decision(kept, "skip"))
    assert rows(found) == [kept, other]
    assert (found.removed, found.skipped, found.decided) == (1, 1, 0)


def test_the_last_decision_about_a_label_counts() -> None:
    old = label(1)
    found = carried_out([old], decision(old, "none"), decision(old, "choose", choice(11), line=2))
    assert ([each.chunk_id for each in rows(found)], found.superseded) == ([cid(11)], 1)


def test_two_rows_on_one_chunk_become_one_with_the_highest_relevance() -> None:
    one, two = label(1, 1, labeled_by="human:x"), label(2, 3, labeled_by="human:y")
    found = carried_out([one, two], decision(one, "choose", choice(11, 1)), decision(two, "choose", choice(11, 3)))
    (made,) = rows(found)
    assert (made.relevance, found.absorbed) == (3, 1)
    assert [(each.get("chunk_id"), each["labeled_by"]) for each in made.extra["reanchored_from"]] == [
        (cid(2), "human:y"), (cid(1), "human:x"), (cid(11), "human:ana"),
    ]  # fmt: skip


def test_a_label_that_was_there_stays_where_it_is_as_high() -> None:
    there, old = label(11, 2, labeled_by="human:x"), label(1)
    found = carried_out([old, there], decision(old, "choose", choice(11, 2)))
    (made,) = rows(found)
    assert (made.labeled_by, made.extra["reanchored_from"][0]["chunk_id"]) == ("human:x", cid(1))
    assert found.placed[0].line == 2


def test_a_higher_decision_takes_a_label_in_whole() -> None:
    there, old = label(11, 1, labeled_by="human:x", chunk_text="Dogs ride free.", query="q"), label(1)
    (made,) = rows(carried_out([there, old], decision(old, "choose", choice(11, 3))))
    assert (made.relevance, made.labeled_by) == (3, "human:ana")
    assert made.extra["reanchored_from"][1] == {
        "doc_uri": "d", "chunk_id": cid(11), "chunk_text": "Dogs ride free.", "relevance": 1, "labeled_by": "human:x",
    }  # fmt: skip


def test_of_equals_a_person_s_stays_before_a_machine_s() -> None:
    there, old = label(11, 2, labeled_by="synthetic:x"), label(1)
    (made,) = rows(carried_out([there, old], decision(old, "choose", choice(11, 2))))
    assert made.labeled_by == "human:ana"


def test_labels_of_other_queries_on_the_chunk_are_left_alone() -> None:
    there, old = label(11, 2, "other"), label(1)
    assert len(rows(carried_out([there, old], decision(old, "choose", choice(11, 2))))) == 2


def test_a_row_that_stands_twice_has_one_answer() -> None:
    old = label(1)
    found = carried_out([old, old], decision(old, "choose", choice(11)))
    assert ([each.chunk_id for each in rows(found)], found.decided) == ([cid(11)], 2)


def test_a_label_that_was_changed_is_refused_and_nothing_done() -> None:
    old, other = label(1), label(2)
    late = [
        decision(old, "choose", choice(11), line=4),
        decision(label(3), "none", line=5),
        decision(other, "none", line=6),
    ]
    with pytest.raises(InputErrors) as raised:
        carried_out([old._replace(relevance=1), other], *late)
    assert [each.line for each in raised.value.errors] == [4, 5]
    assert "was changed since it was reviewed" in raised.value.errors[0].message
    assert "is not there any more" in raised.value.errors[1].message
    assert "--leave-changed" in str(raised.value.errors[0].hint)


def test_changed_labels_can_be_left_out() -> None:
    old, other = label(1), label(2)
    found = carried_out([old._replace(relevance=1), other], decision(old, "choose", choice(11)), decision(other, "choose", choice(12)), leave_changed=True)  # fmt: skip
    assert [each.chunk_id for each in rows(found)] == [cid(1), cid(12)]
    assert [each.key for each in found.left_out] == [cid(1)]


@pytest.mark.parametrize(
    "wrong, message",
    [
        (Choice(cid(99), "d", 1), "is not in the corpus"),
        (Choice(cid(11), "e", 1), "is of document d in the corpus, not of e"),
        (Choice(cid(11), "d", 1, "t1:" + "0" * 32), "has another text in the corpus"),
    ],
)
def test_chunks_are_held_against_the_corpus(wrong: Choice, message: str) -> None:
    old = label(1)
    with pytest.raises(InputErrors, match=message) as raised:
        carried_out([old], decision(old, "choose", wrong, line=7))
    assert (raised.value.line, raised.value.path) == (7, "decisions")


def test_without_a_corpus_the_decision_is_believed() -> None:
    old = label(1, chunk_text="old")
    text = "Dogs ride free."
    told = decision(old, "choose", Choice(cid(11), "d", 1, text_sha(text), text))
    (made,) = rows(carried_out([old], told, chunks=None, fingerprint=None))
    assert (made.chunk_text, made.text_sha, made.corpus_fingerprint) == (text, text_sha(text), "new/1")
    with pytest.raises(InputErrors, match="keeps its text") as raised:
        carried_out([old], decision(old, "choose", choice(11)), chunks=None)
    assert "--corpus" in str(raised.value.hint)


def test_a_digest_that_the_corpus_names_wrongly_is_not_passed_on() -> None:
    old = label(1)
    lying = {cid(11): CHUNKS[cid(11)]._replace(text_sha="t1:" + "9" * 32)}
    (made,) = rows(carried_out([old], decision(old, "choose", choice(11)), chunks=lying))
    assert made.text_sha == text_sha("Dogs ride free.")


@pytest.mark.parametrize(
    "action, message", [("none", "remove every label"), ("choose", "no label with relevance >= 1")]
)
def test_a_set_that_nothing_can_be_scored_with_is_not_made(action: Action, message: str) -> None:
    old = label(1)
    with pytest.raises(UsageError, match=message):
        carried_out([old], decision(old, action, *([choice(11, 0)] if action == "choose" else [])))


def test_decisions_made_on_another_corpus_are_counted() -> None:
    old, other, third = label(1), label(2), label(3)
    on_old = decision(other, "none")._replace(corpus_fingerprint="old/1")
    skipped = decision(third, "skip")._replace(corpus_fingerprint="older/1")
    decided = [decision(old, "choose", choice(11)), on_old, skipped]
    found = carried_out([old, other, third], *decided)
    # One was made on the corpus at hand, and one decides nothing.
    assert found.elsewhere == (("old/1", 1),)
    assert found.as_dict()["made_on"] == {"old/1": 1}
    unsaid = decision(old, "choose", choice(11))._replace(corpus_fingerprint=None)
    assert "made_on" not in carried_out([old], unsaid).as_dict()
