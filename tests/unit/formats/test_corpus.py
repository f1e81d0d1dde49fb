"""Corpora of chunks, as one JSON object and as JSON Lines. What is right is worked out by hand from spec/formats.md, 2.3."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.errors import InputError, InputErrors
from irbridge.formats import FORMATS, identify
from irbridge.model import Chunk
from irbridge.reading import Reading
from irbridge.source import Source

ONE = {"chunk_id": "c1:1", "doc_uri": "d1", "ordinal": 0, "text": "Ein Satz.", "text_sha": "t1:9"}
TWO = {"chunk_id": "c1:2", "doc_uri": "d1", "doc_revision": "r", "ordinal": 1, "text": "Zwei.", "start": 10, "end": 15}
CHUNKS = [Chunk("c1:1", "d1", None, 0, "Ein Satz.", "t1:9"), Chunk("c1:2", "d1", "r", 1, "Zwei.", None, 10, 15)]
HEAD = {"corpus_fingerprint": "f", "chunker_fingerprint": "paragraph/1"}


def as_text(name: str, head: dict[str, Any], chunks: list[Any], **style: Any) -> str:
    if name == "corpus":
        return json.dumps({**head, "chunks": chunks}, **style)
    return "".join(json.dumps(row) + "\n" for row in ([head] if head else []) + chunks)


def read(path: Path, text: str, name: str | None = None) -> tuple[list[Chunk], Reading, str]:
    path.write_text(text, encoding="utf-8")
    reading = Reading()
    entry, source = identify(str(path), "chunks", reading, name=name)
    assert entry.read_chunks is not None
    return list(entry.read_chunks(source, reading)), reading, entry.name


@pytest.mark.parametrize("name", ["corpus", "corpus-jsonl"])
class TestReading:
    def test_chunks_and_fingerprints(self, tmp_path: Path, name: str) -> None:
        chunks, reading, found = read(tmp_path / "x.json", as_text(name, HEAD, [ONE, TWO]))
        assert (chunks, found) == (CHUNKS, name)
        assert reading.about == HEAD
        assert reading.rows == 2

    def test_members_unknown_are_kept(self, tmp_path: Path, name: str) -> None:
        chunks, reading, _ = read(tmp_path / "x", as_text(name, {**HEAD, "made": 1}, [{**ONE, "lang": ["de"]}, TWO]))
        assert chunks[0] == CHUNKS[0]._replace(extra={"lang": ["de"]})
        assert chunks[1] == CHUNKS[1]
        assert reading.about == {**HEAD, "made": 1}

    def test_null_says_what_nothing_says(self, tmp_path: Path, name: str) -> None:
        chunks, _, _ = read(
            tmp_path / "x", as_text(name, HEAD, [{**ONE, "doc_revision": None, "start": None, "end": None}])
        )
        assert chunks == CHUNKS[:1]

    def test_no_chunk_is_a_corpus_too(self, tmp_path: Path, name: str) -> None:
        chunks, reading, _ = read(tmp_path / "x", as_text(name, HEAD, []))
        assert (chunks, reading.about) == ([], HEAD)

    @pytest.mark.parametrize(
        "fault, message",
        [
            ({"chunk_id": ""}, "missing chunk_id"),
            ({"chunk_id": 7}, "chunk_id must be a non-empty string"),
            ({"chunk_id": "a\0b"}, "chunk_id holds a NUL character"),
            ({"doc_uri": None}, "missing doc_uri"),
            ({"ordinal": -1}, "ordinal must be an integer >= 0, not -1"),
            ({"ordinal": True}, "ordinal must be an integer >= 0, not true"),
            ({"ordinal": 1.0}, "ordinal must be an integer >= 0, not 1.0"),
            ({"text": 5}, "text must be a string, not 5"),
            ({"start": None}, "start and end must both be there"),
            ({"start": 3, "end": 2}, "start and end must both be there, start <= end"),
        ],
    )
    def test_what_is_no_chunk(self, tmp_path: Path, name: str, fault: dict[str, Any], message: str) -> None:
        with pytest.raises(InputErrors) as caught:
            read(tmp_path / "x", as_text(name, HEAD, [ONE, {**TWO, **fault}]))
        assert message in str(caught.value)
        where = "chunks[1]" if name == "corpus" else "x:3"
        assert where in str(caught.value)

    @pytest.mark.parametrize("missing", ["chunk_id", "doc_uri"])
    def test_no_chunk_has_an_id(self, tmp_path: Path, name: str, missing: str) -> None:
        rows = [{member: value for member, value in row.items() if member != missing} for row in (ONE, ONE)]
        with pytest.raises(InputErrors, match=f"missing {missing}"):
            read(tmp_path / "x", as_text(name, HEAD, rows), name=name)

    def test_a_member_given_twice(self, tmp_path: Path, name: str) -> None:
        text = as_text(name, HEAD, [ONE]).replace('"ordinal"', '"doc_uri": "d2", "ordinal"')
        with pytest.raises(InputError, match='the key "doc_uri" is given twice'):
            read(tmp_path / "x", text)

    def test_a_fingerprint_given_twice(self, tmp_path: Path, name: str) -> None:
        text = as_text(name, HEAD, [ONE]).replace("{", '{"corpus_fingerprint": "g", ', 1)
        with pytest.raises(InputError, match='the key "corpus_fingerprint" is given twice'):
            read(tmp_path / "x", text)

    def test_half_a_surrogate_pair(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(InputError, match="invalid JSON"):
            read(tmp_path / "x", as_text(name, HEAD, [{**ONE, "text": "\ud800"}]))

    def test_a_key_inside_a_text_is_no_key(self, tmp_path: Path, name: str) -> None:
        chunks, _, _ = read(tmp_path / "x", as_text(name, HEAD, [{**ONE, "text": 'he said "doc_uri": yes'}, TWO]))
        assert chunks[0].text == 'he said "doc_uri": yes'


@pytest.mark.parametrize("style", [{"indent": 2}, {"separators": (" , ", " : ")}, {"separators": (",", ":")}])
def test_white_space_between_members_is_free(tmp_path: Path, style: dict[str, Any]) -> None:
    chunks, _, _ = read(tmp_path / "x.json", as_text("corpus", HEAD, [ONE, TWO], **style))
    assert chunks == CHUNKS


def test_a_member_twice_in_white_space(tmp_path: Path) -> None:
    # With a blank before the colon the count of keys that stand at their colon is right again.
    text = '{"chunks": [{"chunk_id":"c1:1","doc_uri" :"d1","doc_uri":"d2"}]}'
    with pytest.raises(InputError, match="given twice"):
        read(tmp_path / "x.json", text)


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"chunks": {}}', "chunks must be an array"),
        ('{"corpus_fingerprint": "f"}', "has no chunks"),
        ('{"chunks": [', "invalid JSON"),
        ("[1]", "a corpus is one JSON object"),
        ('{"chunks": [1]}', "chunks[0]: invalid JSON, an object is needed, not a number"),
        ('{"corpus_fingerprint": 3, "chunks": []}', "corpus_fingerprint must be a string"),
        ('{"chunks": [], "chunks": []}', 'the key "chunks" is given twice'),
        ('{"chunks": [], "chunk\\u0073": []}', 'the key "chunks" is given twice'),
        ('{"chunks": [], "corpus\\u005Ffingerprint": "f", "corpus_fingerprint": "g"}', "is given twice"),
    ],
)
def test_what_is_no_corpus(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "x.json", text, name="corpus")
    assert message in str(caught.value)


def test_lines_without_a_header(tmp_path: Path) -> None:
    chunks, reading, name = read(tmp_path / "x.jsonl", as_text("corpus-jsonl", {}, [ONE, TWO]))
    assert (chunks, name, reading.about) == (CHUNKS, "corpus-jsonl", {})


def test_labels_are_no_corpus(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"query_id":"q","doc_uri":"d","chunk_id":"c1:1","relevance":1}\n', encoding="utf-8")
    assert identify(str(path), "judgments")[0].name == "judgments"
    # Nor are the documents of a BEIR folder.
    path.write_text('{"_id":"d","title":"","text":"about chunks: [1]"}\n', encoding="utf-8")
    for name in ("corpus", "corpus-jsonl"):
        sniff = FORMATS.get(name).sniff
        assert sniff is not None
        from irbridge.formats.base import Head

        assert sniff(Head.of(Source(path))) == 0


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ids = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
places = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair)))
a_chunk = st.builds(
    lambda chunk_id, uri, revision, ordinal, text, place, extra: Chunk(
        chunk_id, uri, revision, ordinal, text, None, *(place or (None, None)), extra
    ),
    ids, ids, st.none() | texts, st.none() | st.integers(0, 2**53), st.none() | texts, places,
    st.dictionaries(texts.filter(lambda name: name not in Chunk._fields), texts, max_size=2),
)  # fmt: skip


@pytest.mark.parametrize("name", ["corpus", "corpus-jsonl"])
@given(st.lists(a_chunk, max_size=4), st.none() | texts)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, name: str, chunks: list[Chunk], fingerprint: str | None
) -> None:
    entry = FORMATS.get(name)
    assert entry.write_chunks is not None
    stream = io.BytesIO()
    about = {"corpus_fingerprint": fingerprint, "chunker_fingerprint": "x"}
    assert entry.write_chunks(chunks, stream, about) == len(chunks)
    path = tmp_path_factory.mktemp("corpus") / "x"
    found, reading, sniffed = read(path, stream.getvalue().decode())
    assert (found, sniffed) == (chunks, name)
    assert reading.about == about
