"""A corpus in one JSON object read in pieces: what comes of it is what comes of reading it whole, errors included."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.compression import compressing
from irbridge.errors import IrbridgeError
from irbridge.formats import corpus, corpus_pieces
from irbridge.formats.chunk_blocks import chunk_of
from irbridge.formats.corpus_pieces import Ends
from irbridge.model import Chunk
from irbridge.piped import Pipe
from irbridge.reading import Reading
from irbridge.source import Source

HEAD = {"corpus_fingerprint": "f", "chunker_fingerprint": "paragraph/1"}
STYLES: dict[str, dict[str, Any]] = {
    "compact": {"separators": (",", ":")},
    "as json.dumps": {},
    "indented": {"indent": 2},
    "tabs": {"indent": "\t", "separators": (" ,", " : ")},
}


def chunks(count: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"chunk_id": f"c1:{number}", "doc_uri": f"d{number // 3}", "ordinal": number, "text": f"text {number}", **more}
        for number in range(count)
    ]


def a_line_each(head: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """As `irbridge chunk` writes it."""
    body = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    return json.dumps({**head, "chunks": []}, separators=(",", ":"))[:-2] + f"\n{body}\n]}}\n"


def outcome(what: Path | Source, *, scan: bool = False) -> Any:
    reading = Reading(label="corpus")
    found: list[Chunk] = []
    source = Source(what) if isinstance(what, Path) else what
    try:
        if scan:
            for rows in corpus.scan(source, reading):
                found += map(chunk_of, rows)
        else:
            found += corpus.read(source, reading)
    except IrbridgeError as error:
        return str(error), error.hint
    return found, reading.rows, reading.about


def both(path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch, size: int = 100) -> tuple[Any, Any]:
    """Whole, and in pieces: one after the other, or many at a time; and the same of the file compressed."""
    path.write_bytes(content)
    whole = outcome(path)
    with monkeypatch.context() as patched:
        patched.setattr(corpus, "PIECES_FROM", 0)
        patched.setattr(corpus_pieces, "_PIECE", size)
        patched.setattr(corpus_pieces, "_WIDE_PIECE", size)
        single, many = outcome(path), outcome(path, scan=True)
        path.write_bytes(gzip.compress(content, 1))
        assert (outcome(path), outcome(path, scan=True)) == (single, many)
    path.write_bytes(content)
    if isinstance(single[0], list) and isinstance(many[0], list):
        assert [each._replace(extra={}) for each in single[0]] == [each._replace(extra={}) for each in many[0]]
        assert single[1:] == many[1:]
    else:
        assert single == many
    return whole, single


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read whole."""

    def refused(*_: Any) -> None:
        raise AssertionError("read whole")

    monkeypatch.setattr(corpus, "PIECES_FROM", 0)
    monkeypatch.setattr(corpus_pieces, "_PIECE", 100)
    monkeypatch.setattr(corpus_pieces, "_WIDE_PIECE", 1000)
    monkeypatch.setattr(corpus, "whole", refused)


TEXTS = [
    *(json.dumps({**HEAD, "chunks": chunks(20)}, **style) for style in STYLES.values()),
    a_line_each(HEAD, chunks(20)),
    a_line_each(HEAD, chunks(20)).replace("\n", "\r\n"),
    # The members in the order of their names, or the chunks first.
    json.dumps({**HEAD, "chunks": chunks(20)}, sort_keys=True),
    json.dumps({"chunks": chunks(20), **HEAD}),
    json.dumps({"chunks": chunks(20)}),
    json.dumps({"made": 1, "by": None, **HEAD, "chunks": chunks(20), "really": True}),
    json.dumps({**HEAD, "chunks": chunks(1)}),
    # Members of chunks that irbridge does not know, other members from chunk to chunk, and texts like what stands around them.
    json.dumps({**HEAD, "chunks": chunks(20, tags=[{"a": 1}, {"a": 2}])}),
    json.dumps({**HEAD, "chunks": [*chunks(10), *chunks(10, lang="de"), *chunks(3)]}),
    json.dumps({**HEAD, "chunks": chunks(20, text_sha='t"},{"chunk_id":"\\')}),
    json.dumps({**HEAD, "chunks": [{**each, "text": '}, {"chunk_id": "x"}]}' * 9} for each in chunks(9)]}),
    json.dumps({**HEAD, "chunks": chunks(20, doc_revision="é\U0001f600\\u0000")}, ensure_ascii=False),
]


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("text", TEXTS)
def test_what_programs_write_is_read_in_pieces(tmp_path: Path, text: str, scan: bool) -> None:
    (tmp_path / "c.json").write_bytes(text.encode())
    found, rows, about = outcome(tmp_path / "c.json", scan=scan)
    value = json.loads(text)
    wanted = value.pop("chunks")
    assert [each.chunk_id for each in found] == [each["chunk_id"] for each in wanted]
    assert [each.text for each in found] == [each["text"] for each in wanted]
    assert rows == len(wanted)
    assert about == dict.fromkeys(HEAD) | value


