from __future__ import annotations

import json
import struct
from pathlib import Path

import lz4.frame
import pytest
from support.formats import RUN, rankings, read, written

from irbridge.errors import InputError, InputErrors
from irbridge.formats import identify
from irbridge.formats.ranx_run import FORMAT
from irbridge.model import Ranking
from irbridge.reading import Reading

EXPECTED = [("q1", ["d3", "d2", "d1"], [0.3, 0.2, 0.1]), ("q2", ["d2", "d1"], [0.2, 0.1])]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.json"


def test_scores_are_floats_and_the_order_is_the_files(path: Path) -> None:
    path.write_text('{"q2": {"b": 1, "a": 2.5}, "q1": {"c": -1e-3}}')
    found, reading = read(FORMAT, "run", path)
    assert found == [Ranking("q2", ["b", "a"], [1.0, 2.5]), Ranking("q1", ["c"], [-0.001])]
    assert type(found[0].scores[0]) is float
    assert reading.rows == 3


def test_a_query_that_found_nothing_is_an_empty_ranking(path: Path) -> None:
    path.write_text('{"q1": {}, "q2": {"d": 1.5}}')
    assert rankings(FORMAT, path) == [("q1", [], []), ("q2", ["d"], [1.5])]


def test_scores_that_have_no_place_are_named(path: Path) -> None:
    # Field note B53: NaN is refused always, infinities unless allowed.
    path.write_text('{"q": {"a": NaN, "b": 0.5, "c": -Infinity, "d": "high"}}')
    with pytest.raises(InputErrors) as caught:
        rankings(FORMAT, path)
    assert [error.message for error in caught.value.errors] == [
        "query q, document a: the score is not a number (NaN)",
        "query q, document c: the score is infinite (-inf)",
        "query q, document d: the score 'high' is a str, not a number",
    ]
    path.write_text('{"q": {"b": 0.5, "c": -Infinity}}')
    assert rankings(FORMAT, path, allow_infinite=True) == [("q", ["b", "c"], [0.5, float("-inf")])]


def test_a_number_beyond_doubles_is_refused(path: Path) -> None:
    path.write_text('{"q": {"a": 1e999}}')
    with pytest.raises(InputErrors, match="query q, document a: the score is infinite"):
        rankings(FORMAT, path)


def test_a_document_twice_is_refused(path: Path) -> None:
    path.write_text('{"q": {"a": 1.5, "b": 1.0, "a": 0.5}}')
    with pytest.raises(InputError, match="document a of query q stands twice in the file"):
        rankings(FORMAT, path)


def test_lists_are_not_ranx(path: Path) -> None:
    path.write_text('{"q": ["a", "b"]}')
    with pytest.raises(InputError, match=r"query q has a list where \{document: score\} belongs"):
        rankings(FORMAT, path)


def test_it_is_written_as_ranx_indents_it() -> None:
    assert written(FORMAT, "run", RUN).decode() == (
        '{\n  "q1": {\n    "d2": 1.5,\n    "d1": 0.25\n  },\n  "q2": {\n    "d3": -1e-09\n  }\n}\n'
    )


def test_a_plain_list_gets_falling_scores() -> None:
    assert json.loads(written(FORMAT, "run", [Ranking("q", ["b", "a", "c"]), Ranking("p", [])])) == {
        "q": {"b": 3.0, "a": 2.0, "c": 1.0},
        "p": {},
    }


@pytest.mark.parametrize(
    "given, message",
    [
        ([Ranking("q", ["a", "b", "a"], [3.0, 2.0, 1.0])], "query q has document a twice"),
        ([Ranking("q", ["a"], [1.0]), Ranking("q", ["b"], [1.0])], "query q has two rankings"),
        ([Ranking("q", ["a"], [float("inf")])], "query q cannot be written as JSON"),
    ],
)
def test_what_the_file_cannot_hold_is_refused(given: list[Ranking], message: str) -> None:
    with pytest.raises(InputError, match=message):
        written(FORMAT, "run", given)


def test_what_is_written_is_read_back_to_the_last_bit(path: Path) -> None:
    given = [Ranking("q", ["a", "b", "c"], [0.1 + 0.2, 5e-324, -1.7976931348623157e308]), Ranking("p", [], [])]
    path.write_bytes(written(FORMAT, "run", given))
    assert read(FORMAT, "run", path)[0] == given


