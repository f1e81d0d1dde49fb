"""Laws of every chunker, and irbridge's own held against a second, plain writing of spec/chunkers.md."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import plain_chunkers
from support.plain_chunkers import BLANK

from irbridge.chunking import chunker
from irbridge.chunking.cutting import chunks
from irbridge.identity import chunk_id, normalize, text_sha

PIECES = (
    "a", "B", "word ", "Word", "longer-word ", "e.g. ", "Dr. ", "No. 7 ", "al. (", "1. ", "I. ", ". ", "! ", "?) ", '." ', "。", "。」",
    "... ", " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\r\n\r\n", "\n \n", "\u2028", "\u2029", "\x85", "\f", "\x1c", "\u3000", "\ufeff",
    "\u0301", "e\u0301", "\u200d", "👩\u200d👧", "🏽", "\x00", "x" * 40, "é", "д", "# H\n", "## I\n", "####### no\n", "===\n", "---\n",
    "```\n", "````py\n", "~~~\n", "> q\n", "- item\n", "    code\n", "| a | b |\n", "2) two\n",
)  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.text(max_size=80))
TEXTS = TEXTS.filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text))
SIZES = st.integers(1, 60).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))
SPECS = st.one_of(
    st.just("whole/1"),
    st.tuples(st.sampled_from(["fixed", "recursive", "markdown"]), SIZES).map(lambda p: f"{p[0]}/{p[1][0]}/{p[1][1]}"),
    st.integers(1, 5).flatmap(lambda n: st.integers(0, n - 1).map(lambda o: f"sentence/{n}/{o}")),
)


@given(TEXTS, SPECS)
def test_every_character_is_in_a_chunk_and_chunks_are_in_order(text: str, spec: str) -> None:
    spans = chunker(spec).spans(text)
    covered = {place for start, end in spans for place in range(start, end)}
    assert [text[place] for place in range(len(text)) if place not in covered and text[place] not in BLANK] == []
    assert spans == sorted(spans)
    assert [end for _, end in spans] == sorted({end for _, end in spans})
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        assert text[start] not in BLANK
        assert text[end - 1] not in BLANK


@given(TEXTS, SPECS)
def test_a_second_time_the_same(text: str, spec: str) -> None:
    first, again = chunker(spec), chunker(chunker(spec).fingerprint)
    assert first == again
    assert first.spans(text) == again.spans(text)


@given(TEXTS, SIZES, st.sampled_from(["fixed", "recursive", "markdown"]))
def test_sizes_and_overlaps_are_as_set(text: str, sizes: tuple[int, int], name: str) -> None:
    size, overlap = sizes
    spans = chunker(f"{name}/{size}/{overlap}").spans(text)
    assert all(end - start <= size for start, end in spans)
    assert all(end - start <= overlap for (_, end), (start, _) in pairwise(spans))


@given(TEXTS, st.sampled_from(["recursive", "markdown"]), st.integers(1, 60))
def test_without_overlap_the_chunks_are_the_text_but_for_white_space(text: str, name: str, size: int) -> None:
    spans = chunker(f"{name}/{size}").spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@given(TEXTS, SIZES)
@example("x" * 40 + "\u0301" * 40 + " yy", (7, 3))
@example("aa bb  cc dd", (7, 0))
@example("\u0301 \u0301a", (1, 0))
def test_recursive_is_the_specification(text: str, sizes: tuple[int, int]) -> None:
    assert chunker(f"recursive/{sizes[0]}/{sizes[1]}").spans(text) == plain_chunkers.recursive(text, *sizes)


@given(TEXTS, SIZES)
def test_fixed_is_the_specification(text: str, sizes: tuple[int, int]) -> None:
    assert chunker(f"fixed/{sizes[0]}/{sizes[1]}").spans(text) == plain_chunkers.fixed(text, *sizes)


@given(TEXTS, st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_sentence_is_the_specification(text: str, counts: tuple[int, int]) -> None:
    assert chunker(f"sentence/{counts[0]}/{counts[1]}").spans(text) == plain_chunkers.sentence(text, *counts)


@given(TEXTS, SIZES)
def test_markdown_without_marks_is_recursive(text: str, sizes: tuple[int, int]) -> None:
    """Of plain lines, markdown's blocks are the paragraphs and its lines the lines, if only LF breaks a line."""
    plain = "".join(c for c in text if c not in "#=-`~>|\t\r\v\f\x85\u2028\u2029" and not c.isdigit())
    plain = "\n".join(line.strip() for line in plain.split("\n"))
    size, overlap = sizes
    assert chunker(f"markdown/{size}/{overlap}").spans(plain) == chunker(f"recursive/{size}/{overlap}").spans(plain)


@given(TEXTS, SPECS)
def test_a_chunk_is_what_the_document_holds_there(text: str, spec: str) -> None:
    made = list(chunks("doc", text, chunker(spec)))
    assert [chunk.ordinal for chunk in made] == list(range(len(made)))
    assert len({chunk.chunk_id for chunk in made}) == len(made)
    for chunk in made:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.text_sha == text_sha(chunk.text)
        assert chunk.doc_revision == text_sha(text)
        assert chunk.chunk_id == chunk_id(
            "doc", chunk.doc_revision, chunk.ordinal, chunk.text, chunker(spec).fingerprint
        )


@given(TEXTS, SPECS)
def test_normalising_takes_no_white_space_off_a_chunk(text: str, spec: str) -> None:
    for start, end in chunker(spec).spans(text):
        assert normalize(text[start:end]) == normalize("|" + text[start:end] + "|")[1:-1]


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\r\n \t\r\n", "\u2029\u3000\x85"])
@pytest.mark.parametrize("spec", ["whole", "fixed/3/1", "recursive/3/1", "sentence/2/1", "markdown/3/1"])
def test_a_blank_document_has_no_chunk(blank: str, spec: str) -> None:
    assert chunker(spec).spans(blank) == []
    assert list(chunks("doc", blank, chunker(spec))) == []
