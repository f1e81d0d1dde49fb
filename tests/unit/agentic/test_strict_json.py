"""What strict JSON reads, and what it refuses."""

from __future__ import annotations

import pytest

from irbridge.agentic.strict_json import strict_json
from irbridge.errors import InputError


@pytest.mark.parametrize(
    "text, value",
    [
        ('{"a": [1, -2.5, true, null, "\\u00e9"]}', {"a": [1, -2.5, True, None, "é"]}),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        (" [ ] \n", []),
        ("1e3", 1000),
        ("0.1", 0.1),
    ],
)
def test_reads(text, value):
    assert strict_json(text) == value
    assert strict_json(text.encode()) == value


@pytest.mark.parametrize("text, value", [("1.0", 1), ("-0.0", 0), ("1E2", 100), ("9007199254740992.0", 2**53)])
def test_a_whole_number_is_an_integer_however_written(text, value):
    found = strict_json(text)
    assert (found, type(found)) == (value, int)


def test_a_whole_number_beyond_exact_doubles_stays_as_written():
    assert type(strict_json("1e300")) is float
    assert strict_json("9007199254740993") == 2**53 + 1


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ('{"x": [{"b": {"c": 1, "\\u0063": 1}}]}', "the key 'c' stands twice"),
        ("[1, 2,]", "not JSON"),
        ('{"a": 1,}', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("[1] // why", "not JSON"),
        ("/* why */ [1]", "not JSON"),
        ("Here it is: [1]", "not JSON"),
        ("[1] [2]", "not JSON"),
        ("", "not JSON"),
        ("[NaN]", "NaN is no number"),
        ("-Infinity", "-Infinity is no number"),
        ("1e400", "beyond the range"),
        ("-1e400", "beyond the range"),
        ("9" * 400, "beyond the range"),
        ("9" * 6000, "beyond the range"),
        ("01", "not JSON"),
        ("+1", "not JSON"),
        ('"\\ud800"', "half a surrogate"),
        ('{"\\udc00": 1}', "half a surrogate"),
        ("\ufeff[1]", "not JSON"),
        ('"a\nb"', "not JSON"),
        ("[" * 100_000 + "]" * 100_000, "nested too deep"),
    ],
)
def test_refuses(text, message):
    with pytest.raises(InputError, match=message):
        strict_json(text, "some.json")


def test_refuses_what_is_not_utf8_and_names_the_file():
    with pytest.raises(InputError, match=r"^some\.json: not UTF-8: .* at byte 1$"):
        strict_json(b'"\xff"', "some.json")
    with pytest.raises(InputError, match="half a surrogate"):
        strict_json('"\ud800"')


def test_names_the_line():
    with pytest.raises(InputError, match=r"^some\.json:3: not JSON"):
        strict_json('{\n"a": 1,\n}', "some.json")
