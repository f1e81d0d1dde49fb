from __future__ import annotations

import pytest

from irbridge.ids import fault, faultless


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("q1", None),
        (" ", None),  # spec/formats.md 1.1 takes white space; a column cannot hold it
        ("é文😀", None),
        ("a\u0085b", None),
        ("", "is empty"),
        ("\0", "holds a NUL character"),
        ("q\0", "holds a NUL character"),
        ("\ud800", "holds half a surrogate pair, which no file can hold"),
        ("q\udfff", "holds half a surrogate pair, which no file can hold"),
    ],
)
def test_what_an_id_may_be(text: str, wrong: str | None) -> None:
    assert fault(text) == wrong
    assert faultless([text]) == (wrong is None)
    assert faultless(["a", text, "é"]) == (wrong is None)


def test_two_halves_in_two_ids_make_no_pair() -> None:
    assert not faultless(["\ud83d", "\ude00"])
    assert faultless([])
    assert faultless({"a": 1}.keys())
