"""A large corpus in one JSON object, read in pieces of some chunks each.

    { members "chunks": [ chunks , chunks , ... chunks ] members }

If every piece is an array of chunks once brackets are put around it, and both ends put together are an object, then so is
the whole. Where a piece ends is told by what stands between the first two chunks: it holds a quotation mark that no string
can hold. A file in which anything is not as expected is left to who reads it whole and can say what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from irbridge.formats.base import Sieve
from irbridge.formats.chunk_blocks import Blocks, sifted
from irbridge.formats.chunk_rows import FINGERPRINTS, Refused, chunk_decoder, fingerprints, typed_corpus
from irbridge.formats.jsonlines import decoder
from irbridge.formats.scanning import keep_memory
from irbridge.model import ChunkRow
from irbridge.source import BLOCK_BYTES, Source
from irbridge.textio import pieces

if TYPE_CHECKING:
    from irbridge.formats.chunk_columns import Columns

# As of lines: what is made of a piece stays in the processor's cache, and numpy gets enough to do at once.
_PIECE = 1 << 17
_WIDE_PIECE = 1 << 20
#: Chunks that are longer than this together with what separates them are no reason to hold less than the whole.
_LONGEST = 1 << 24
_ENDS = 1 << 12
_WHITE = b" \t\r\n"
# The white space of JSON, which is less than that of regular expressions.
_S = rb"[ \t\r\n]*"
_TEXT = rb'"(?:[^"\\]|\\.)*"'
_MEMBER = _TEXT + _S + b":" + _S + b"(?:" + _TEXT + rb"|[-+.\w]+)"
_HEAD = re.compile(
    _S + rb"\{" + _S + b"((?:" + _MEMBER + _S + b"," + _S + b')*)"chunks"' + _S + b":" + _S + rb"\[" + _S
    + rb"(\{" + _S + rb'"[^"\\]*")'
)  # fmt: skip
_TAIL = re.compile(rb"\]((?:" + _S + b"," + _S + _MEMBER + b")*)" + _S + rb"\}" + _S + rb"\Z")


class Irregular(Exception):
    """The file has to be read whole."""


class Ends(NamedTuple):
    """What stands around the chunks.

    Attributes:
        about: the other members; before the end is known those before the chunks.
        before: how these are written.
        start: where the first chunk begins, the byte order mark aside.
        opening: the bytes with which it begins, up to the end of its first key.
        end: the bytes from the end of the array on; None where they are not known.
    """

    about: dict[str, Any]
    before: bytes
    start: int
    opening: bytes
    end: bytes | None = None

    @classmethod
    def of(cls, source: Source) -> Ends | None:
        """The ends of an input, without the end of one that is compressed or a pipe; None where it has to be read whole."""
        head = _HEAD.match(source.head().removeprefix(b"\xef\xbb\xbf")[:_ENDS])
        if head is None or _has_lone_returns(head[0]):
            return None
        before = head[1].rstrip(_WHITE + b",")
        about = _members(before, b"")
        if about is None:
            return None
        ends, last = cls(about, before, head.start(2), head[2]), source.tail(_ENDS)
        return ends if last is None else ends.closed(last)

    def closed(self, last: bytes) -> Ends | None:
        """The same with the end, which is that of some last bytes of the input; None where it has to be read whole."""
        tail = _TAIL.search(last[-_ENDS:])
        if tail is None or _has_lone_returns(tail[0]):
            return None
        about = _members(self.before, tail[1].lstrip(_WHITE + b","))
        return None if about is None else self._replace(about=about, end=tail[0])

    def sought(self, source: Source) -> Ends | None:
        """The same with the end, for which all of the input is read."""
        last = b""
        for part in pieces(source, BLOCK_BYTES):
            last = last[-_ENDS:] + part[-_ENDS:]
        return self.closed(last)


def _members(before: bytes, after: bytes) -> dict[str, Any] | None:
    """The members before and after the array, if each is there once."""
    try:
        value = decoder()(f"{{{b','.join(filter(None, (before, after))).decode()}}}")
        found = None if isinstance(value, str) else fingerprints(value)
    except (UnicodeDecodeError, Refused):
        return None
    return None if found is None or "chunks" in found else dict.fromkeys(FINGERPRINTS) | found


def _has_lone_returns(text: bytes) -> bool:
    """Whether some line may end with CR alone, which no format allows."""
    return b"\r" in text and b"\n" not in text


class Pieces:
    """The chunks between the ends, many at a time.

    Args:
        source: the file.
        ends: its ends.
        wide: chunks may come as columns.
        sieve: names the places whose chunks are wanted, as of `Format.scan_chunks`.

    Attributes:
        passed: how many chunks were read so far, those that were not wanted among them.
        ends: the ends, the last chunk's end among them once that was reached.
    """

    def __init__(self, source: Source, ends: Ends, *, wide: bool, sieve: Sieve | None = None) -> None:
        self._source, self.ends, self._sieve = source, ends, sieve
        self._size = _WIDE_PIECE if wide else _PIECE
        if wide:
            keep_memory()
        self._columns = _columns() if wide and sieve is None else None
        self._blocks = Blocks()
        self._decode = chunk_decoder()
        self._separator: bytes | None = None
        self.passed = 0

    def __iter__(self) -> Iterator[Sequence[ChunkRow]]:
        """The chunks in the order of the array.

        Raises:
            Irregular: the file has to be read whole; all chunks that came were right.
        """
        for piece in self._pieces():
            if _has_lone_returns(piece):
                raise Irregular
            rows, count = self._lines(piece)
            if rows is None:
                rows = self._decoded(piece)
                count = len(rows)
            if rows:
                yield rows
            self.passed += count

    def _pieces(self) -> Iterator[bytes]:
        """The bytes of some chunks each, with nothing around them."""
        ends, held, skip = self.ends, b"", self.ends.start
        for part in pieces(self._source, self._size):
            seen = max(0, len(held) - _ENDS)
            block = held + part[skip:]
            skip = max(0, skip - len(part))
            if self._separator is None:
                self._separator = self._learnt(block)
            cut = -1 if self._separator is None else block.rfind(self._separator, seen)
            if cut >= 0:
                yield block[: cut + 1]
                block = block[cut + len(self._separator or b"") - len(ends.opening) :]
            elif len(block) > _LONGEST:
                raise Irregular
            held = block
        closed = ends.closed(held) if ends.end is None else ends
        if closed is None or closed.end is None or not held.endswith(closed.end):
            raise Irregular
        self.ends = closed
        yield held[: len(held) - len(closed.end)].rstrip(_WHITE)

    def _learnt(self, block: bytes) -> bytes | None:
        """What stands from the end of one chunk to the end of the next one's first key."""
        found = re.search(rb"\}" + _S + b"," + _S + re.escape(self.ends.opening), block)
        return None if found is None or len(found[0]) > _ENDS else found[0]

    def _lines(self, piece: bytes) -> tuple[Sequence[ChunkRow] | None, int]:
        """The chunks of a piece as lines, those that are wanted, and how many it has; None where that cannot be told.

        With as many separators as line ends, nothing else stands between two chunks.
        """
        if self._sieve is not None:
            return self._sifted(piece, self._sieve)
        opening, separator = self.ends.opening, self._separator
        if separator is None or b"\n" in opening:
            return None, 0
        block = piece.replace(separator, b"}\n" + opening) + b"\n"
        count = piece.count(separator) + 1
        found = None if self._columns is None else self._columns(block)
        return (found if found is not None and len(found) == count else self._blocks(block, count)), count

    def _sifted(self, piece: bytes, sieve: Sieve) -> tuple[Sequence[ChunkRow] | None, int]:
        """The same of the chunks that are wanted.

        The others are not decoded, so that separators prove nothing: objects inside of a chunk may have them between them too.
        """
        raws = self._elements(piece)
        block = b"\n".join((*raws, b""))
        if block.count(b"\n") != len(raws):
            return None, 0
        wanted = sifted(block, sieve(block))
        return (self._blocks(wanted, wanted.count(b"\n")) if wanted else []), len(raws)

    def _elements(self, piece: bytes) -> list[Any]:
        """The chunks of a piece, each as it is written."""
        import msgspec

        try:
            found: list[Any] = msgspec.json.decode(b"[%b]" % piece, type=list[msgspec.Raw])
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise Irregular from error
        return found

    def _decoded(self, piece: bytes) -> list[ChunkRow]:
        """The chunks of a piece, however it is laid out."""
        plain = typed_corpus(b'{"chunks":[%b]}' % piece)
        if plain is not None:
            return list(plain[1])
        try:
            return [self._decode(bytes(raw).decode()) for raw in self._elements(piece)]
        except ValueError as error:
            raise Irregular from error


def _columns() -> Columns:
    from irbridge.formats.chunk_columns import Columns  # numpy takes long to load

    return Columns()