# ------------------------------------------------------------------------------------------- LZ4: CBOR in a frame twice
# Bytes are put together by hand after RFC 8949: 0xa0+n a map of n pairs, 0x60+n a text of n bytes, 0xfb a double.


def cbor_text(text: str) -> bytes:
    return bytes([0x60 + len(text)]) + text.encode()


ONE = b"\xa1" + cbor_text("q") + b"\xa1" + cbor_text("d") + b"\xfb" + struct.pack(">d", 0.5)


def packed(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "run.lz4"
    path.write_bytes(lz4.frame.compress(lz4.frame.compress(data)))
    return path


def test_the_packed_layout(tmp_path: Path) -> None:
    path = packed(tmp_path, ONE)
    assert identify(path, "run", Reading())[0] is FORMAT
    assert rankings(FORMAT, path) == [("q", ["d"], [0.5])]


@pytest.mark.parametrize(
    "number, expected",
    [
        (b"\x17", 23.0),
        (b"\x18\x18", 24.0),
        (b"\x19\x01\x00", 256.0),
        (b"\x1a\x00\x01\x00\x00", 65536.0),
        (b"\x1b\x00\x00\x00\x01\x00\x00\x00\x00", 4294967296.0),
        (b"\x20", -1.0),
        (b"\x38\x63", -100.0),
        (b"\xf9\x3c\x00", 1.0),  # RFC 8949, appendix A
        (b"\xfa\x47\xc3\x50\x00", 100000.0),  # RFC 8949, appendix A
        (b"\xfb\x3f\xf1\x99\x99\x99\x99\x99\x9a", 1.1),  # RFC 8949, appendix A
        (b"\xf5", 1.0),
    ],
)
def test_every_kind_of_number(tmp_path: Path, number: bytes, expected: float) -> None:
    path = packed(tmp_path, b"\xa1" + cbor_text("q") + b"\xa1" + cbor_text("d") + number)
    assert rankings(FORMAT, path) == [("q", ["d"], [expected])]


def test_ranxhub_files_carry_a_description_beside_the_run(tmp_path: Path) -> None:
    description = b"\xa1" + cbor_text("tags") + b"\x82" + cbor_text("a") + b"\xf6"
    path = packed(tmp_path, b"\xa2" + cbor_text("metadata") + description + cbor_text("run") + ONE)
    assert rankings(FORMAT, path) == [("q", ["d"], [0.5])]


@pytest.mark.parametrize(
    "data, message",
    [
        (ONE[:-1], "is not a run that ranx packed: it ends too early"),
        (ONE + b"\x00", "is not a run that ranx packed: 1 bytes follow its end"),
        (b"\xbf\xff", "is not a run that ranx packed: byte 0 starts something that ranx does not write"),
        (b"\xa1\x41q\x01", "is not a run that ranx packed: byte 1 starts"),
        (b"\x81\x01", "is not an object"),
        (b"\xa2" + ONE[1:] + ONE[1:], "query q stands twice in the file"),
        (b"\xa1\x61\xff\xa0", "is not a run that ranx packed"),
        (b"\x81" * 100_000, "is not a run that ranx packed"),
        (b"\xbb" + b"\xff" * 8, "is not a run that ranx packed: it ends too early"),
        (b"\xa1\x01\xa1" + cbor_text("d") + b"\x01", None),
    ],
)
def test_other_packed_bytes_are_refused(tmp_path: Path, data: bytes, message: str | None) -> None:
    path = packed(tmp_path, data)
    if message is None:  # a whole number as a key is its digits, as everywhere
        assert rankings(FORMAT, path) == [("1", ["d"], [1.0])]
        return
    with pytest.raises(InputError) as caught:
        rankings(FORMAT, path)
    assert message in str(caught.value)


def test_a_damaged_inner_frame_is_refused(tmp_path: Path) -> None:
    inner = bytearray(lz4.frame.compress(ONE * 9, content_checksum=True))
    inner[-1] ^= 1
    path = tmp_path / "run.lz4"
    path.write_bytes(lz4.frame.compress(bytes(inner)))
    with pytest.raises(InputError, match="cannot be decompressed"):
        rankings(FORMAT, path)


@pytest.mark.parametrize("name", ["run.json", "run.lz4"])
def test_ranx_own_files(shared: Path, name: str) -> None:
    # Written out by hand from run.json; run.lz4 holds the same run.
    assert rankings(FORMAT, shared / "data" / "fixtures-small" / "ranx" / name) == EXPECTED
