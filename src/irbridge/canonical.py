"""Canonical JSON: one way to write a value, so that equal data has equal bytes; and digests of files.

Lines of judgments and runs are compact, keep their field order and leave non-ASCII unescaped (spec/formats.md).
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from irbridge.errors import InputError


def dumps(value: Any) -> str:
    """`value` as compact JSON in the order of its keys; non-ASCII as it is.

    Raises:
        InputError: NaN, an infinity or a lone surrogate, which have no JSON or UTF-8 form.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode("utf-8")
    except ValueError as error:
        raise InputError(f"cannot be written as JSON: {error}", text=repr(value)[:200]) from error
    return text


def pretty(value: Any) -> str:
    """`value` as indented JSON with sorted keys kept in their order, for files that people read; ends with a newline."""
    dumps(value)
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def file_sha256(path: str | os.PathLike[str]) -> str:
    """The lower-case hex SHA-256 of a file's bytes."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else _digest(stream)


def _digest(stream: Any) -> str:
    # Python 3.10 has no hashlib.file_digest.
    found = hashlib.sha256()
    while part := stream.read(1 << 20):
        found.update(part)
    return found.hexdigest()
