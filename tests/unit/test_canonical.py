from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irbridge.canonical import dumps, escaped, file_sha256, pretty, pretty_pieces
from irbridge.errors import InputError
from irbridge.wording import sayable


@pytest.mark.parametrize(
    "value, text",
    [
        ({"b": 1, "a": [1.0, None, True]}, '{"b":1,"a":[1.0,null,true]}'),
        ("é\u2028\x7f", '"é\u2028\x7f"'),  # not escaped: JSON does not ask for it (RFC 8259, 7)
        ('"\\\n\t\b\f\r\x1f', '"\\"\\\\\\n\\t\\b\\f\\r\\u001f"'),
        (1e22, "1e+22"),
        ({}, "{}"),
    ],
)
def test_a_value_has_one_text(value: object, text: str) -> None:
    assert dumps(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"a": ["\udfff"]}, {"\ud800": 1}])
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="cannot be written as JSON"):
        dumps(value)
    with pytest.raises(InputError, match="cannot be written as JSON"):
        pretty(value)


def test_pretty_is_for_people_and_ends_with_a_line_end() -> None:
    assert pretty({"b": "é", "a": [1]}) == '{\n  "b": "é",\n  "a": [\n    1\n  ]\n}\n'


def test_the_digest_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1.
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    path.write_bytes(b"a" * 3_000_001)
    assert file_sha256(path) == hashlib.sha256(b"a" * 3_000_001).hexdigest()


def test_what_a_terminal_obeys_is_escaped_for_people() -> None:
    """U+009B alone begins a control sequence (ECMA-48); JSON's own rule ends at U+001F."""
    value = {"id": "q\x9b31m\x7f\x80\u00a0é"}
    assert pretty(value) == '{\n  "id": "q\\u009b31m\\u007f\\u0080\u00a0é"\n}\n'
    assert json.loads(pretty(value)) == value
    assert escaped('"\x9b"') == '"\\u009b"'
    assert dumps(value) == '{"id":"q\x9b31m\x7f\x80\u00a0é"}'  # the canonical form of lines


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS, VALUES | st.tuples(st.lists(VALUES, max_size=40)), max_size=4))
def test_pieces_are_the_bytes_of_the_whole(value: dict[str, Any]) -> None:
    """A tuple stands for an array that is made as it is written; json itself says what the bytes are."""
    held = {name: member[0] if isinstance(member, tuple) else member for name, member in value.items()}
    made = {name: iter(member[0]) if isinstance(member, tuple) else member for name, member in value.items()}
    wanted = escaped(json.dumps(held, ensure_ascii=False, indent=2)) + "\n"
    assert "".join(pretty_pieces(made, sayable)) == wanted
    assert "".join(pretty_pieces(held, sayable)) == wanted


def test_an_array_is_made_as_it_is_written() -> None:
    made: list[int] = []

    def items() -> Iterator[list[str]]:
        for number in range(1000):
            made.append(number)
            yield ["x" * 1000]

    first = 0
    for piece in pretty_pieces({"a": 1, "items": items(), "b": 2}, sayable):
        assert len(piece) < 50_000
        first = first or len(made)
    assert 0 < first < 100
    assert len(made) == 1000


def test_of_what_has_no_form_only_that_is_written_otherwise() -> None:
    found = "".join(pretty_pieces({"a\udcff": 1, "b": iter([["\ud800"], "é"] * 20)}, sayable))
    assert json.loads(found) == {"a\\xff": 1, "b": [["\\ud800"], "é"] * 20}
    with pytest.raises(InputError, match="cannot be written as JSON"):
        list(pretty_pieces({"a": iter([float("nan")])}, sayable))
