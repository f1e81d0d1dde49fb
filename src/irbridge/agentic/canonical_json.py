"""Canonical JSON (RFC 8785): one text for one value, so that equal receipts have equal bytes; and its SHA-256.

Keys are in the order of their UTF-16 code units, numbers are printed as ECMAScript prints a double, texts escape only
what JSON demands. Integer-like keys ("10") have no order of their own here, as in RFC 8785 and unlike in programs that
sort by filling a JavaScript object, which put them first in numeric order.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from irbridge.errors import InputError, quoted

_DEEPEST = 200


def canonical_json(value: Any) -> str:
    """`value`, of dicts, lists, texts, numbers, booleans and None, as canonical JSON without a final newline.

    Raises:
        InputError: NaN, an infinity, a number beyond a double's range, a lone surrogate, a key that is no text, a value
            that JSON does not know, or one nested more than 200 deep.
    """
    text = _fast(value) if _plain(value, 0) else _slow(value, 0)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = quoted(error.object[error.start : error.end])
        raise InputError(f"{found} is half a surrogate pair, which has no UTF-8") from error
    return text


def fingerprint(value: Any) -> str:
    """The lower-case hex SHA-256 of the canonical JSON of `value`."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def number_text(value: float) -> str:
    """A number as ECMAScript's Number::toString prints the double nearest to it: 1.0 is 1, 1e-07 is 1e-7.

    Raises:
        InputError: it is not finite.
    """
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double):
        raise InputError(f"{quoted(value, 40)} is no number of JSON")
    sign = "-" if double < 0 else ""
    digits, exponent = _shortest(abs(double))
    if not digits:
        return "0"
    point = exponent + len(digits)  # the value is 0.DIGITS * 10**point
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _shortest(double: float) -> tuple[str, int]:
    """The shortest digits that read back as `double`, without zeros at either end, and the power of ten they count in."""
    mantissa, _, power = repr(double).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    short = digits.rstrip("0")
    return short, int(power or 0) - len(fraction) + len(digits) - len(short)


def _plain(value: Any, depth: int) -> bool:
    """Whether the json module's own order and numbers are the canonical ones: short integers, keys below U+D800."""
    if depth > _DEEPEST:
        raise InputError(f"nested more than {_DEEPEST} deep")
    kind = type(value)
    if kind is dict:
        return all(
            type(key) is str and (key.isascii() or max(key) < "\ud800") and _plain(each, depth + 1)
            for key, each in value.items()
        )
    if kind is list:
        return all(_plain(each, depth + 1) for each in value)
    if kind is int:
        return bool(-(2**53) <= value <= 2**53)
    return kind is str or kind is bool or value is None


def _fast(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _slow(value: Any, depth: int) -> str:
    if depth > _DEEPEST:
        raise InputError(f"nested more than {_DEEPEST} deep")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise InputError("a key that is no text has no place in JSON")
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_fast(key)}:{_slow(value[key], depth + 1)}" for key in keys) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_slow(each, depth + 1) for each in value) + "]"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return _fast(value)
    if isinstance(value, int | float):
        return number_text(value)
    raise InputError(f"{quoted(value, 40)} is no value of JSON")
