"""Repair of labels. What is right is worked out by hand from the contract: --fix moves what is provable and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.drift.findings import Drift, Finding, Status, Summary
from irbridge.drift.fix import repaired
from irbridge.model import Judgment

OLD = "c1:" + "0" * 31
NEW = "c1:" + "f" * 31


def label(query_id: str, chunk: str | None, relevance: int = 1, doc: str = "d", **more: object) -> Judgment:
    return Judgment(query_id, doc, relevance, chunk_id=chunk, **more)  # type: ignore[arg-type]


def found(of: Judgment, status: Status, to: str | None = None, doc: str | None = None) -> Finding:
    return Finding(of.query_id, of.doc_uri, status, of.chunk_id, to, doc)


def drift(findings: Sequence[Finding], fingerprint: str | None = "new/1") -> Drift:
    return Drift(findings, Summary.of(findings), None, fingerprint)


def test_a_label_whose_text_is_a_chunk_moves_and_carries_nothing_more() -> None:
    one = label("q", OLD + "1", text_sha="t1:x", chunk_text="text", corpus_fingerprint="old/1", extra={"kept": 1})
    made = repaired([one], drift([found(one, "RE_ANCHORABLE", NEW + "1")]))
    assert made.rows == [one._replace(chunk_id=NEW + "1", corpus_fingerprint="new/1")]
    assert made.as_dict() == {"reanchored": 1, "absorbed": 0, "stamped": 0, "needs_review": 0, "unproven": 0}


def test_valid_labels_are_stamped_and_the_rest_is_untouched() -> None:
    labels = [label("q", OLD + "1"), label("q", OLD + "2"), label("q", OLD + "3"), label("q", None, doc="whole")]
    findings = [
        found(labels[0], "VALID"),
        found(labels[1], "SPLIT"),
        found(labels[2], "ORPHANED"),
        found(labels[3], "VALID"),
    ]
    made = repaired(labels, drift(findings))
    assert made.rows == [
        labels[0]._replace(corpus_fingerprint="new/1"), labels[1], labels[2], labels[3]._replace(corpus_fingerprint="new/1"),
    ]  # fmt: skip
    assert (made.stamped, made.reanchored, made.needs_review) == (2, 0, 2)


def test_a_corpus_without_a_name_stamps_nothing() -> None:
    labels = [label("q", OLD + "1", corpus_fingerprint="old/1"), label("q", OLD + "2", corpus_fingerprint="old/1")]
    findings = [found(labels[0], "VALID"), found(labels[1], "MERGED", NEW + "2")]
    assert repaired(labels, drift(findings, None)).rows == [labels[0], labels[1]._replace(chunk_id=NEW + "2")]


def test_two_labels_on_one_chunk_become_one_with_the_highest_relevance() -> None:
    low = label("q", OLD + "1", 1, text_sha="t1:a", labeled_by="human:a")
    high = label("q", OLD + "2", 3, text_sha="t1:b", query="what?")
    other = label("p", OLD + "1", 1)
    labels = [low, other, high]
    findings = [found(each, "MERGED", NEW + "1") for each in labels]
    made = repaired(labels, drift(findings))
    assert made.rows[0] is None
    assert made.rows[1] == other._replace(chunk_id=NEW + "1", corpus_fingerprint="new/1"), (
        "another query's label is no rival"
    )
    assert made.rows[2] == high._replace(
        chunk_id=NEW + "1",
        corpus_fingerprint="new/1",
        extra={
            "reanchored_from": [
                {"doc_uri": "d", "chunk_id": OLD + "1", "text_sha": "t1:a", "relevance": 1, "labeled_by": "human:a"}
            ]
        },
    )
    assert (made.reanchored, made.absorbed) == (3, 1)


def test_of_equals_the_label_that_was_there_stays() -> None:
    moving, valid = label("q", OLD + "1", 2), label("q", NEW + "1", 2)
    made = repaired([moving, valid], drift([found(moving, "MERGED", NEW + "1"), found(valid, "VALID")]))
    assert made.rows[0] is None
    assert made.rows[1] is not None
    assert made.rows[1].extra["reanchored_from"] == [{"doc_uri": "d", "chunk_id": OLD + "1", "relevance": 2}]


def test_a_higher_label_takes_in_the_valid_one() -> None:
    moving, valid = label("q", OLD + "1", 2), label("q", NEW + "1", 0)
    made = repaired([valid, moving], drift([found(valid, "VALID"), found(moving, "MERGED", NEW + "1")]))
    assert made.rows[0] is None
    assert made.rows[1] is not None
    assert (made.rows[1].relevance, made.rows[1].chunk_id) == (2, NEW + "1")


def test_a_contradiction_that_was_there_stays_for_validate_to_find() -> None:
    labels = [label("q", OLD + "1", 2, labeled_by="human:a"), label("q", OLD + "1", 0, labeled_by="human:b")]
    made = repaired(labels, drift([found(each, "RE_ANCHORABLE", NEW + "1") for each in labels]))
    assert [row and row.relevance for row in made.rows] == [2, 0]


def test_a_third_label_joins_a_contradiction_without_settling_it() -> None:
    labels = [label("q", OLD + "1", 2), label("q", OLD + "1", 0), label("q", OLD + "2", 1)]
    made = repaired(labels, drift([found(each, "RE_ANCHORABLE", NEW + "1") for each in labels]))
    assert [row and row.relevance for row in made.rows] == [2, 0, None]


def test_another_document_is_named_and_the_old_anchor_kept() -> None:
    one = label("q", OLD + "1", doc="old-doc")
    made = repaired([one], drift([found(one, "RE_ANCHORABLE", NEW + "1", "new-doc")]))
    assert made.rows == [
        Judgment(
            "q", "new-doc", 1, chunk_id=NEW + "1", corpus_fingerprint="new/1",
            extra={"reanchored_from": [{"doc_uri": "old-doc", "chunk_id": OLD + "1"}]},
        )
    ]  # fmt: skip


def test_what_was_kept_before_is_kept_on() -> None:
    one = label("q", OLD + "1", extra={"reanchored_from": [{"doc_uri": "first"}]})
    made = repaired([one], drift([found(one, "RE_ANCHORABLE", NEW + "1", "third")]))
    assert made.rows[0] is not None
    assert [each["doc_uri"] for each in made.rows[0].extra["reanchored_from"]] == ["first", "d"]


def test_a_negative_grade_is_absorbed_as_it_would_be_written() -> None:
    labels = [label("q", OLD + "1", 1), label("q", OLD + "2", -2)]
    made = repaired(labels, drift([found(each, "RE_ANCHORABLE", NEW + "1") for each in labels]))
    assert made.rows[0] is not None
    assert made.rows[0].extra["reanchored_from"] == [
        {"doc_uri": "d", "chunk_id": OLD + "2", "relevance": 0, "grade": -2}
    ]


def test_not_relevant_is_no_statement_about_a_larger_chunk() -> None:
    labels = [label("q", OLD + "1", 0), label("q", OLD + "2", -1), label("q", OLD + "3", 1), label("q", OLD + "4", 0)]
    findings = [
        *(found(each, "MERGED", NEW + "1") for each in labels[:3]),
        found(labels[3], "RE_ANCHORABLE", NEW + "2"),
    ]
    made = repaired(labels, drift(findings))
    assert made.rows[:2] == labels[:2], "what holds a text that is not relevant may be relevant for the rest"
    assert [row and row.chunk_id for row in made.rows[2:]] == [NEW + "1", NEW + "2"], "the same text is the same text"
    assert (made.moved, made.unproven, made.needs_review) == ((2, 3), 2, 2)
