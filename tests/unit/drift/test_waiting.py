"""The labels that wait for a person, as rows: which of them, why, and where their text is."""

from __future__ import annotations

from typing import get_args

import pytest

from irbridge.drift.findings import KINDS, Drift, Evidence, Finding, Overlap, Summary
from irbridge.drift.fix import repaired
from irbridge.drift.waiting import LISTED, Why, waiting_table, why_of
from irbridge.drift.workflow import Inspected
from irbridge.model import Judgment


def rows(*pairs: tuple[Judgment, Finding], refused: tuple[int, ...] = ()) -> list[tuple[str, ...]]:
    labels, findings = [label for label, _ in pairs], [finding for _, finding in pairs]
    drift = Drift(findings, Summary.of(findings))
    found = Inspected(labels, drift, repaired(labels, drift, refused))
    return [tuple(map(str, row)) for row in waiting_table(found).rows]


def a(query_id: str, relevance: int = 1, text: str | None = "tides turn", **more: object) -> tuple[Judgment, Finding]:
    label = Judgment(query_id, "d", relevance, chunk_id="old", chunk_text=text)
    return label, Finding(query_id, "d", **{"chunk_id": "old", **more})  # type: ignore[arg-type]


def test_what_repair_moves_and_what_is_valid_do_not_wait():
    assert rows(
        a("q1", status="VALID"), a("q2", status="RE_ANCHORABLE", reanchor_to="n"), a("q3", status="MERGED", reanchor_to="n")
    ) == []  # fmt: skip


def test_each_says_why_and_where():
    two = (Overlap("n1", 6), Overlap("n2", 4))
    assert rows(
        a("q1", status="SPLIT", split_into=("n1", "n2", "n3")),
        a("q2", relevance=0, status="MERGED", reanchor_to="n1"),
        a("q3", status="ORPHANED", evidence=Evidence("shifted", 1.0, two)),
        # 0.996 is 99.6%, which is not all.
        a("q4", status="ORPHANED", evidence=Evidence("shifted", 0.996, two)),
        a("q5", status="ORPHANED", evidence=Evidence("edited", 0.874, two[:1], similarity=0.9)),
        a("q6", status="ORPHANED", evidence=Evidence("moved", 1.0, two[:1], doc_uri="e")),
        a("q7", status="ORPHANED", evidence=Evidence("ambiguous", 1.0, two)),
        a("q8", status="ORPHANED"),
        a("q9", text=None, status="ORPHANED"),
    ) == [
        ("q1", "d", "split", "in 3 chunks", "n1"),
        ("q2", "d", "merged", "in a larger chunk", "n1"),
        ("q3", "d", "shifted", "in 2 chunks", "n1"),
        ("q4", "d", "shifted", "99% in 2 chunks", "n1"),
        ("q5", "d", "edited", "87% in one chunk", "n1"),
        ("q6", "d", "moved", "in one chunk of e", "n1"),
        ("q7", "d", "ambiguous", "in 2 chunks", "n1"),
        ("q8", "d", "gone", "not found", ""),
        ("q9", "d", "untold", "not found; the label keeps none", ""),
    ]


def test_the_chunk_with_most_of_the_text_is_named_and_of_equals_the_first():
    chunks = (Overlap("heading", 9), Overlap("body", 304), Overlap("rest", 304))
    (row,) = rows(a("q1", status="ORPHANED", evidence=Evidence("shifted", 1.0, chunks)))
    assert row[-2:] == ("in 3 chunks", "body")


def test_a_chunk_that_is_not_what_it_says_is_the_reason():
    assert rows(a("q1", status="RE_ANCHORABLE", reanchor_to="n"), refused=(0,)) == [
        ("q1", "d", "refused", "the chunk's text_sha is not that of its text", "n")
    ]


def test_a_document_that_is_gone():
    label = Judgment("q1", "d", 1)
    assert rows((label, Finding("q1", "d", "ORPHANED"))) == [("q1", "d", "gone", "not found", "")]


def test_the_first_few_in_the_order_of_the_labels():
    found = rows(*(a(f"q{number}", status="ORPHANED") for number in range(LISTED + 3)))
    assert [row[0] for row in found] == [f"q{number}" for number in range(LISTED)]


HELD = {"status": "ORPHANED", "evidence": Evidence("moved", 1.0, (Overlap("n", 9),), doc_uri="e")}
WORDS = [
    ("split", 1, "x", {"status": "SPLIT", "split_into": ("n1", "n2")}),
    ("split", 0, "x", {"status": "SPLIT", "split_into": ("n1", "n2")}),
    # A larger chunk bears a relevant label out, and only then does the label move.
    ("merged", 0, "x", {"status": "MERGED", "reanchor_to": "n"}),
    ("merged", -1, "x", {"status": "MERGED", "reanchor_to": "n"}),
    # What may be moved and yet waits was refused: its chunk is not what it says.
    ("refused", 1, "x", {"status": "MERGED", "reanchor_to": "n"}),
    ("refused", 1, "x", {"status": "RE_ANCHORABLE", "reanchor_to": "n"}),
    ("refused", 0, None, {"status": "RE_ANCHORABLE", "reanchor_to": "n"}),
    ("moved", 1, "x", HELD),
    # Of a label with a span evidence needs no text.
    ("moved", 1, None, HELD),
    ("gone", 1, "x", {"status": "ORPHANED"}),
    ("untold", 1, None, {"status": "ORPHANED"}),
    ("untold", 1, "", {"status": "ORPHANED"}),
    # The label of a document says nothing of its text: what is gone is the document.
    ("gone", 1, None, {"status": "ORPHANED", "chunk_id": None}),
    ("gone", 1, "", {"status": "ORPHANED", "chunk_id": None}),
]


@pytest.mark.parametrize("word, relevance, text, said", WORDS)
def test_the_word(word: str, relevance: int, text: str | None, said: dict[str, object]) -> None:
    label, finding = a("q1", relevance, text, **said)
    assert why_of(label, finding, text) == word


def test_every_word_is_said() -> None:
    """The kinds of evidence are words too; one of them stands above for all."""
    assert {*(word for word, *_ in WORDS), *KINDS} == set(get_args(Why))


def test_a_text_that_the_label_does_not_keep_may_be_known() -> None:
    label, finding = a("q1", text=None, status="ORPHANED")
    assert why_of(label, finding, "tides turn") == "gone"


def test_a_label_that_is_not_relevant_waits_whatever_its_chunk_says() -> None:
    assert rows(a("q1", 0, status="MERGED", reanchor_to="n"), a("q2", 1, status="MERGED", reanchor_to="n"), refused=(0, 1)) == [
        ("q1", "d", "merged", "in a larger chunk", "n"),
        ("q2", "d", "refused", "the chunk's text_sha is not that of its text", "n"),
    ]  # fmt: skip


def test_an_empty_text_is_none() -> None:
    assert rows(a("q1", text="", status="ORPHANED")) == [("q1", "d", "untold", "not found; the label keeps none", "")]
