"""Canonical JSON against the examples that RFC 8785 prints, typed from it."""

from __future__ import annotations

import hashlib
import struct

import pytest

from irbridge.agentic.canonical_json import canonical_json, fingerprint, number_text
from irbridge.errors import InputError

# RFC 8785, appendix B: the bits of a double, and its text.
NUMBERS = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize("bits, text", NUMBERS)
def test_numbers_of_appendix_b(bits, text):
    (double,) = struct.unpack(">d", bytes.fromhex(bits))
    assert number_text(double) == text
    assert canonical_json([double]) == f"[{text}]"


@pytest.mark.parametrize("bits", ["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])
def test_what_is_no_number_of_json(bits):
    (double,) = struct.unpack(">d", bytes.fromhex(bits))
    with pytest.raises(InputError, match="no number of JSON"):
        canonical_json(double)


def test_example_of_section_3_2_2():
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f",
        "literals": [None, True, False],
    }
    assert canonical_json(value) == (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_example_of_section_3_2_3():
    # The emoji is two code units from U+D83D on, and so before U+FB33, though its code point is greater.
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert canonical_json(value) == (
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",'
        '"€":"Euro Sign","\U0001f600":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
    )


@pytest.mark.parametrize(
    "value, text",
    [
        ({"b": 1, "a": [2, {"d": 3, "c": 4}]}, '{"a":[2,{"c":4,"d":3}],"b":1}'),
        # A program that fills a JavaScript object would write 2, 10, a.
        ({"2": 0, "10": 0, "a": 0}, '{"10":0,"2":0,"a":0}'),
        ({"__proto__": 1}, '{"__proto__":1}'),
        ("\u2028\u2029\x7f/é", '"\u2028\u2029\x7f/é"'),
        ("\x00\x08\x09\x0b\x0c\x1f", '"\\u0000\\b\\t\\u000b\\f\\u001f"'),
        (1.0, "1"),
        (2**53 + 1, "9007199254740992"),
        ((1, 2), "[1,2]"),
        ({}, "{}"),
        ([], "[]"),
    ],
)
def test_texts(value, text):
    assert canonical_json(value) == text


@pytest.mark.parametrize(
    "value, message",
    [
        ("\ud800", "half a surrogate"),
        ({"a": {"\udc00": 1}}, "half a surrogate"),
        ({1: 2}, "a key that is no text"),
        ({"a": {1, 2}}, "no value of JSON"),
        ([b"x"], "no value of JSON"),
        (10**400, "no number of JSON"),
    ],
)
def test_what_has_no_canonical_form(value, message):
    with pytest.raises(InputError, match=message):
        canonical_json(value)


def test_nesting_has_an_end():
    deep = []
    for _ in range(250):
        deep = [deep]
    for value in (deep, [1.5, deep], {"a": 1.5, "b": deep}):  # a fraction takes another way
        with pytest.raises(InputError, match="nested more than 200 deep"):
            canonical_json(value)


def test_fingerprint_is_the_sha256_of_the_text():
    assert fingerprint({"b": "é", "a": 1.0}) == hashlib.sha256('{"a":1,"b":"é"}'.encode()).hexdigest()
