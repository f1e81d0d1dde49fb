"""Blocks of chunks decoded at once: whatever the fast way takes, the careful way takes for the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irbridge.formats.chunk_blocks import Blocks, chunk_of, sifted
from irbridge.formats.chunk_rows import Refused, chunk_decoder
from irbridge.model import Chunk

ROW = {"chunk_id": "c1:1", "doc_uri": "d", "doc_revision": "r", "ordinal": 3, "text": 'a "b" \\ \n é', "text_sha": "t"}
LINE = json.dumps(ROW)


def careful(block: str) -> list[Chunk] | None:
    try:
        return [chunk_decoder()(line) for line in block.removesuffix("\n").split("\n")]
    except Refused:
        return None


def fast(block: str) -> list[Chunk] | None:
    found = Blocks()(block.encode(), block.count("\n"))
    return None if found is None else [chunk_of(row) for row in found]


@pytest.mark.parametrize(
    "style", [{}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"separators": (" , ", " : ")}]
)
def test_what_one_program_wrote_is_taken(style):
    rows = [{**ROW, "ordinal": at, "text": "\\" * at + '"x' * at} for at in range(50)]
    block = "".join(json.dumps(row, **style) + "\n" for row in rows)
    assert fast(block) == careful(block)
    assert fast(block) is not None


@pytest.mark.parametrize(
    "line",
    [
        LINE[:-1] + ', "text": "again"}',
        LINE[:-1] + ', "text" : "again"}',
        LINE[:-1] + ', "other": 1}',
        LINE.replace("c1:1", ""),
        LINE.replace("c1:1", "a\\u0000"),
        LINE.replace("c1:1", "\\ud800"),
        LINE.replace("3", "-3"),
        LINE.replace("3", "3.0"),
        LINE.replace("3", "9007199254740993"),
        LINE + LINE,
        LINE + " x",
        LINE.replace(", ", ",\n", 1),
        "// comment",
        "",
        LINE.replace('"r"', "null"),
        json.dumps({**ROW, "start": 5, "end": 4}),
        json.dumps({**ROW, "start": 5}),
    ],
)
def test_what_is_irregular_is_left_to_the_careful_way(line):
    assert fast(f"{LINE}\n{line}\n{LINE}\n") is None


def test_a_key_twice_is_not_hidden_by_a_backslash_before_a_quotation_mark():
    # Two strings end in a backslash, written as two: they must not count as escaped quotation marks.
    line = '{"chunk_id":"a\\\\","doc_uri":"d\\\\","text":"x"}'
    twice = '{"chunk_id":"a","doc_uri":"d","text":"x","text":"y"}'
    assert fast(f"{line}\n{line}\n") is not None
    assert fast(f"{line}\n{twice}\n") is None


EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from(['"', "\\", "{", "}", ",", ":", " ", "\n", "\\u0000", '"text":"z",', ""])),
    max_size=4,
)  # fmt: skip


@given(EDITS, st.booleans())
@example([(1, '"text":"z",')], True)
def test_nothing_is_taken_that_the_careful_way_refuses(edits, replaces):
    block = f"{LINE}\n{LINE}\n{LINE}\n"
    for at, what in edits:
        block = block[:at] + what + block[at + (1 if replaces else 0) :]
    found = fast(block if block.endswith("\n") else block + "\n")
    if found is not None:
        assert found == careful(block)


def test_sifted_gives_each_line_once():
    block = b"abc\ndef\nghi"
    assert sifted(block, [0, 2, 9]) == b"abc\nghi"
    assert sifted(block, [3]) == b"abc\n"
    assert sifted(block, []) == b""


@pytest.mark.parametrize("name", ["chunk_id", "doc_uri"])
@pytest.mark.parametrize("is_null", [True, False])
def test_a_block_none_of_whose_chunks_has_an_id_is_not_taken(name, is_null):
    row = {**ROW, name: None} if is_null else {member: value for member, value in ROW.items() if member != name}
    block = 3 * (json.dumps(row) + "\n")
    assert (fast(block), careful(block)) == (None, None)
