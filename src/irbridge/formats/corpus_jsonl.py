"""A corpus of chunks as JSON Lines (spec/formats.md): a header object, then one chunk a line.

    {"corpus_fingerprint": "...", "chunker_fingerprint": "..."}
    {"chunk_id": "c1:...", "doc_uri": "...", "doc_revision": "...", "ordinal": 0, "text": "...", "text_sha": "t1:..."}

For a corpus that does not fit in memory. The header may be missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from irbridge.canonical import dumps
from irbridge.formats.base import Format, Head, Sieve
from irbridge.formats.chunk_blocks import Blocks, chunk_of, sifted
from irbridge.formats.chunk_rows import FINGERPRINTS, Refused, chunk_decoder, chunk_lines, fingerprints
from irbridge.formats.jsonlines import decoder
from irbridge.formats.scanning import keep_memory
from irbridge.model import Chunk, ChunkRow
from irbridge.reading import Reading
from irbridge.source import Source
from irbridge.textio import blocks, decode

if TYPE_CHECKING:
    from irbridge.formats.chunk_columns import Columns

# Smaller than usual: what is made of a block stays in the processor's cache while it is looked at. Columns are little.
_BLOCK = 1 << 17
_WIDE_BLOCK = 1 << 20
#: Files of this size and more are not decoded line by line where that can be saved; what that takes is slow to load.
COLUMNS_FROM = 1 << 23
_HINT = "each line holds one chunk; irbridge stamp names the chunks of another chunker"


def read(source: Source, reading: Reading) -> Iterator[Chunk]:
    """The chunks in file order, one at a time; `reading.about` holds the header.

    Raises:
        InputErrors: lines that are no chunk.
    """
    for numbers, rows in _rows(blocks(source, _BLOCK), _Careful(source, reading)):
        for number, row in zip(numbers, rows, strict=True):
            reading.line = number
            reading.rows += 1
            yield chunk_of(row)
    reading.finish()


def scan(source: Source, reading: Reading, sieve: Sieve | None = None) -> Iterator[Sequence[ChunkRow]]:
    """The same, many at a time and nothing made of them that is not needed.

    Args:
        source: the file.
        reading: as for `read`; its `line` is that of the last chunk of a piece.
        sieve: sees the bytes of the file, and names the places whose chunks are wanted; the others are left out.

    Raises:
        InputErrors: lines that are no chunk.
    """
    wide = (source.size or 0) >= COLUMNS_FROM
    if wide:
        keep_memory()
    pieces = blocks(source, _WIDE_BLOCK if wide else _BLOCK)
    if sieve is not None:
        pieces = _sifted(pieces, sieve)
    for numbers, rows in _rows(pieces, _Careful(source, reading), wide=wide and sieve is None):
        reading.line = numbers[-1]
        reading.rows += len(rows)
        yield rows
    reading.finish()


def _rows(
    pieces: Iterable[bytes], careful: _Careful, *, wide: bool = False
) -> Iterator[tuple[Sequence[int], Sequence[ChunkRow]]]:
    """Line numbers and chunks of each block that has some."""
    fast, first = Blocks(), 1
    columns = _columns() if wide else None
    for block in pieces:
        if careful.expects_header:
            head = block[: block.find(b"\n") + 1] or block
            if head.lstrip().startswith(b"{") and careful.header(head, first):
                block, first = block[len(head) :], first + 1
        if not block:
            continue
        found: Sequence[ChunkRow] | None = None if columns is None else columns(block)
        if found is not None:
            yield range(first, first + len(found)), found
            first += len(found)
            continue
        lines = block.count(b"\n")
        found = fast(block, lines)
        numbers: Sequence[int] = range(first, first + lines)
        if found is None:
            numbers, found = careful.rows(block, first)
        if found:
            yield numbers, found
        first += lines


def _columns() -> Columns:
    from irbridge.formats.chunk_columns import Columns  # numpy takes long to load

    return Columns()


def _sifted(pieces: Iterable[bytes], sieve: Sieve) -> Iterator[bytes]:
    """The lines that the sieve asks for, and the first one, which may be the header; numbers then say nothing."""
    begun = False
    for block in pieces:
        wanted = sieve(block)
        found = sifted(block, wanted if begun else [0, *wanted])
        begun = True
        if found:
            yield found


class _Careful:
    """Lines one by one: where a header, comments, blank lines, unknown members or faults may be."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self._source = source
        self._reading = reading
        self._decode = chunk_decoder()
        self.expects_header = True

    def header(self, line: bytes, number: int) -> bool:
        """Whether this first record says something of the corpus; what it says is taken note of."""
        self.expects_header = False
        text = decode(line, self._source, number).rstrip("\r\n")
        if not _is_header(text):
            return False
        try:
            self._reading.about.update(fingerprints(_object(text)))
        except Refused as refused:
            self._reading.bad_row(str(refused), line=number, text=text)
        return True

    def rows(self, block: bytes, first: int) -> tuple[list[int], list[ChunkRow]]:
        """The chunks of a block, with their lines."""
        numbers: list[int] = []
        found: list[ChunkRow] = []
        for number, line in enumerate(decode(block, self._source, first).split("\n"), first):
            start = line.lstrip()
            if not start or start.startswith("//"):
                continue
            if self.expects_header and self.header(line.encode(), number):
                continue
            try:
                found.append(self._decode(line.removesuffix("\r")))
            except Refused as refused:
                text = line.removesuffix("\r")
                self._reading.bad_row(str(refused), line=number, text=text, hint=_HINT)
                continue
            numbers.append(number)
        return numbers, found


def _object(line: str) -> dict[str, Any]:
    value = decoder()(line)
    if isinstance(value, str):
        raise Refused(f"invalid JSON, {value}")
    if "chunks" in value:
        raise Refused("is a corpus in one JSON object; its format is corpus")
    return value


def _is_header(line: str) -> bool:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "chunk_id" not in value and any(name in value for name in FINGERPRINTS)


def write(chunks: Iterable[Chunk], stream: BinaryIO, about: Mapping[str, Any]) -> int:
    """The header and the chunks; returns the number of chunks.

    Raises:
        InputError: an empty id, or a value that JSON cannot hold.
    """
    header = dict.fromkeys(FINGERPRINTS) | dict(about)
    stream.write(dumps(header).encode() + b"\n")
    rows = 0
    for line in chunk_lines(chunks):
        stream.write(line.encode() + b"\n")
        rows += 1
    return rows


def sniff(head: Head) -> int:
    """Certain where the first line is a header and the second a chunk, or the first is a chunk."""
    if head.is_dir:
        return 0
    text = head.start.decode("utf-8-sig", "replace")
    lines = [line for line in text.split("\n")[:40] if line.strip() and not line.lstrip().startswith("//")]
    if not lines or not lines[0].lstrip().startswith("{"):
        return 0
    if '"chunks"' in lines[0]:
        return 0
    if _is_header(lines[0]):
        return 95
    # A chunk may be longer than what sniffing sees.
    return 92 if '"chunk_id"' in lines[0] and '"ordinal"' in lines[0] and '"relevance"' not in lines[0] else 0


FORMAT = Format(
    name="corpus-jsonl",
    shape="file",
    summary="corpus of chunks: a header line, then a chunk a line",
    sniff=sniff,
    read_chunks=read,
    scan_chunks=scan,
    write_chunks=write,
    suffix=".jsonl",
    required=("chunk_id", "doc_uri"),
    example='{"chunk_id":"c1:0","doc_uri":"d1","ordinal":0,"text":"Rent"}',
)
