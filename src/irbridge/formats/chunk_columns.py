"""Chunks in blocks of lines that are alike, decoded when somebody asks for them; as strict as decoding each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from irbridge.formats.chunk_rows import LIMIT, MEMBERS, Refused, chunk_decoder
from irbridge.model import ChunkRow

if TYPE_CHECKING:
    from irbridge.jsoncolumns import JsonColumns, Template

_TEXTS = frozenset({"chunk_id", "doc_uri", "doc_revision", "text", "text_sha"})
# Digits of numbers that are below the limit, whatever they are.
_SMALL = len(str(LIMIT)) - 1


class ChunkColumns(Sequence[ChunkRow]):
    """The chunks of a block of lines.

    Attributes:
        columns: the same, not decoded; their ids, documents and digests hold no escapes.
    """

    def __init__(self, columns: JsonColumns, decode: Any) -> None:
        self.columns = columns
        self._decode = decode

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, at: int) -> ChunkRow: ...
    @overload
    def __getitem__(self, at: slice) -> list[ChunkRow]: ...
    def __getitem__(self, at: int | slice) -> ChunkRow | list[ChunkRow]:
        numbers = range(len(self))[at]
        if isinstance(numbers, int):
            return self._lines(numbers, numbers + 1)[0]
        if numbers.step == 1:
            return self._lines(numbers.start, max(numbers.start, numbers.stop))
        return list(self)[at]

    def __iter__(self) -> Iterator[ChunkRow]:
        return iter(self._lines(0, len(self)))

    def _lines(self, start: int, stop: int) -> list[ChunkRow]:
        starts = self.columns.starts
        found: list[ChunkRow] = self._decode(self.columns.block[starts[start] : starts[stop]])
        return found


class Columns:
    """A reader of blocks; it learns from each block's first line what its lines are like."""

    def __init__(self) -> None:
        import msgspec

        self._careful = chunk_decoder()
        members: list[Any] = [("chunk_id", str), ("doc_uri", str)]
        members += [(name, (str if name in _TEXTS else int) | None, None) for name in MEMBERS[2:]]
        # What is asked for was found to be sound before.
        self._decode = msgspec.json.Decoder(msgspec.defstruct("row", members, gc=False)).decode_lines
        self._template: Template | None = None

    def __call__(self, block: bytes) -> ChunkColumns | None:
        """The chunks of a block of lines, which ends with a line end; None where somebody else has to decide."""
        from irbridge.jsoncolumns import JsonColumns

        found = None if self._template is None else JsonColumns.split(block, self._template)
        if found is None:
            self._template = self._learnt(block[: block.find(b"\n") + 1])
            found = None if self._template is None else JsonColumns.split(block, self._template)
        return ChunkColumns(found, self._decode) if found is not None and _is_sound(found) else None

    def _learnt(self, line: bytes) -> Template | None:
        from irbridge.jsoncolumns import Template

        found = Template.of(line)
        if found is None:
            return None
        try:
            self._careful(line.decode().rstrip("\n"))
        except (Refused, UnicodeDecodeError):
            return None
        # `start` without `end` was refused; of other members a number may be a text in the next line, and is none there.
        kinds = {value.name: value.is_text for value in found.values}
        return found if all(kinds[name] == (name in _TEXTS) for name in MEMBERS if name in kinds) else None


def _is_sound(found: JsonColumns) -> bool:
    """Whether the values of all chunks are such as a chunk may have."""
    for name in ("chunk_id", "doc_uri", "text_sha"):
        if name in found.places and not found.unescaped(name):
            return False
    if found.has_empty("chunk_id") or found.has_empty("doc_uri"):
        return False
    for name in ("ordinal", "start", "end"):
        if name in found.places and found.longest(name) > _SMALL and int(found.integers(name).max()) > LIMIT:
            return False
    return "start" not in found.places or bool((found.integers("start") <= found.integers("end")).all())
