"""When two values of a claim are the same: equal after the oracle's normalizer, and of one type.

The normalizers are defined by what ECMAScript does to a string, so that scorers in other languages agree: `trim` knows
another white space than Python's `strip` (U+FEFF, not U+0085 or U+001C to U+001F), lists are in the order of UTF-16.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from irbridge.agentic.records import Normalizer, Value

#: WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\u3000\ufeff"
)
_NO_WHITE_SPACE = dict.fromkeys(map(ord, WHITE_SPACE))

Plain = str | float | bool | list[str]
T = TypeVar("T")


def _as_it_is(value: T) -> T:
    return value


def _trim_lower(value: Plain) -> Plain:
    return value.strip(WHITE_SPACE).lower() if isinstance(value, str) else value


def _identifier(value: Plain) -> Plain:
    return value.upper().translate(_NO_WHITE_SPACE) if isinstance(value, str) else value


def _string_set(value: Plain) -> Plain:
    return sorted(value, key=_utf16) if isinstance(value, list) else value


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


#: Normalizer id -> what it does to a value; a value of another type passes through. An ISO calendar date has one spelling,
#: so iso-date-v1 has nothing to fold: "2026-02-30" is no date and is not March the second.
NORMALIZERS: Mapping[str, Callable[[Plain], Plain]] = MappingProxyType(
    {
        "exact-v1": _as_it_is,
        "trim-lower-v1": _trim_lower,
        "identifier-v1": _identifier,
        "iso-date-v1": _as_it_is,
        "string-set-v1": _string_set,
    }
)


def same_value(expected: Value, found: Value, normalizer: Normalizer) -> bool:
    """Whether both have one type and, normalized, one canonical JSON: 1 and 1.0 are one number, "1" is another value."""
    fold = NORMALIZERS[normalizer.id]
    return type(expected) is type(found) and fold(expected.value) == fold(found.value)
