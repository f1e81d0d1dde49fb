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
    "data, line, text, hint",
    [
        (b'{"a": 1,\n "b": tru }\n', 2, '"b": tru }', None),
        (b'["' + b"x" * 200 + b'", oops, ' + b"y" * 200 + b"]", 1, "x" * 27 + '", oops, ' + "y" * 44, None),
        (b'{"a": 1,\n "b": "cut', 2, '"b": "cut', "it ends too early"),
        (b"", 1, None, "it ends too early"),
        (b'{"a": "\xe9"}', None, '{"a": "\\xe9"}', "iconv -f latin1"),
        (b'{"a": 1, "a": 2}', None, None, "keep one"),
        (b"\xef\xbb\xbf[1]", None, None, "tail -c +4"),
    ],
    ids=range(7),
)
def test_an_error_shows_what_stands_there_and_the_way_out(data, line, text, hint):
    with pytest.raises(InputError) as refused:
        strict_json(data, "r.json")
    error = refused.value
    assert (error.path, error.line, error.text) == ("r.json", line, text)
    assert error.hint is None if hint is None else hint in error.hint


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
        ('"a\nb"', "not JSON: invalid control character at character 3"),
        ('["a', "not JSON: unterminated string starting at character 2"),
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
