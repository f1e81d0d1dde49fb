"""When two texts, or two queries, say the same."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_WORDS = re.compile(r"\w+").findall


def folded(text: str) -> str:
    """The text after NFC and case folding, each run of white space one space, none at the ends."""
    return " ".join(_unified(text).split())


def words(text: str) -> list[str]:
    """The words of a text after NFC and case folding; what is neither letter, digit nor underscore separates them."""
    return _WORDS(_unified(text))


def _unified(text: str) -> str:
    if text.isascii():
        return text.lower()
    # Folding can leave a text that is not in NFC (and NFC text may fold to one that is not): both, then NFC again.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def digest(text: str) -> bytes:
    """16 bytes that stand for a folded text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
