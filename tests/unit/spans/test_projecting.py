"""Projection, worked out by hand on one document of 40 characters.

chunks A   a 0-10   b 10-20   c 20-40
chunks B   x 0-20   y 15-40           (they overlap from 15 to 20)
"""

from __future__ import annotations

from typing import Any

import pytest

from irbridge.errors import InputError, UsageError
from irbridge.model import Chunk, Document, Judgment
from irbridge.spans import projected

REV = "t1:" + "0" * 32
A = [Chunk("a", "d", REV, 0, start=0, end=10), Chunk("b", "d", REV, 1, start=10, end=20), Chunk("c", "d", REV, 2, start=20, end=40)]  # fmt: skip
B = [Chunk("x", "d", REV, 0, start=0, end=20), Chunk("y", "d", REV, 1, start=15, end=40)]


def span(start: int, end: int, relevance: int = 1, query: str = "q", **fields: Any) -> Judgment:
    extra = {
        "span": {"start": start, "end": end},
        "doc_revision": fields.pop("revision", REV),
        **fields.pop("extra", {}),
    }
    return Judgment(query, fields.pop("doc", "d"), relevance, extra=extra, **fields)


def keys(labels: list[Judgment], onto: Any = A, **options: Any) -> list[str]:
    return [label.key for label in projected(labels, onto, **options).labels]


def test_the_chunk_that_holds_a_span_gets_its_label() -> None:
    given = span(12, 18, 2, chunk_text="text", text_sha="t1:x", stratum="s", notes="n", query="q1")
    found = projected([given], A)
    assert found.labels == [given._replace(chunk_id="b")]
    assert (found.projected, found.absorbed, found.chunks, found.left) == (1, 0, 1, [])


def test_borders_are_half_open() -> None:
    assert keys([span(0, 10), span(10, 20), span(20, 40)]) == ["a", "b", "c"]
    found = projected([span(9, 11)], A)
    assert found.labels == [span(9, 11)]
    assert [each.why.code for each in found.left] == ["no-chunk"]


def test_every_chunk_that_holds_a_span_gets_its_label() -> None:
    assert keys([span(16, 19)], B) == ["x", "y"]
    assert keys([span(2, 3), span(16, 19, query="p")], B) == ["x", "x", "y"]


def test_overlap_is_a_convention_and_says_so() -> None:
    # 4-14 of 10 characters: 6 in a, 4 in b.
    found = projected([span(4, 14, extra={"projected": "old"})], A, rule="overlap=0.4")
    assert [(each.key, each.extra["projected"]) for each in found.labels] == [
        ("a", {"rule": "overlap=0.4", "covered": 0.6}), ("b", {"rule": "overlap=0.4", "covered": 0.4}),
    ]  # fmt: skip
    assert keys([span(4, 14)], rule="overlap=0.5") == ["a"]
    assert keys([span(4, 14)], rule="overlap=0.7") == ["d"]


def test_a_sound_projection_leaves_no_mark_of_an_older_one() -> None:
    assert "projected" not in projected([span(4, 6, extra={"projected": {"rule": "overlap=0.5"}})], A).labels[0].extra


def test_of_several_spans_in_one_chunk_the_highest_relevance_counts() -> None:
    low, high, other = span(1, 2, 1, labeled_by="human:a", query="q"), span(3, 4, 3), span(5, 6, 1, query="p")
    found = projected([low, other, high], A)
    assert [number for number, _ in found.rows] == [1, 2]
    assert found.labels[1] == high._replace(
        chunk_id="a",
        extra={
            **high.extra,
            "reanchored_from": [
                {
                    "doc_uri": "d",
                    "relevance": 1,
                    "labeled_by": "human:a",
                    "span": {"start": 1, "end": 2},
                    "doc_revision": REV,
                }
            ],
        },
    )
    assert (found.projected, found.absorbed, found.chunks) == (3, 1, 2)


def test_of_equals_the_label_that_was_there_counts_and_the_first() -> None:
    there = Judgment("q", "d", 1, chunk_id="a")
    found = projected([span(1, 2), there], A)
    assert [number for number, _ in found.rows] == [1]
    assert [each.why.code for each in found.left] == ["no-span"]
    first = projected([span(1, 2, notes="1"), span(3, 4, notes="2")], A).labels
    assert [each.notes for each in first] == ["1"]
    assert first[0].extra["reanchored_from"][0]["notes"] == "2"


