"""A passage put into the middle of a labelled text: nothing of it is gone (spec/drift.md, 4.3). Counted by hand."""

from __future__ import annotations

import pytest

from irbridge.corpora import corpus_of
from irbridge.drift.classify import classify
from irbridge.drift.findings import Evidence, Overlap
from irbridge.model import Chunk, Judgment

pytestmark = pytest.mark.usefixtures("either_way")

# 59 and 54 characters, 49 and 45 without spaces; what is put between them 61, 50 without.
FIRST = "First sentence of the label, which stays here in its place."
SECOND = "Second sentence of it comes after the first one there."
PASSAGE = "A long new sentence that somebody put into the middle of all."
TEXT = f"{FIRST} {SECOND}"


def evidence(*chunks: str) -> Evidence | None:
    made = [Chunk(f"c{at}", "d", None, at, text) for at, text in enumerate(chunks)]
    found = classify([Judgment("q", "d", 1, chunk_id="old", chunk_text=TEXT)], corpus_of(made)).findings[0]
    assert found.status == "ORPHANED"
    return found.evidence


def test_in_one_chunk():
    found = evidence(f"{FIRST} {PASSAGE} {SECOND}")
    # All 94 characters stand in a stretch of 144.
    assert found == Evidence("edited", 1.0, (Overlap("c0", 114),), 94 / 144)


def test_a_chunk_of_nothing_but_the_passage_holds_nothing_of_the_text():
    found = evidence(f"Before it. {FIRST} {PASSAGE[:19]}", PASSAGE[20:40], f"{PASSAGE[41:]} {SECOND} After it.")
    assert found is not None
    # The white space between the sentences belongs to neither chunk.
    assert found.chunks == (Overlap("c0", 59), Overlap("c2", 54))


def test_a_stretch_of_more_than_twice_the_length_is_another_text():
    longer = f"{PASSAGE} {PASSAGE.upper()}"
    assert evidence(f"{FIRST} {longer[:109]} {SECOND}") is not None
    assert evidence(f"{FIRST} {longer} {SECOND}") is None


def test_what_is_gone_beside_it_counts():
    # Of 94 characters 12 are missing: no longer nearly all.
    assert evidence(f"{FIRST} {PASSAGE} {SECOND[16:]}") is None
    # 3 are.
    found = evidence(f"{FIRST} {PASSAGE} {SECOND.replace('one ', '')}")
    assert found is not None
    assert found.covered == 91 / 94


def test_the_halves_must_stand_in_their_order():
    assert evidence(f"{SECOND} {PASSAGE} {FIRST}") is None


def test_over_code_points_of_any_width():
    first, second = "事務所は平日の九時から五時まで開いています。", "会員は一週間道具を借りることができます。"
    label = Judgment("q", "d", 1, chunk_id="old", chunk_text=first + second)
    text = first + "新しい長い文がここに入りましたが何も消えていません。" + second
    found = classify([label], corpus_of([Chunk("c", "d", None, 0, text)])).findings[0].evidence
    # 22 and 20 characters in a stretch of 68.
    assert found == Evidence("edited", 1.0, (Overlap("c", 42),), 42 / 68)
