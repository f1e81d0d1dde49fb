"""A corpus of chunks as one JSON object (spec/formats.md): `{"corpus_fingerprint", "chunker_fingerprint", "chunks": [...]}`.

The whole object is decoded at once; `corpus-jsonl` holds the same and is read chunk by chunk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.formats.base import Format, Head
from irbridge.formats.chunk_rows import (
    FINGERPRINTS,
    Refused,
    chunk_decoder,
    chunk_lines,
    fingerprints,
    typed_corpus,
)
from irbridge.formats.jsonlines import decoder, explained
from irbridge.model import Chunk
from irbridge.reading import Reading
from irbridge.textio import Source, decode, whole

_SHAPE = 'a corpus is {"corpus_fingerprint": ..., "chunker_fingerprint": ..., "chunks": [...]}'


def read(source: Source, reading: Reading) -> Iterator[Chunk]:
    """The chunks in the order of the array; `reading.about` holds the other members.

    Raises:
        InputError: no JSON object with an array `chunks`.
        InputErrors: chunks that cannot be used.
    """
    given = whole(source)
    # Text with line ends of CR alone is refused by `decode`, as in every format.
    plain = typed_corpus(given) if b"\n" in given or b"\r" not in given else None
    if plain is not None:
        about, chunks = plain
        reading.about.update(about)
        del given
        for found in chunks:
            reading.rows += 1
            yield found
        return
    rows = _members(decode(given, source, 1), source, reading)
    chunk = chunk_decoder()
    for position, line in enumerate(rows):
        try:
            found = chunk(line)
        except Refused as refused:
            reading.bad_row(f"chunks[{position}]: {refused}", text=line)
            continue
        reading.rows += 1
        yield found
    reading.finish()


def _members(text: str, source: Source, reading: Reading) -> list[str]:
    """The JSON text of each chunk; the other members go to `reading.about`."""
    import msgspec

    try:
        value = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        _check_members(text, value)
        rows = msgspec.json.decode(value.pop("chunks"), type=list[msgspec.Raw])
        reading.about.update(fingerprints({name: msgspec.json.decode(raw) for name, raw in value.items()}))
    except Refused as refused:
        raise source.error(str(refused), hint=_SHAPE) from refused
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise source.error(_why(text, error), hint=_SHAPE) from error
    return [bytes(raw).decode("utf-8") for raw in rows]


def _check_members(text: str, value: Mapping[str, Any]) -> None:
    # Where a member is given twice, one of its values would be lost without a word.
    twice = any(text.count(f'"{name}"') > 1 for name in ("chunks", *FINGERPRINTS)) and explained(text)
    if twice:
        raise Refused(f"invalid JSON, {twice}")
    if "chunks" not in value:
        raise Refused("has no chunks")


def _why(text: str, error: Exception) -> str:
    reason = decoder()(text)
    if isinstance(reason, str):
        return "a corpus is one JSON object" if reason.startswith("an object") else f"invalid JSON, {reason}"
    return f"chunks must be an array ({error})"


def write(chunks: Iterable[Chunk], stream: BinaryIO, about: Mapping[str, Any]) -> int:
    """The corpus with a chunk a line inside the array; returns the number of chunks.

    Raises:
        InputError: an empty id, or a value that JSON cannot hold.
    """
    members = "".join(f"{dumps(name)}:{dumps(value)}," for name, value in about.items() if name != "chunks")
    stream.write(f'{{{members}"chunks":['.encode())
    rows = 0
    for line in chunk_lines(chunks):
        stream.write((",\n" if rows else "\n").encode() + line.encode())
        rows += 1
    stream.write(b"\n]}\n")
    return rows


_CHUNKS = re.compile(r'"chunks"\s*:\s*\[')


def sniff(head: Head) -> int:
    """Certain where an object with an array `chunks` begins."""
    if head.is_dir:
        return 0
    text = head.start.decode("utf-8-sig", "replace").lstrip()
    if not text.startswith("{"):
        return 0
    return 95 if _CHUNKS.search(text) else 0


FORMAT = Format(
    name="corpus",
    shape="file",
    summary="corpus of chunks as one JSON object",
    sniff=sniff,
    read_chunks=read,
    write_chunks=write,
    suffix=".json",
)
