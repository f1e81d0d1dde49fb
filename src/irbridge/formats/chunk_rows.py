"""Chunks as JSON objects, which the two corpus formats share.

    {"chunk_id": "c1:...", "doc_uri": "...", "doc_revision": "...", "ordinal": 0, "text": "...", "text_sha": "t1:..."}

`start` and `end` (code points of the document) may stand beside; other members are kept as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any

from irbridge.canonical import dumps
from irbridge.errors import InputError, shown
from irbridge.formats.jsonlines import decoder, single_keyed
from irbridge.model import NO_FIELDS, Chunk

#: The members of a chunk in the order in which they are written.
MEMBERS = Chunk._fields[:-1]
#: What a corpus says of itself.
FINGERPRINTS = ("corpus_fingerprint", "chunker_fingerprint")
_KNOWN = frozenset(MEMBERS)
#: Beyond this, numbers are not the same in every language.
LIMIT = 2**53


class Refused(ValueError):
    """A chunk that cannot be used: the message says why."""


def chunk_decoder() -> Callable[[str], Chunk]:
    """A function from the JSON text of one chunk to the chunk; it raises `Refused`."""
    fast, careful = _typed(), decoder()

    def decode(text: str) -> Chunk:
        found = fast(text)
        if found is not None:
            return found
        value = careful(text)
        if isinstance(value, str):
            raise Refused(f"invalid JSON, {value}")
        return chunk(value)

    return decode


def _row_type() -> Any:
    """The msgspec type of a faultless chunk without unknown members."""
    import msgspec

    text = Annotated[str, msgspec.Meta(min_length=1)]
    number = Annotated[int, msgspec.Meta(ge=0, le=LIMIT)]
    members: list[Any] = [
        ("chunk_id", text),
        ("doc_uri", text),
        ("doc_revision", str | None, None),
        ("ordinal", number | None, None),
        ("text", str | None, None),
        ("text_sha", str | None, None),
        ("start", number | None, None),
        ("end", number | None, None),
    ]
    return msgspec.defstruct("row", members, forbid_unknown_fields=True)


def _placed(found: tuple[Any, ...]) -> bool:
    """Whether start and end are both there, in their order, or both not."""
    start, end = found[6:]
    return end is None if start is None else end is not None and start <= end


def _typed() -> Callable[[str], Chunk | None]:
    """A function that reads a faultless chunk without unknown members, and gives None for every other."""
    import msgspec

    decode = msgspec.json.Decoder(_row_type()).decode
    values = msgspec.structs.astuple

    def fast(text: str) -> Chunk | None:
        try:
            found = values(decode(text))
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        if "\\u0000" in text or not single_keyed(text, len(found) - found.count(None)) or not _placed(found):
            return None
        return Chunk._make((*found, NO_FIELDS))

    return fast


_APART = re.compile(rb'"\s+:')


def typed_corpus(text: bytes) -> tuple[dict[str, str | None], Iterator[Chunk]] | None:
    """A faultless corpus object in UTF-8 without unknown members, decoded in one go; None for every other text.

    Every key is followed by a colon, at once or after white space: with as many of them as there are keys, no key was
    given twice.
    """
    import msgspec

    row: Any = _row_type()
    own: list[Any] = [("chunks", list[row]), *((name, str | None, None) for name in FINGERPRINTS)]
    try:
        found: Any = msgspec.json.decode(text, type=msgspec.defstruct("corpus", own, forbid_unknown_fields=True))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    values = msgspec.structs.astuple
    about = {name: getattr(found, name) for name in FINGERPRINTS}
    keys = 1 + sum(value is not None for value in about.values())
    for each in found.chunks:
        members = values(each)
        if not _placed(members):
            return None
        keys += len(members) - members.count(None)
    if b"\\u0000" in text or text.count(b'":') != keys or _APART.search(text):
        return None
    return about, (Chunk._make((*values(each), NO_FIELDS)) for each in found.chunks)


def chunk(value: Any) -> Chunk:
    """The chunk that a decoded object holds.

    Raises:
        Refused: a member that is missing or of the wrong kind.
    """
    if not isinstance(value, dict):
        raise Refused("a chunk must be an object")
    for name in ("chunk_id", "doc_uri"):
        found = value.get(name)
        if found is None or found == "":
            raise Refused(f"missing {name}")
        if not isinstance(found, str):
            raise Refused(f"{name} must be a non-empty string")
        if "\0" in found:
            raise Refused(f"{name} holds a NUL character")
    for name in ("doc_revision", "text", "text_sha"):
        found = value.get(name)
        if found is not None and not isinstance(found, str):
            raise Refused(f"{name} must be a string, not {shown(json.dumps(found), 40)}")
    for name in ("ordinal", "start", "end"):
        found = value.get(name)
        if found is not None and (type(found) is not int or not 0 <= found <= LIMIT):
            raise Refused(f"{name} must be an integer >= 0, not {shown(json.dumps(found), 40)}")
    start, end = value.get("start"), value.get("end")
    if (start is None) != (end is None) or (start is not None and end < start):
        raise Refused("start and end must both be there, start <= end")
    extra = {name: member for name, member in value.items() if name not in _KNOWN}
    return Chunk._make((*map(value.get, MEMBERS), extra or NO_FIELDS))


def fingerprints(value: Mapping[str, Any]) -> dict[str, Any]:
    """What a header says, checked; members other than the two fingerprints are kept.

    Raises:
        Refused: a fingerprint that is no string.
    """
    for name in FINGERPRINTS:
        if not isinstance(value.get(name), str | None):
            raise Refused(f"{name} must be a string")
    return dict(value)


def chunk_lines(chunks: Iterable[Chunk]) -> Iterable[str]:
    """Each chunk as compact JSON.

    Raises:
        InputError: an empty id, or a value that JSON cannot hold.
    """
    for each in chunks:
        if not each.chunk_id or not each.doc_uri:
            raise InputError(f"{'doc_uri' if each.chunk_id else 'chunk_id'} of a chunk is empty")
        row = {name: value for name, value in zip(MEMBERS, each, strict=False) if value is not None}
        for name, value in each.extra.items():
            row.setdefault(name, value)
        yield dumps(row)