def test_labels_that_contradicted_each_other_before_still_do() -> None:
    both = [Judgment("q", "d", 1, chunk_id="z"), Judgment("q", "d", 2, chunk_id="z")]
    assert projected([*both, span(1, 2)], A).labels[:2] == both


def test_another_iteration_is_another_label() -> None:
    assert keys([span(1, 2, iteration="1"), span(3, 4, iteration="2")]) == ["a", "a"]


def test_what_was_kept_before_is_kept() -> None:
    found = projected([span(1, 2, 2, extra={"reanchored_from": [{"doc_uri": "o"}]}), span(3, 4)], A).labels
    assert [each["doc_uri"] for each in found[0].extra["reanchored_from"]] == ["o", "d"]


@pytest.mark.parametrize(
    "value", [[1, 2], {"start": True, "end": 5}, {"start": 1.0, "end": 5}, {"start": -2, "end": 5}, {"start": 5, "end": 5}, {"start": float("nan"), "end": 5}]
)  # fmt: skip
def test_hostile_spans_stay(value: object) -> None:
    given = Judgment("q", "d", 1, extra={"span": value, "doc_revision": REV})
    found = projected([given], A)
    assert found.labels == [given]
    assert [each.why.code for each in found.left] == ["unusable-span"]


def test_a_span_beyond_the_text_is_in_no_chunk() -> None:
    assert [each.why.code for each in projected([span(38, 10**12)], A).left] == ["no-chunk"]


def test_documents_without_chunks() -> None:
    assert [each.why.code for each in projected([span(1, 2, doc="e")], A).left] == ["no-document"]


@pytest.mark.parametrize("revision", ["t1:old", None, 5])
def test_another_revision_is_refused_with_the_way_out(revision: object) -> None:
    labels = [span(1, 2), *(span(3, 4, query=f"q{number}", revision=revision) for number in range(5))]
    with pytest.raises(InputError, match=r"5 spans of another revision .*: q0 in d, q1 in d, q2 in d, ") as raised:
        projected(labels, A)
    assert "irbridge anchor" in (raised.value.hint or "")
    assert "irbridge drift" in (raised.value.hint or "")


def test_chunks_must_say_where_they_stand_and_of_what() -> None:
    with pytest.raises(InputError, match="chunk a does not say where it stands in d"):
        projected([span(1, 2)], [Chunk("a", "d", REV, 0, "text")])
    with pytest.raises(InputError, match="do not say of which revision"):
        projected([span(1, 2)], [Chunk("a", "d", None, 0, "text", start=0, end=4)])
    with pytest.raises(InputError, match="do not say of which revision"):
        projected([span(1, 2, revision=None)], [Chunk("a", "d", None, 0, "text", start=0, end=4)])
    # What no label asks about may be as it likes.
    assert keys([span(1, 2)], [Chunk("z", "other", None, 0), *A]) == ["a"]


def test_two_revisions_in_one_corpus_are_told_apart() -> None:
    other = [Chunk("old", "d", "t1:old", 0, start=0, end=40)]
    assert keys([span(12, 18)], [*other, *A]) == ["b"]
    assert keys([span(12, 18, revision="t1:old")], [*other, *A]) == ["old"]


def test_chunks_of_a_document_may_be_scattered_and_unordered() -> None:
    scattered = [A[2], Chunk("e0", "e", REV, 0, start=0, end=9), A[0], A[1], A[1]]
    assert keys([span(0, 3), span(12, 18), span(22, 30)], scattered) == ["a", "b", "c"]


def test_documents_are_chunked_on_the_way() -> None:
    text = "One two. Three four."
    from irbridge.identity import text_sha

    given = span(9, 14, revision=text_sha(text))  # "Three"
    found = projected([given], [Document("d", text), Document("e", "\ud800")], "sentence/1")
    assert found.corpus_fingerprint == "sentence/1/0"
    assert found.labels[0].corpus_fingerprint == "sentence/1/0"
    from irbridge.chunking import chunker
    from irbridge.chunking.cutting import chunks

    second = list(chunks("d", text, chunker("sentence/1")))[1]
    assert (second.text, found.labels[0].chunk_id) == ("Three four.", second.chunk_id)
    with pytest.raises(InputError, match="1 span of another revision"):
        projected([given], [Document("d", text + "!")], "sentence/1")


def test_a_corpus_is_not_chunked_again() -> None:
    from irbridge.corpora import corpus_of

    with pytest.raises(UsageError, match="holds chunks already"):
        projected([span(1, 2)], corpus_of(A), "sentence/1")