def piped(content: bytes, path: Path) -> Pipe:
    """What comes out of a pipe, which holds so much at once; messages call it by `path`."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    found = Pipe(f"/dev/fd/{reader}")
    found.head()  # opens it
    os.close(reader)
    found.label = str(path)
    return found


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst", ".lz4", "pipe", "pipe.gz"])
@pytest.mark.parametrize("text", TEXTS)
def test_so_is_what_is_compressed_or_comes_out_of_a_pipe(tmp_path: Path, text: str, suffix: str, scan: bool) -> None:
    with (tmp_path / "c").open("wb") as raw, compressing(raw, suffix) as stream:
        stream.write(text.encode())
    what = piped((tmp_path / "c").read_bytes(), tmp_path) if suffix.startswith("pipe") else tmp_path / "c"
    found, rows, about = outcome(what, scan=scan)
    value = json.loads(text)
    wanted = value.pop("chunks")
    assert [(each.chunk_id, each.text) for each in found] == [(each["chunk_id"], each["text"]) for each in wanted]
    assert rows == len(wanted)
    assert about == dict.fromkeys(HEAD) | value


@pytest.mark.usefixtures("in_pieces")
@pytest.mark.parametrize("text", TEXTS)
def test_what_stands_behind_the_chunks_is_known_before_them(tmp_path: Path, text: str) -> None:
    """Of a compressed file too: who writes it anew writes that first."""
    (tmp_path / "c").write_bytes(gzip.compress(text.encode()))
    reading = Reading()
    next(corpus.read(Source(tmp_path / "c"), reading))
    value = json.loads(text)
    del value["chunks"]
    assert reading.about == dict.fromkeys(HEAD) | value


@pytest.mark.usefixtures("in_pieces")
def test_a_compressed_file_is_read_once_where_its_beginning_says_all_that_is_asked(tmp_path: Path) -> None:
    content = a_line_each(HEAD, chunks(50)).encode()
    (tmp_path / "c").write_bytes(gzip.compress(content))
    sizes: list[int] = []
    source = Source(tmp_path / "c")
    source.watch = sizes.append
    for _ in corpus.scan(source, Reading()):
        pass
    assert sum(sizes) == len(content)


def test_a_small_one_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = a_line_each(HEAD, chunks(50)).encode()
    (tmp_path / "c").write_bytes(content)
    monkeypatch.setattr(corpus, "Pieces", None)
    monkeypatch.setattr(corpus, "PIECES_FROM", len(content) + 1)
    assert len(outcome(tmp_path / "c")[0]) == len(outcome(piped(content, tmp_path))[0]) == 50
    (tmp_path / "c").write_bytes(gzip.compress(content))
    monkeypatch.setattr(corpus, "PIECES_FROM", 8 * (tmp_path / "c").stat().st_size + 8)
    assert len(outcome(tmp_path / "c")[0]) == 50


@pytest.mark.usefixtures("in_pieces")
def test_members_that_are_not_known_are_kept(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps({**HEAD, "chunks": chunks(9, lang="de")}), encoding="utf-8")
    assert [each.extra for each in outcome(tmp_path / "c.json")[0]] == [{"lang": "de"}] * 9


@pytest.mark.usefixtures("in_pieces")
def test_a_sieve_gets_what_it_asks_for(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(a_line_each(HEAD, chunks(50)), encoding="utf-8")
    found = corpus.scan(
        Source(tmp_path / "c.json"), Reading(), lambda block: [at for at in [block.find(b"text 37")] if at >= 0]
    )
    assert [row.chunk_id for rows in found for row in rows] == ["c1:37"]


def test_what_the_file_says_of_itself_is_known_before_its_first_chunk(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps({"chunks": chunks(9), **HEAD}), encoding="utf-8")
    found = Ends.of(Source(tmp_path / "c.json"))
    assert found is not None
    assert found.about == HEAD


# Each is one edit away from a corpus that is read in pieces: (what is there, what it becomes, how often).
FAULTS = [
    ('},\n{"chunk_id":"c1:9"', '}\n{"chunk_id":"c1:9"'),  # no comma
    ('},\n{"chunk_id":"c1:9"', '},,\n{"chunk_id":"c1:9"'),
    ('},\n{"chunk_id":"c1:9"', '},\x0b{"chunk_id":"c1:9"'),  # white space, but not JSON's
    ('"chunks":[\n', '"chunks":[\x0c\n'),
    ("\n]}", ",\n]}"),
    ("\n]}", "\n]"),
    ("\n]}", "\n]}x"),
    ("\n]}", "\n]}{}"),
    ("\n]}", '\n],"corpus_fingerprint":"g"}'),  # given twice
    ("\n]}", '\n],"chunks":[]}'),
    ("\n]}", '\n],"chunk\\u0073":[]}'),
    ("\n]}", '\n],"chunker_fingerprint":7}'),
    ("\n]}", '\n],"other":[{"chunk_id":"c1:77","doc_uri":"d"}]}'),  # no fault: more comes after the array
    ("\n]}", '\n],"other":[\n{"chunk_id":"c1:77","doc_uri":"d"},\n{"chunk_id":"c1:78","doc_uri":"d"}\n]}'),
    ("\n]}", '\n],"made":{"by":[1]}}'),
    ('"corpus_fingerprint":"f"', '"corpus_fingerprint":"f","corpus_fingerprint":"f"'),
    ('"corpus_fingerprint":"f"', '"corpus_fingerprint":3'),
    ('"corpus_fingerprint":"f"', '"corpus_fingerprint":"a\nb"'),
    ('"ordinal":9', '"ordinal":9,"ordinal":9'),
    ('"ordinal":9', '"ordinal":-9'),
    ('"ordinal":9', '"ordinal":"9"'),
    ('"ordinal":9', '"ordinal":09'),
    ('"ordinal":9', '"ordinal":9,"start":3,"end":2'),
    ('"ordinal":9', '"ordinal":9,"start":2,"end":3'),
    ('"ordinal":9', '"ordinal":NaN'),
    ("text 9", "text\n9"),  # a line end inside of a text
    ("text 9", "text },\n{9"),
    ("text 9", "text\x009"),
    ("text 9", "text \\u00009"),
    ("text 9", "text \\ud8009"),
    ('"chunk_id":"c1:9"', '"chunk_id":""'),
    ('"chunk_id":"c1:9"', '"chunk_id":"a\\u0000b"'),
    ('"chunk_id":"c1:9",', ""),
    ('{"chunk_id":"c1:9"', '7,\n{"chunk_id":"c1:9"'),
    ('{"chunk_id":"c1:9"', '[],\n{"chunk_id":"c1:9"'),
    ("\n", "\r"),
    ("\n", "\r\n"),
]


@pytest.mark.parametrize("text, edit", FAULTS)
@pytest.mark.parametrize("size", [40, 100, 300, 5000])
def test_a_fault_is_said_as_of_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, edit: str, size: int
) -> None:
    content = a_line_each(HEAD, chunks(30))
    assert text in content
    whole, pieces = both(tmp_path / "c.json", content.replace(text, edit).encode(), monkeypatch, size)
    assert pieces == whole


@pytest.mark.parametrize("text, edit", FAULTS)
@pytest.mark.parametrize("scan", [False, True])
def test_a_fault_in_a_pipe_is_said_as_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, edit: str, scan: bool
) -> None:
    content = a_line_each(HEAD, chunks(30)).replace(text, edit).encode()
    (tmp_path / "c.json").write_bytes(content)
    whole = outcome(tmp_path / "c.json", scan=scan)
    monkeypatch.setattr(corpus, "PIECES_FROM", 0)
    monkeypatch.setattr(corpus_pieces, "_PIECE", 100)
    monkeypatch.setattr(corpus_pieces, "_WIDE_PIECE", 100)
    assert outcome(piped(content, tmp_path / "c.json"), scan=scan) == whole


def test_bytes_that_are_no_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = a_line_each(HEAD, chunks(30)).encode().replace(b"text 9", b"text \xff")
    whole, pieces = both(tmp_path / "c.json", content, monkeypatch)
    assert pieces == whole
    assert "is not UTF-8 text" in pieces[0]


def test_a_byte_order_mark_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, pieces = both(tmp_path / "c.json", b"\xef\xbb\xbf" + a_line_each(HEAD, chunks(30)).encode(), monkeypatch)
    assert pieces == whole
    assert len(pieces[0]) == 30


def test_a_chunk_longer_than_what_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_pieces, "_LONGEST", 2000)
    rows = chunks(9)
    rows[5]["text"] = "long " * 1000
    whole, pieces = both(tmp_path / "c.json", a_line_each(HEAD, rows).encode(), monkeypatch)
    assert pieces == whole
    assert len(pieces[0]) == 9


def test_what_looks_like_chunks_inside_of_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"chunks": chunks(9, near=[{"chunk_id": 1}, {"chunk_id": 2}])})
    whole, pieces = both(tmp_path / "c.json", text.encode(), monkeypatch)
    assert pieces == whole
    assert [each.extra for each in pieces[0]] == [{"near": [{"chunk_id": 1}, {"chunk_id": 2}]}] * 9


bases = st.sampled_from([text.encode() for text in TEXTS])
bits = st.sampled_from(
    [b"", b'"', b",", b"{", b"}", b"[", b"]", b":", b"\\", b"\n", b"\r", b" ", b"0", b"x", b"\xff", b"\0"]
)
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), bits), min_size=1, max_size=3)


@given(bases, edits, st.integers(30, 400))
def test_any_edit_is_seen_alike(
    tmp_path_factory: pytest.TempPathFactory, base: bytes, edits: list[tuple[float, int, bytes]], size: int
) -> None:
    for place, gone, bit in edits:
        at = int(place * len(base))
        base = base[:at] + bit + base[at + gone :]
    with pytest.MonkeyPatch.context() as monkeypatch:
        whole, pieces = both(tmp_path_factory.mktemp("c") / "c.json", base, monkeypatch, size)
    assert pieces == whole


# Objects inside of chunks that look like chunks, texts that look like what stands between them, members in any order.
MARK = "is wanted"
names = st.sampled_from(["chunk_id", "doc_uri", "text", "a"])
leaves = st.sampled_from(["x", MARK, '"},{"chunk_id":"', "}, {", "[", "\\", "\n", "\u00e9\U0001f600", 1, None, True])
nested = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
)
likely = st.lists(
    st.fixed_dictionaries(
        {"chunk_id": st.just("inside"), "doc_uri": st.just("d"), "text": st.sampled_from(["x", MARK])}
    ),
    min_size=1,
    max_size=40,
)


@st.composite
def corpora(draw: st.DrawFn) -> str:
    """Chunks of which each knows its number, written in one of the styles, some of them by another."""
    rows: list[str] = []
    style = STYLES[draw(st.sampled_from(sorted(STYLES)))]
    for number in range(draw(st.integers(1, 25))):
        row: dict[str, Any] = {"chunk_id": f"c1:{number}", "doc_uri": "d", "ordinal": number}
        row["text"] = draw(st.sampled_from(["short", MARK, '}, {"chunk_id": "x"', '\\"{[', "long " * 30]))
        if draw(st.booleans()):
            row["more"] = draw(likely if draw(st.booleans()) else nested)
        keys = draw(st.permutations(sorted(row))) if draw(st.integers(0, 3)) == 0 else list(row)
        own = style if draw(st.integers(0, 9)) else {}
        rows.append(json.dumps({key: row[key] for key in keys}, ensure_ascii=draw(st.booleans()), **own))
    between = draw(st.sampled_from([",", ",\n", " ,\r\n\t", ", "]))
    return f'{{"corpus_fingerprint":"f","chunks":[{between.join(rows)}]}}'


@given(corpora(), st.integers(30, 1500))
def test_any_chunks_are_the_same_in_pieces_and_through_a_sieve(
    tmp_path_factory: pytest.TempPathFactory, text: str, size: int
) -> None:
    path = tmp_path_factory.mktemp("c") / "c.json"
    wanted = json.loads(text)["chunks"]
    with pytest.MonkeyPatch.context() as monkeypatch:
        whole, pieces = both(path, text.encode(), monkeypatch, size)
        assert pieces == whole
        assert [each.ordinal for each in whole[0]] == list(range(len(wanted)))
        monkeypatch.setattr(corpus, "PIECES_FROM", 0)
        monkeypatch.setattr(corpus_pieces, "_WIDE_PIECE", size)
        every = [row for rows in corpus.scan(Source(path), Reading(), lambda block: range(len(block))) for row in rows]
        some = [row for rows in corpus.scan(Source(path), Reading(), marked) for row in rows]
    plain = [each._replace(extra={}) for each in whole[0]]
    assert [chunk_of(row)._replace(extra={}) for row in every] == plain
    # More may come than was asked for, but no chunk twice, and nothing that is none.
    assert [row.ordinal for row in some] == sorted({row.ordinal for row in some})
    assert all(chunk_of(row)._replace(extra={}) == plain[row.ordinal or 0] for row in some)
    assert {each["ordinal"] for each in wanted if each["text"] == MARK} <= {row.ordinal for row in some}


def marked(block: bytes) -> list[int]:
    return [found.start() for found in re.finditer(MARK.encode(), block)]


def test_a_piece_that_ends_inside_of_a_chunk_makes_a_sieve_skip_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands between objects inside of the first chunks separates no chunks, and the wanted one must not be passed by."""
    rows = chunks(40)
    for row in rows[:10]:
        row["parts"] = [{"chunk_id": f"p{number}", "n": number} for number in range(5)]
    rows[20]["parts"] = [{"chunk_id": f"p{number}", "n": number} for number in range(500)]
    rows[25]["text"] = MARK
    (tmp_path / "c.json").write_text(a_line_each(HEAD, rows), encoding="utf-8")
    monkeypatch.setattr(corpus, "PIECES_FROM", 0)
    monkeypatch.setattr(corpus_pieces, "_WIDE_PIECE", 2000)
    found = [row.chunk_id for piece in corpus.scan(Source(tmp_path / "c.json"), Reading(), marked) for row in piece]
    assert "c1:25" in found
    assert len(found) == len(set(found))


def test_a_chunk_inside_of_a_chunk_is_none_to_a_sieve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = [{"chunk_id": text, "doc_uri": "elsewhere", "text": text} for text in ("x", MARK, "z")]
    rows = [*chunks(3), {"chunk_id": "c1:3", "doc_uri": "d", "near": inside, "text": "own"}, *chunks(1)]
    (tmp_path / "c.json").write_text(json.dumps({"chunks": rows}), encoding="utf-8")
    monkeypatch.setattr(corpus, "PIECES_FROM", 0)
    found = [row for piece in corpus.scan(Source(tmp_path / "c.json"), Reading(), marked) for row in piece]
    assert "elsewhere" not in {row.doc_uri for row in found}
