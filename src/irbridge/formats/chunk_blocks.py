"""Chunks decoded a block of lines at a time: the fast way for what most corpora are, as strict as the careful one.

A block is taken as a whole only if every line of it is one object with the same members, each of the right type and given
once. That is told by counting: with all members required and none unknown, an object whose members are each there once
has a known number of quotation marks, and one more member would bring at least two more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from irbridge.formats.chunk_rows import LIMIT, MEMBERS
from irbridge.model import NO_FIELDS, Chunk, ChunkRow

_TEXTS = frozenset({"chunk_id", "doc_uri", "doc_revision", "text", "text_sha"})


class Blocks:
    """A decoder of blocks; it learns the members from each block's first line."""

    def __init__(self) -> None:
        self._decoders: dict[frozenset[tuple[str, bool]], tuple[Any, int]] = {}

    def __call__(self, block: bytes, lines: int) -> list[ChunkRow] | None:
        """The chunks of a block of lines, one each; None where the careful way has to decide.

        Args:
            block: ends with a line end.
            lines: the number of line ends in it.
        """
        import msgspec

        shape = _shape(block[: block.find(b"\n")])
        if shape is None:
            return None
        if shape not in self._decoders:
            self._decoders[shape] = _decoder(shape)
        decode, marks = self._decoders[shape]
        try:
            rows: list[ChunkRow] = decode(block)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return None
        plain = len(rows) == lines and _plain(block, lines, marks)
        if plain and ("start", True) in shape:
            plain = all(row.start <= row.end for row in rows)  # type: ignore[operator]
        return rows if plain else None


def _plain(block: bytes, rows: int, marks: int) -> bool:
    """Whether the block, of as many objects as lines, has each on its line, none of which has a member twice or a NUL.

    Objects hold no other and strings no line end, so that each line end between two braces stands between two objects.
    """
    if not (block.startswith(b"{") and block.endswith(b"}\n") and block.count(b"}\n{") == rows - 1):
        return False
    found = block.count(b'"')
    if b"\\" in block:
        if b"\\u0000" in block:
            return False
        found -= (block.replace(b"\\\\", b"") if b"\\\\" in block else block).count(b'\\"')
    return found == rows * marks


def _shape(line: bytes) -> frozenset[tuple[str, bool]] | None:
    """The members of a chunk, each with whether it has a value; None where the line is no plain chunk."""
    import msgspec

    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not set(value) <= set(MEMBERS):
        return None
    if value.get("chunk_id") is None or value.get("doc_uri") is None:
        return None
    if (value.get("start") is None) != (value.get("end") is None):
        return None
    return frozenset((name, member is not None) for name, member in value.items())


def _decoder(shape: frozenset[tuple[str, bool]]) -> tuple[Any, int]:
    """A function that decodes lines of this shape, and the number of quotation marks in each."""
    import msgspec

    text, name = str, Annotated[str, msgspec.Meta(min_length=1)]
    number = Annotated[int, msgspec.Meta(ge=0, le=LIMIT)]
    known = dict(shape)
    members: list[Any] = []
    for member in MEMBERS:
        kind: Any = name if member in {"chunk_id", "doc_uri"} else text if member in _TEXTS else number
        if member not in known:
            members.append((member, None, None))
        else:
            members.append((member, kind if known[member] else None))
    row = msgspec.defstruct("row", members, kw_only=True, forbid_unknown_fields=True, gc=False)
    marks = 2 * len(shape) + 2 * sum(value and member in _TEXTS for member, value in shape)
    return msgspec.json.Decoder(row).decode_lines, marks


def chunk_of(row: ChunkRow) -> Chunk:
    """The chunk that a decoded row is."""
    if isinstance(row, Chunk):
        return row
    return Chunk(
        row.chunk_id, row.doc_uri, row.doc_revision, row.ordinal, row.text, row.text_sha, row.start, row.end, NO_FIELDS
    )  # fmt: skip


def sifted(block: bytes, positions: Sequence[int]) -> bytes:
    """The lines of the block that the positions, ascending, stand in."""
    lines: list[bytes] = []
    reached = 0
    for position in positions:
        if position >= reached:
            start, reached = block.rfind(b"\n", 0, position) + 1, block.find(b"\n", position) + 1
            reached = reached or len(block)
            lines.append(block[start:reached])
    return b"".join(lines)
