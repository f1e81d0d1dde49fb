"""A corpus of chunks as one JSON object (spec/formats.md): `{"corpus_fingerprint", "chunker_fingerprint", "chunks": [...]}`.

A large one is read in pieces. What is not laid out as programs do it is decoded at once, which takes three times its size of
memory; `corpus-jsonl` holds the same and never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.errors import InputError
from irbridge.formats.base import Format, Head, Sieve
from irbridge.formats.chunk_blocks import chunk_of
from irbridge.formats.chunk_rows import (
    FINGERPRINTS,
    Refused,
    chunk_decoder,
    chunk_lines,
    fingerprints,
    typed_corpus,
)
from irbridge.formats.corpus_faults import Lines, misplaced, placed
from irbridge.formats.corpus_pieces import Ends, Irregular, Pieces
from irbridge.formats.jsonlines import explained
from irbridge.model import Chunk, ChunkRow
from irbridge.piped import Pipe
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.source import reading as opening
from irbridge.textio import decode, whole

_SHAPE = 'a corpus is {"corpus_fingerprint": ..., "chunker_fingerprint": ..., "chunks": [...]}'
#: Inputs of this size and more are read in pieces.
PIECES_FROM = 1 << 23
#: Compressed files are taken to have so many times their size.
_DENSE = 8
_AT_ONCE = 1024
_START = 1 << 10


def read(source: Source, reading: Reading) -> Iterator[Chunk]:
    """The chunks in the order of the array; `reading.about` holds the other members.

    Raises:
        InputError: no JSON object with an array `chunks`.
        InputErrors: chunks that cannot be used.
    """
    for rows in _rows(source, reading, wide=False):
        for row in rows:
            reading.rows += 1
            yield chunk_of(row)


def scan(source: Source, reading: Reading, sieve: Sieve | None = None) -> Iterator[Sequence[ChunkRow]]:
    """The same, many at a time and nothing made of them that is not needed.

    Args:
        source: the file.
        reading: as for `read`.
        sieve: sees the bytes of a large file, and names the places whose chunks are wanted; others may be left out.

    Raises:
        InputError: as `read`.
    """
    for rows in _rows(source, reading, wide=True, sieve=sieve):
        reading.rows += len(rows)
        yield rows


def _rows(source: Source, reading: Reading, *, wide: bool, sieve: Sieve | None = None) -> Iterator[Sequence[ChunkRow]]:
    """The chunks many at a time; in pieces as far as that goes, and the rest from the whole file."""
    ends = _ends(source, wide=wide)
    passed = 0
    if ends is not None:
        reading.about.update(ends.about)
        found = Pieces(source, ends, wide=wide, sieve=sieve)
        try:
            yield from found
        except Irregular:
            passed = found.passed
        else:
            reading.about.update(found.ends.about)
            return
    chunks = islice(_decoded(source, reading), passed, None)
    while rows := list(islice(chunks, _AT_ONCE)):
        yield rows


def _ends(source: Source, *, wide: bool) -> Ends | None:
    """The ends of an input that is to be read in pieces; None where it is small, or has to be read whole."""
    if isinstance(source, Pipe):
        with opening(source), source.open() as stream:
            large = len(stream.read(PIECES_FROM)) >= PIECES_FROM
        ends = Ends.of(source) if large else None
    else:
        size = source.size or 0
        ends = Ends.of(source) if size >= PIECES_FROM // _DENSE else None
        if ends is not None and ends.end is not None and size < PIECES_FROM:
            return None
    if ends is None or ends.end is not None:
        return ends
    # What stands behind the chunks has to be known before them. Who looks at many of them at a time asks for the fingerprints alone.
    known = wide and all(ends.about[name] is not None for name in FINGERPRINTS)
    return ends if known else ends.sought(source)


def _decoded(source: Source, reading: Reading) -> Iterator[Chunk]:
    given = whole(source)
    # Text with line ends of CR alone is refused by `decode`, as in every format.
    plain = typed_corpus(given) if b"\n" in given or b"\r" not in given else None
    if plain is not None:
        about, chunks = plain
        reading.about.update(about)
        del given
        yield from chunks
        return
    try:
        text = decode(given, source, 1)
    except InputError as error:
        raise placed(error, given) from error
    del given
    rows = _members(text, source, reading)
    chunk, lines = chunk_decoder(), None
    for place, row in enumerate(rows):
        try:
            found = chunk(row)
        except Refused as refused:
            lines = lines or Lines(text, rows)
            reading.bad_row(f"chunks[{place}]: {refused}", line=lines.of(place), text=row)
            continue
        yield found
    reading.finish()


def _members(text: str, source: Source, reading: Reading) -> list[str]:
    """The JSON text of each chunk; the other members go to `reading.about`."""
    import msgspec

    try:
        value = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        _check_members(text, value)
        rows = msgspec.json.decode(value.pop("chunks"), type=list[msgspec.Raw])
        about = fingerprints({name: msgspec.json.decode(raw) for name, raw in value.items()})
        reading.about.update(dict.fromkeys(FINGERPRINTS) | about)
    except Refused as refused:
        raise source.error(str(refused), hint=_SHAPE) from refused
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise misplaced(text, source, _SHAPE) or source.error(_why(text, error), hint=_SHAPE) from error
    return [bytes(raw).decode("utf-8") for raw in rows]


def _check_members(text: str, value: Mapping[str, Any]) -> None:
    if "chunks" not in value:
        raise Refused("has no chunks")
    # Where a member is given twice, one of its values would be lost without a word. Chunks are looked at one by one later.
    own = str(value["chunks"], "utf-8")
    at = text.index(own[:_START])
    while not text.startswith(own, at):
        at = text.index(own[:_START], at + 1)
    twice = explained(f"{text[:at]}[]{text[at + len(own) :]}")
    if twice:
        raise Refused(f"invalid JSON, {twice}")


def _why(text: str, error: Exception) -> str:
    return f"chunks must be an array ({error})" if text.lstrip().startswith("{") else "a corpus is one JSON object"


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
    scan_chunks=scan,
    write_chunks=write,
    suffix=".json",
    required=("chunks", "chunk_id", "doc_uri"),
    example='{"chunks":[{"chunk_id":"c1:0","doc_uri":"d1","text":"Rent"}]}',
)
