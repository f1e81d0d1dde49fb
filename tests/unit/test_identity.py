"""Identity of texts and chunks: the vectors of spec/chunk-id.md, the strip table, and the laws of the normal form."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.errors import InputError
from irbridge.identity import STRIPPED, chunk_id, is_text_sha, normalize, normalized, text_sha

SPEC = Path(__file__).parents[2] / "spec" / "chunk-id.md"


def spec_vectors():
    # The digests on the page were computed with node's crypto module and String.prototype.normalize, not with irbridge.
    block = re.search(r"```json\n(.*?)```", SPEC.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(block.group(1))


VECTORS = spec_vectors()


@pytest.mark.parametrize("case", VECTORS["normalize"], ids=lambda case: ascii(case["in"]))
def test_normalize_vectors(case):
    assert normalize(case["in"]) == case["out"]


@pytest.mark.parametrize("case", VECTORS["text_sha"], ids=lambda case: ascii(case["text"]))
def test_text_sha_vectors(case):
    assert text_sha(case["text"]) == case["out"]


@pytest.mark.parametrize("case", VECTORS["chunk_id"], ids=lambda case: case["out"])
def test_chunk_id_vectors(case):
    fields = {name: value for name, value in case.items() if name != "out"}
    assert chunk_id(**fields) == case["out"]


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: ascii(case["text"]))
def test_refused_vectors(case):
    for act in (normalize, text_sha, lambda text: chunk_id("d", "r", 0, text, "c")):
        with pytest.raises(InputError):
            act(case["text"])


def test_vectors_that_retrieval_eval_publishes():
    # retrieval-eval 0.1.0, spec/fixtures/chunk-id/expected.json: judgments of the two must name the same chunks.
    assert normalize("  hello \r\n world  ") == "hello \n world"
    assert normalize("caf\u00e9") == "caf\u00e9"
    assert normalize("\n\nx\n\n") == "x"
    assert text_sha("hello world") == "t1:b94d27b9934d3e08a52e52d7da7dabfa"
    assert chunk_id("s3://b/k", "v1", 0, "hello world", "recursive/512/64") == "c1:06095518ff131adc3d109bfcf1521efa"


def test_sha_of_the_empty_text_is_that_of_fips_180():
    # SHA-256 of nothing begins e3b0c442 98fc1c14 9afbf4c8 996fb924.
    assert text_sha(" \n") == "t1:e3b0c44298fc1c149afbf4c8996fb924"


def test_the_table_is_what_python_strips_for_every_code_point():
    python = {chr(code) for code in range(sys.maxunicode + 1) if not chr(code).strip()}
    assert set(STRIPPED) == python
    assert len(STRIPPED) == 29


def test_the_page_lists_the_same_table():
    section = SPEC.read_text(encoding="utf-8").split("### The table")[1].split("This is what")[0]
    listed = [chr(int(code, 16)) for code in re.findall(r"`U\+([0-9A-F]{4})`", section)]
    assert sorted(listed) == sorted(STRIPPED)


def test_how_the_table_differs_from_javascript():
    # ECMA-262, WhiteSpace and LineTerminator: TAB VT FF ZWNBSP LF CR LS PS and every code point of category Zs.
    zs = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Zs"}
    javascript = zs | set("\t\v\f\ufeff\n\r\u2028\u2029")
    assert javascript - set(STRIPPED) == {"\ufeff"}
    assert set(STRIPPED) - javascript == set("\x1c\x1d\x1e\x1f\x85")


def test_every_code_point_of_the_table_is_stripped_from_both_ends_and_kept_inside():
    for space in STRIPPED:
        assert normalize(f"{space}a{space}") == "a"
    # U+2000 and U+2001 have the canonical equivalents U+2002 and U+2003; CR becomes LF.
    inside = {"\r": "\n", "\u2000": "\u2002", "\u2001": "\u2003"}
    for space in STRIPPED:
        assert normalize(f"a{space}b") == f"a{inside.get(space, space)}b"


def test_only_the_text_is_normalised():
    plain = chunk_id("d", "r", 0, "x", "c")
    assert chunk_id("d", "r", 0, " x\r\n", "c") == plain
    assert len({plain, chunk_id(" d", "r", 0, "x", "c"), chunk_id("d", "r ", 0, "x", "c")}) == 3
    assert chunk_id("\u00e9", "r", 0, "x", "c") != chunk_id("e\u0301", "r", 0, "x", "c")


@pytest.mark.parametrize("ordinal", [-1, True, 1.0, "1", None])
def test_an_ordinal_that_is_no_position_is_refused(ordinal):
    with pytest.raises(InputError, match="ordinal must be an integer >= 0"):
        chunk_id("d", "r", ordinal, "x", "c")


def test_a_lone_surrogate_is_refused_with_the_field_and_the_place():
    with pytest.raises(InputError, match=r"text holds the lone surrogate U\+DEB2 at character 3") as caught:
        text_sha("ab\udeb2")
    assert caught.value.hint
    assert caught.value.text == "ab\udeb2"
    for name in ("doc_uri", "doc_revision", "chunker_fingerprint"):
        fields = {"doc_uri": "d", "doc_revision": "r", "ordinal": 0, "text": "x", "chunker_fingerprint": "c"}
        with pytest.raises(InputError, match=rf"^{name} holds the lone surrogate U\+D800 at character 1"):
            chunk_id(**{**fields, name: "\ud800"})


def test_a_lone_surrogate_deep_in_a_long_text_does_not_fill_the_screen():
    with pytest.raises(InputError) as caught:
        normalize("a" * 100_000 + "\ud800" + "b" * 100_000)
    assert len(caught.value.text) == 40


@given(st.lists(st.one_of(st.none(), st.text(alphabet="ab \r\n\x1c\x00é\u0301\u2003", max_size=8))))
def test_many_texts_are_normalised_as_each_is(texts):
    assert normalized(texts) == [None if text is None else normalize(text) for text in texts]


def test_what_a_digest_of_a_text_looks_like():
    assert is_text_sha(text_sha(""))
    assert not any(
        map(is_text_sha, ["", "t1:", "c1:" + "0" * 32, "t1:" + "0" * 31, "t1:" + "A" * 32, "t1:" + "0" * 33])
    )


@given(st.text())
def test_normalize_is_idempotent(text):
    assert normalize(normalize(text)) == normalize(text)


@given(st.text(), st.text(alphabet=STRIPPED), st.text(alphabet=STRIPPED))
def test_white_space_around_a_text_does_not_change_its_identity(text, before, after):
    assert text_sha(before + normalize(text) + after) == text_sha(text)


@given(st.text())
def test_canonically_equivalent_texts_share_an_identity(text):
    assert text_sha(unicodedata.normalize("NFD", text)) == text_sha(text)


@given(st.text(alphabet="ab\r\n"))
def test_line_endings_do_not_change_an_identity(text):
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert text_sha(lines) == text_sha(text) == text_sha(lines.replace("\n", "\r\n"))


@given(st.text(), st.text())
def test_different_normal_forms_get_different_names(left, right):
    assert (text_sha(left) == text_sha(right)) == (normalize(left) == normalize(right))
