"""A record from JSON, as strictly as `record(kind, strict_json(data))` and several times as fast.

The fast decoder lets the last of two equal keys win, unsaid. Whether there were two is told by counting: what was decoded,
written again, must have as many members as the text that was read. Where that cannot be told from bytes alone, or
anything is wrong, the slow way decides, so that both ways accept the same and complain in the same words.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from irbridge.agentic.records import record
from irbridge.agentic.strict_json import strict_json

T = TypeVar("T")

_SPACED = (b" :", b"\t:", b"\n:", b"\r:")


def strict_record(kind: type[T], data: bytes | str, where: str | None = None) -> T:
    """A JSON text as a record of this kind, whose members must all be required ones.

    Args:
        kind: the record.
        data: UTF-8, without a byte order mark, or a text.
        where: the file it comes from, for messages.

    Raises:
        InputError: not strict JSON, or no such record.
    """
    text = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        fast = msgspec.json.decode(text, type=kind)
        again = msgspec.json.encode(fast)
        once = again == text or _same_members(text, again)
    except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError):
        once = False
    return fast if once else record(kind, strict_json(data, where), where)


def _same_members(one: bytes, other: bytes) -> bool:
    members = _members(one)
    return members is not None and members == _members(other)


def _members(text: bytes) -> int | None:
    """How many members the objects of a JSON text have; None where a look at its quotes does not tell.

    A quote with a colon behind it ends a key, or is an escaped quote within a string.
    """
    if any(spaced in text for spaced in _SPACED) or b'\\\\":' in text:
        return None
    return text.count(b'":') - text.count(b'\\":')
