"""Chunks told apart without being decoded: whatever is taken so, the careful way takes for the same."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irbridge.formats.chunk_columns import Columns
from irbridge.formats.chunk_rows import MEMBERS, Refused, chunk_decoder
from irbridge.knowntexts import Known

ROW = {"chunk_id": "c1:1", "doc_uri": "d", "doc_revision": "r", "ordinal": 3, "text": 'a "b" \\ \n é', "text_sha": "t"}
LINE = json.dumps(ROW)
PLACED = json.dumps({**ROW, "start": 5, "end": 14})


def careful(block: str) -> list[tuple] | None:
    try:
        return [chunk_decoder()(line)[:-1] for line in block.removesuffix("\n").split("\n")]
    except Refused:
        return None


def fast(block: str) -> list[tuple] | None:
    found = Columns()(block.encode("utf-8", "surrogatepass"))
    return None if found is None else [tuple(getattr(row, name) for name in MEMBERS) for row in found]


@pytest.mark.parametrize(
    "style", [{}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"separators": (" , ", " : ")}]
)
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"start": 0, "end": 10**15},
        {"page": "12", "n": 7},
        {"text_sha": None},
        {"ordinal": 2**53},
        {"ordinal": 123456789012},
    ],
)
def test_what_one_program_wrote_is_taken(style, more):
    rows = [{**ROW, "ordinal": at * 7, "text": "\\" * at + '"x' * at, **more} for at in range(50)]
    block = "".join(json.dumps(row, **style) + "\n" for row in rows)
    assert fast(block) == careful(block)
    assert fast(block) is not None


@pytest.mark.parametrize(
    "line",
    [
        LINE[:-1] + ', "text": "again"}',
        LINE[:-1] + ', "text" : "again"}',
        LINE.replace("c1:1", ""),
        LINE.replace('"d"', '""'),
        LINE.replace("c1:1", "a\\u0000"),
        LINE.replace("c1:1", "\\u0061"),
        LINE.replace("c1:1", "\ud800"),
        LINE.replace("\\n", "\\ud800"),
        LINE.replace("\\n", "\\q"),
        LINE.replace("\\n", "\\u00g0"),
        LINE.replace("\\n", "\\u12"),
        LINE.replace("\\n", "\n"),
        LINE.replace("\\n", "\t"),
        LINE.replace("\\n", "\x00"),
        LINE.replace("\\n", '"'),
        LINE.replace("3", "-3"),
        LINE.replace("3", "03"),
        LINE.replace("3", ""),
        LINE.replace("3", "3.0"),
        LINE.replace("3", "3e1"),
        LINE.replace("3", '"3"'),
        LINE.replace("3", "true"),
        LINE.replace("3", "9007199254740993"),
        LINE.replace("3", "12345678901234567"),
        LINE.replace("ordinal", "ordinaL"),
        LINE + LINE,
        LINE + " x",
        "x" + LINE,
        LINE[:-1],
        LINE[1:],
        LINE.replace('"', "'"),
        "// comment",
        "",
        "{}",
        "[]",
        LINE.replace('"r"', "null"),
        PLACED.replace("14", "4"),
        json.dumps({**ROW, "start": 5}),
        json.dumps({name: value for name, value in ROW.items() if name != "doc_uri"}),
        json.dumps(dict(reversed(ROW.items()))),
    ],
)
@pytest.mark.parametrize("others", [LINE, PLACED])
def test_a_line_that_is_different_is_left_to_others_wherever_it_stands(line, others):
    for lines in ([others, line], [line, others], [others, line, others], [line, line]):
        block = "".join(each + "\n" for each in lines)
        assert fast(block) in (None, careful(block)), block


def test_no_line_end_at_the_end_is_left_to_others():
    assert fast(LINE) is None
    assert fast(f"{LINE}\n{LINE}") is None
    assert fast(f"{LINE}\n ") is None


@pytest.mark.parametrize("ahead", ["x", "{", " ", "x" * 40])
def test_what_stands_before_the_first_line_of_a_later_block_is_left_to_others(ahead):
    columns = Columns()
    assert columns(f"{LINE}\n".encode()) is not None
    assert columns(f"{ahead}{LINE}\n{LINE}\n".encode()) is None
    assert columns(f"{LINE}\n{ahead}{LINE}\n".encode()) is None


@given(st.integers(0, 2 * len(LINE) + 1), st.sampled_from('"\\{}:, \n\t0na\x00\x1f\x7fé'), st.booleans(), st.booleans())
@example(at=1, char=" ", instead=False, placed=False)
def test_one_character_changed_is_never_taken_for_something_else(at, char, instead, placed):
    line = PLACED if placed else LINE
    block = f"{line}\n{line}\n"
    block = block[:at] + char + block[at + instead :]
    if block.endswith("\n"):
        found = fast(block)
        assert found is None or found == careful(block)


@pytest.mark.parametrize("end", ['"ordinal"', '"ordinal":', '"ordinal": ', '"ordinal": }', '"ordinal": 3'])
def test_a_last_line_that_is_cut_is_left_to_others(end):
    start = '{"chunk_id": "c", "doc_uri": "d", '
    assert fast(f'{start}"ordinal": 3}}\n') is not None
    assert fast(f'{start}"ordinal": 3}}\n{start}{end}\n') is None


def test_a_number_in_the_first_bytes_is_read():
    block = '{"n":7,"chunk_id":"c","doc_uri":"d"}\n{"n":12,"chunk_id":"c","doc_uri":"d"}\n'
    found = Columns()(block.encode())
    assert found is not None
    assert found.columns.integers("n").tolist() == [7, 12]
    assert fast(block.replace(":12", ":1x")) is None
    columns = Columns()
    assert columns(block.encode()) is not None
    assert columns(block.replace(":7", ":x").encode()) is None


def test_slices_and_single_chunks_are_decoded_alone():
    block = "".join(json.dumps({**ROW, "ordinal": at}) + "\n" for at in range(9))
    found = Columns()(block.encode())
    assert found is not None
    assert [row.ordinal for row in found[2:5]] == [2, 3, 4]
    assert [row.ordinal for row in found[5:2]] == []
    assert [row.ordinal for row in found[::-4]] == [8, 4, 0]
    assert (found[-1].ordinal, len(found)) == (8, 9)
    with pytest.raises(IndexError):
        found[9]


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 23, 24, 25, 40])
def test_documents_are_told_apart_wherever_their_names_differ(size):
    names = ["a" * size] + ["a" * at + "b" + "a" * (size - at - 1) for at in range(size)] + ["a" * (size + 1)]
    found = Columns()("".join(json.dumps({**ROW, "doc_uri": name}) + "\n" for name in names).encode())
    assert found is not None
    assert found.columns.runs("doc_uri") == [(name, at, at + 1) for at, name in enumerate(names)]


TEXTS = st.text("ab/é", min_size=1, max_size=30)


# What is compared may reach beyond either end of the block.
ORDERS = (tuple(ROW), ("doc_uri", "chunk_id", "ordinal"), ("ordinal", "text", "chunk_id", "doc_uri"))


@given(st.lists(TEXTS, min_size=1, max_size=40), st.sets(TEXTS, max_size=5), st.sampled_from(ORDERS), st.data())
def test_runs_and_known_values_are_those_of_the_decoded_chunks(names, known, order, data):
    names = [name for name in names for _ in range(data.draw(st.integers(1, 3)))]
    known |= set(names[:2])
    rows = [{**ROW, "doc_uri": name} for name in names]
    block = "".join(
        json.dumps({member: row[member] for member in order}, ensure_ascii=False, separators=(",", ":")) + "\n"
        for row in rows
    )
    found = Columns()(block.encode())
    assert found is not None
    columns = found.columns
    assert columns.integers("ordinal").tolist() == [3] * len(names)
    assert columns.texts("doc_uri") == names
    assert columns.standing("doc_uri", Known(known)) == [
        (number, name) for number, name in enumerate(names) if name in known
    ]
    runs = columns.runs("doc_uri")
    assert [name for name, start, stop in runs for _ in range(start, stop)] == names
    assert all(one[0] != other[0] and one[2] == other[1] for one, other in pairwise(runs))


@pytest.mark.parametrize("size", [255, 256, 257, 263, 5000])
def test_runs_of_long_names(size):
    # They differ in the last letter, or in none, or one is the beginning of the other.
    names = ["x" * size, "x" * size, "x" * (size - 1) + "y", "x" * (size + 1), "x" * (size + 1), "x" * size]
    lines = [json.dumps({"chunk_id": f"c{number}", "doc_uri": name}) + "\n" for number, name in enumerate(names)]
    found = Columns()("".join(lines).encode())
    assert found is not None
    assert found.columns.runs("doc_uri") == [
        (names[0], 0, 2), (names[2], 2, 3), (names[3], 3, 5), (names[5], 5, 6),
    ]  # fmt: skip
