from __future__ import annotations

import hashlib

import pytest

from irbridge.chunking import chunker
from irbridge.chunking.cutting import chunks
from irbridge.errors import InputError


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def test_a_chunk_has_its_identity_and_its_place() -> None:
    """The digests are those of spec/chunk-id.md, sections 3 and 4, made here from their definition."""
    text = "ab cd\r\n\r\nef "
    first, second = chunks("d1", text, chunker("recursive/5"), "r7")
    assert first == (
        "c1:" + digest("d1\x1fr7\x1f0\x1fab cd\x1frecursive/5/0"), "d1", "r7", 0, "ab cd", "t1:" + digest("ab cd"), 0, 5, {},
    )  # fmt: skip
    assert second == (
        "c1:" + digest("d1\x1fr7\x1f1\x1fef\x1frecursive/5/0"), "d1", "r7", 1, "ef", "t1:" + digest("ef"), 9, 11, {},
    )  # fmt: skip


def test_a_document_without_a_revision_is_named_by_its_text() -> None:
    (only,) = chunks("d", " a\r\nb ", chunker("whole"))
    assert only.doc_revision == "t1:" + digest("a\nb")
    assert (only.text, only.start, only.end) == ("a\r\nb", 1, 5)


def test_equal_chunks_of_a_document_differ_by_their_ordinal() -> None:
    made = list(chunks("d", "same\n\nsame\n\nsame", chunker("recursive/4")))
    assert [chunk.ordinal for chunk in made] == [0, 1, 2]
    assert len({chunk.text_sha for chunk in made}) == 1
    assert len({chunk.chunk_id for chunk in made}) == 3


def test_half_a_character_is_refused_with_the_document() -> None:
    with pytest.raises(InputError, match=r"document d\\x1b1: .*lone surrogate U\+D800"):
        list(chunks("d\x1b1", "a \ud800 b", chunker("whole")))
