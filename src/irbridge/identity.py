"""Content-addressed identity of text and of chunks. Normative page: spec/chunk-id.md.

A label points at text, so the identity of a text must be the same in every language and on every machine. That is why
nothing here leans on a default of the runtime: the normal form, the line endings, the white space, the encoding and the
hash are all spelled out.
"""

from __future__ import annotations

import hashlib
import operator
import unicodedata
from collections.abc import Iterable

from irbridge.errors import InputError, shown

#: What normalisation strips from both ends: these 29 code points and no other (the table of spec/chunk-id.md). It is
#: written out because "white space" differs between languages: JavaScript's `trim` also takes U+FEFF and leaves
#: U+001C to U+001F and U+0085 where they are.
STRIPPED = (
    "\t\n\v\f\r"
    "\x1c\x1d\x1e\x1f"
    " "
    "\x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

_SEPARATOR = "\x1f"
#: Bytes of a digest.
DIGEST_BYTES = 16


def normalize(text: str) -> str:
    """The form of `text` that identity is computed from: NFC, then CRLF and CR to LF, then both ends stripped.

    White space inside stays as it is. The result of a second call is that of the first.

    Raises:
        InputError: `text` holds a lone surrogate, which no UTF-8 and therefore no hash can carry.
    """
    normal = _normal_form(text)
    if not normal.isascii():
        _utf8(normal, "text")
    return normal


def normalized(texts: Iterable[str | None]) -> list[str | None]:
    """`normalize` of many texts; None where there is none."""
    # What it does to most texts, without a call for each.
    return [
        None if text is None else text.strip() if text.isascii() and "\r" not in text else normalize(text)
        for text in texts
    ]


def text_sha(text: str) -> str:
    """`t1:` and the first 16 bytes of SHA-256 over the normalised text, in 32 lower-case hex digits.

    Raises:
        InputError: `text` holds a lone surrogate.
    """
    return "t1:" + _digest(_utf8(_normal_form(text), "text"))


def chunk_id(doc_uri: str, doc_revision: str, ordinal: int, text: str, chunker_fingerprint: str) -> str:
    """`c1:` and 32 hex digits that name one chunk of one revision of a document under one chunker.

    Args:
        doc_uri: stable name of the document; taken as it is, like the two other names.
        doc_revision: the source's version of the document, or `text_sha` of its whole text where there is none.
        ordinal: 0-based position of the chunk in the document.
        text: the chunk's body; normalised here.
        chunker_fingerprint: the chunker and its settings, such as `paragraph/1`.

    Raises:
        InputError: `ordinal` is not an integer >= 0, or a field holds a lone surrogate.
    """
    fields = (doc_uri, doc_revision, _decimal(ordinal), _normal_form(text), chunker_fingerprint)
    try:
        canonical = _SEPARATOR.join(fields).encode("utf-8")
    except UnicodeEncodeError:
        # Slow path: find out which field it was.
        names = ("doc_uri", "doc_revision", "ordinal", "text", "chunker_fingerprint")
        canonical = _SEPARATOR.encode().join(_utf8(field, name) for field, name in zip(fields, names, strict=True))
    return "c1:" + _digest(canonical)


def _normal_form(text: str) -> str:
    # Both tests are far cheaper than the work they save: most text is ASCII and has no CR.
    plain = text.isascii()
    if not plain:
        text = unicodedata.normalize("NFC", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    # What of the table is ASCII is what Python strips by itself, and faster.
    return text.strip() if plain else text.strip(STRIPPED)


def _utf8(text: str, field: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{field} holds the lone surrogate U+{ord(text[error.start]):04X} at character {error.start + 1}; "
            "half a character has no UTF-8 form and no identity",
            text=text[max(0, error.start - 20) : error.start + 20],
            hint="decode the source as UTF-8 (errors='replace' keeps the rest), or repair the \\uD800-\\uDFFF escape in its JSON",
        ) from error


def _decimal(ordinal: int) -> str:
    try:
        number = operator.index(ordinal)
    except TypeError:
        number = -1
    if number < 0 or isinstance(ordinal, bool):
        raise InputError(
            f"ordinal must be an integer >= 0, not {shown(repr(ordinal))}",
            hint="number a document's chunks 0, 1, 2, ... in the order of the text",
        )
    return str(number)


def _digest(canonical: bytes) -> str:
    return hashlib.sha256(canonical).digest()[:DIGEST_BYTES].hex()


def is_chunk_id(text: str) -> bool:
    """Whether `text` has the form of a chunk id: `c1:` and 32 lower-case hex digits."""
    return _is_named(text, "c1:")


def is_text_sha(text: str) -> bool:
    """Whether `text` has the form of a text's digest: `t1:` and 32 lower-case hex digits."""
    return _is_named(text, "t1:")


def _is_named(text: str, prefix: str) -> bool:
    return len(text) == 35 and text.startswith(prefix) and not text[3:].strip("0123456789abcdef")
