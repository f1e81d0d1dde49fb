"""A record from JSON, as strictly as `record(kind, strict_json(data))` and several times as fast.

The fast decoder lets the last of two equal keys win, unsaid. Whether there were two is told by counting: what was decoded,
written again, must have as many colons as the text that was read: each member has one, and a member that fell out takes its
own with it. Where that cannot be told from bytes alone, or anything is wrong, the slow way decides, so that both ways accept
the same and complain in the same words.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from irbridge.agentic.records import record
from irbridge.agentic.strict_json import strict_json

T = TypeVar("T")


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


def _same_members(text: bytes, again: bytes) -> bool:
    """Whether both have as many members: one colon each, and those within their strings, which are the same unless one fell out.

    `again` escapes no colon; where `text` may escape one, that cannot be told.
    """
    if b"\\u" in text and (b"\\u003a" in text or b"\\u003A" in text):
        return False
    return text.count(b":") == again.count(b":")
