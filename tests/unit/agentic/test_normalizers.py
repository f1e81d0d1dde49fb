from __future__ import annotations

import pytest

from irbridge.agentic.normalizers import NORMALIZERS, WHITE_SPACE, same_value
from irbridge.agentic.records import Normalizer, OracleClaim, Value, record


def value(kind: str, of: object) -> Value:
    claim = {
        "claimKey": "a",
        "expectedValue": {"type": kind, "value": of},
        "normalizer": {"id": "exact-v1", "version": 1},
        "requiredEvidence": [],
        "optionalEvidence": [],
        "forbiddenEvidence": [],
    }
    return record(OracleClaim, claim).expected_value


def same(kind: str, expected: object, found: object, normalizer: str, other_kind: str | None = None) -> bool:
    return same_value(value(kind, expected), value(other_kind or kind, found), Normalizer(id=normalizer, version=1))


# ECMA-262, tables "White Space Code Points" and "Line Terminator Code Points": TAB VT FF ZWNBSP LF CR LS PS and the category
# Zs, which is 20, A0, 1680, 2000 to 200A, 202F, 205F, 3000. 6 + 2 + 17 = 25 characters.
TRIMMED = [
    9,
    10,
    11,
    12,
    13,
    0x20,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
    0xFEFF,
]
# What Python's strip takes and ECMAScript's trim leaves; and U+180E, which left Zs with Unicode 6.3, and U+200B.
KEPT = [0x1C, 0x1D, 0x1E, 0x1F, 0x85, 0x180E, 0x200B]


def test_white_space_is_that_of_ecmascript():
    assert sorted(map(ord, WHITE_SPACE)) == sorted(TRIMMED)
    assert len(TRIMMED) == 25


@pytest.mark.parametrize("point", TRIMMED)
def test_white_space_is_trimmed(point):
    assert same("string", "a b", f"{chr(point)}A b{chr(point)}", "trim-lower-v1")
    assert same("identifier", "AB-1", f"{chr(point)}a{chr(point)}b-1", "identifier-v1")


@pytest.mark.parametrize("point", KEPT)
def test_what_python_alone_strips_is_kept(point):
    assert not same("string", "a", f"a{chr(point)}", "trim-lower-v1")
    assert not same("identifier", "A", f"a{chr(point)}", "identifier-v1")


@pytest.mark.parametrize(
    "normalizer, kind, expected, found, equal",
    [
        ("exact-v1", "string", "Oslo", "Oslo", True),
        ("exact-v1", "string", "Oslo", "oslo", False),
        ("exact-v1", "string", "Oslo", "Oslo ", False),
        ("exact-v1", "string", "é", "e\u0301", False),  # Unicode is not normalised
        ("exact-v1", "number", 1, 1.0, True),  # both print as 1
        ("exact-v1", "number", 0, -0.0, True),  # canonical JSON prints -0 as 0
        ("exact-v1", "number", 0.3, 0.1 + 0.2, False),
        ("exact-v1", "boolean", True, True, True),
        ("exact-v1", "boolean", True, False, False),
        ("exact-v1", "string[]", ["a", "b"], ["b", "a"], False),
        ("trim-lower-v1", "string", "Grün", " GRÜN ", True),
        ("trim-lower-v1", "string", "a b", "a  b", False),  # inner white space stays
        ("trim-lower-v1", "string", "ΟΔΟΣ", "οδος", True),  # a final sigma is lowered as one, in both
        ("trim-lower-v1", "string", "strasse", "Straße", False),  # lower case folds no sharp s
        ("identifier-v1", "identifier", "ABC-12", " abc - 12", True),
        ("identifier-v1", "identifier", "STRASSE", "straße", True),  # upper case makes SS of it, as ECMAScript does
        ("identifier-v1", "identifier", "ABC-12", "ABC12", False),
        ("iso-date-v1", "date", "2026-09-14", "2026-09-14", True),
        ("iso-date-v1", "date", "2026-09-14", "2026-09-15", False),
        ("iso-date-v1", "date", "2026-03-02", "2026-02-30", False),  # Date.parse of V8 says they are one day
        ("string-set-v1", "string[]", ["a", "b"], ["b", "a"], True),
        ("string-set-v1", "string[]", ["a", "b"], ["a", " b"], False),  # nothing is trimmed
        ("string-set-v1", "string[]", ["a"], ["A"], False),
        ("string-set-v1", "string[]", [], [], True),
    ],
)
def test_equality_after_the_normalizer(normalizer, kind, expected, found, equal):
    assert same(kind, expected, found, normalizer) is equal


@pytest.mark.parametrize("normalizer", sorted(NORMALIZERS))
def test_types_are_never_mixed(normalizer):
    for kind, other in (("string", "identifier"), ("string", "date"), ("date", "identifier")):
        assert not same(kind, "2026-09-14", "2026-09-14", normalizer, other)
    assert not same("number", 1, True, normalizer, "boolean")
    assert not same("number", 1, "1", normalizer, "string")


@pytest.mark.parametrize("normalizer", sorted(NORMALIZERS))
def test_values_of_other_types_pass_through(normalizer):
    for passed in (1.5, True, False):
        assert NORMALIZERS[normalizer](passed) is passed


def test_lists_are_in_the_order_of_utf_16():
    # U+1F600 is D83D DE00 in UTF-16 and so stands before U+E000; by code points it would stand behind.
    assert NORMALIZERS["string-set-v1"](["\ue000", "\U0001f600", "z"]) == ["z", "\U0001f600", "\ue000"]


def test_half_a_surrogate_pair_is_another_value():
    assert same("string[]", ["\ud800", "a"], ["a", "\ud800"], "string-set-v1")
    assert not same("string", "a", "\ud800", "trim-lower-v1")
