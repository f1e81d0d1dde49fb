"""What an id may be (spec/formats.md 1.1): one rule for every reader and every writer.

A writer may be able to hold less: a column holds no white space, a TSV no tab.
"""

from __future__ import annotations

from collections.abc import Collection


def fault(text: str) -> str | None:
    """Why `text` can be no id, as the end of a sentence that begins with what it is, or None if it can."""
    if not text:
        return "is empty"
    if "\0" in text:
        return "holds a NUL character"
    if not text.isascii() and not _encodable(text):
        return "holds half a surrogate pair, which no file can hold"
    return None


def faultless(texts: Collection[str]) -> bool:
    """Whether all of them can be ids; many times faster than looking at each."""
    joined = "".join(texts)
    return "" not in texts and "\0" not in joined and (joined.isascii() or _encodable(joined))


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
