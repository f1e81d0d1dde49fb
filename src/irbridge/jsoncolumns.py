"""JSON Lines told apart without making anything of them.

The lines that one program wrote have the same members in the same order, so that what stands between their values is the
same bytes in all of them. Where that is so, and no value holds what JSON refuses, a block of lines is as sound as if each
had been decoded, and only those that somebody asks for have to be. All other blocks are left to who decodes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irbridge.arrays import Bools, Ints, Words
from irbridge.digits import all_digits, eight_digits, keep_low, right_aligned, word

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = 8
_QUOTE, _BACKSLASH, _SPACE, _U, _ZERO = b'"\\ u0'
_MEMBER = re.compile(rb'"([^"\\]*)" *: *(?:"([^"]*)"|(0|[1-9][0-9]{0,15})|null)')
_AFTER_BACKSLASH = np.isin(np.arange(256), list(b"/bfnrtu"))
_NIBBLE = np.array([int(chr(byte), 16) if chr(byte) in "0123456789abcdefABCDEF" else 1 << 20 for byte in range(256)])
_MIX, _MIX2 = word(0x9E3779B97F4A7C15), word(0xC2B2AE3D27D4EB4F)


class _Value(NamedTuple):
    """A value that differs from line to line: it lies between two quotation marks of the line, so far from each.

    Attributes:
        opening, closing: the numbers of the marks; `closing` may be the first of the next line.
        after, before: bytes from where the first mark begins to the value, and from the value's end to where the other begins.
    """

    name: str
    is_text: bool
    opening: int
    after: int
    closing: int
    before: int


@dataclass(frozen=True)
class Template:
    """What lines have in common.

    Attributes:
        marks: quotation marks in a line.
        first: where the first of them stands in it.
        values: in their order.
        between: the bytes before each value, and those after the last one, with the line end.
    """

    marks: int
    first: int
    values: tuple[_Value, ...]
    between: tuple[bytes, ...]

    @cached_property
    def words(self) -> tuple[Ints, Ints, Words, Words]:
        """What stands between the values, by words: the number of the gap, the place in it, which bits count, and what they are."""
        rows, offsets, masks, common = [], [], [], []
        for number, part in enumerate(self.between):
            size = min(_WORD, len(part))
            for at in sorted({*range(0, len(part) - size, _WORD), len(part) - size}) if size else ():
                rows.append(number)
                offsets.append(at)
                masks.append((1 << 8 * size) - 1)
                common.append(int.from_bytes(part[at : at + size], "little"))
        return np.array(rows), np.array(offsets), np.array(masks, np.uint64), np.array(common, np.uint64)

    @classmethod
    def of(cls, line: bytes) -> Template | None:
        """The template of an object that holds texts, whole numbers and nulls, and ends with a line end; None for others."""
        masked = _masked(line)
        marks = [at for at, byte in enumerate(masked) if byte == _QUOTE]
        places = {at: number for number, at in enumerate(marks)}
        found: list[tuple[str, bool, int, int]] = []
        reached = 1
        for member in _MEMBER.finditer(masked):
            if masked[reached : member.start()].strip(b" ") != (b"," if reached > 1 else b""):
                return None
            reached = member.end()
            kind = member.lastindex or 1
            if kind > 1:
                found.append((member[1].decode("utf-8", "replace"), kind == 2, *member.span(kind)))
        if not found or not masked.startswith(b"{") or masked[reached:].strip(b" ") != b"}\n":
            return None
        values, between, last = [], [], 0
        marks.append(len(line) + marks[0])
        for name, is_text, start, end in found:
            opening = next(places[at] for at in range(start - 1, 0, -1) if at in places)
            closing = next(number for number, at in enumerate(marks) if at >= end)
            values.append(_Value(name, is_text, opening, start - marks[opening], closing, marks[closing] - end))
            between.append(line[last:start])
            last = end
        return cls(len(marks) - 1, marks[0], tuple(values), (*between, line[last:]))


class JsonColumns:
    """A block of lines.

    Attributes:
        block: its bytes.
        starts: int64 of shape (lines + 1,): where each line begins, and where the last one ends.
        places: by member, where its values begin and end, int64 of shape (lines,); of a text without the quotation marks.
    """

    def __init__(self, block: bytes, template: Template, marks: Ints) -> None:
        self.block = block
        count = template.marks
        self.places: dict[str, tuple[Ints, Ints]] = {}
        lines = len(marks) // count
        for value in template.values:
            starts = marks[value.opening :: count][:lines] + value.after
            self.places[value.name] = starts, marks[value.closing :: count][:lines] - value.before
        self.starts = marks[::count] - template.first
        self.escapes = np.zeros(0, np.int64)

    @classmethod
    def split(cls, block: bytes, template: Template) -> JsonColumns | None:
        """The lines of a block, if all of them are sound and like the template."""
        escaped = b"\\" in block
        masked = _masked(block) if escaped else block
        data = np.frombuffer(masked, np.uint8)
        marks = np.flatnonzero(data == _QUOTE)
        lines, rest = divmod(len(marks), template.marks)
        if rest or not lines or np.count_nonzero(data < _SPACE) != lines or not _is_text(block):
            return None
        found = cls(block, template, np.append(marks, len(block) + template.first))
        if escaped:
            found.escapes = np.flatnonzero(data == _BACKSLASH)
            if not _sound_escapes(data, found.escapes):
                return None
            found.escapes = np.flatnonzero(np.frombuffer(block, np.uint8) == _BACKSLASH)
        return found if found._is_like(template) and found._has_numbers(template) else None

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def words(self) -> Words:
        """The eight bytes that begin at each position, those beyond the end being zero."""
        padded = b"".join((b"\0" * _WORD, self.block, b"\0" * _WORD))
        found: Words = np.ndarray((len(padded) - _WORD + 1,), "<u8", padded, 0, (1,))
        return found

    def release(self) -> None:
        """Give back the memory of what was made to look at the block; it is made again if it is needed."""
        self.__dict__.pop("words", None)
        self.__dict__.pop("_ascii", None)

    def _at(self, positions: Ints) -> Words:
        found: Words = self.words[positions + _WORD]
        return found

    def _is_like(self, template: Template) -> bool:
        """Whether the same bytes stand between the values of all lines."""
        begins = np.stack([self.starts[:-1], *(ends for _, ends in self.places.values())])
        after = np.stack([*(starts for starts, _ in self.places.values()), self.starts[1:]])
        sizes = np.fromiter(map(len, template.between), np.int64, len(template.between))
        if not bool((after - begins == sizes[:, None]).all()) or not bool((begins[1:] >= after[:-1]).all()):
            return False
        rows, offsets, masks, common = template.words
        return bool((self._at(begins[rows] + offsets[:, None]) & masks[:, None] == common[:, None]).all())

    def _has_numbers(self, template: Template) -> bool:
        """Whether numbers are up to 16 digits, without zeros in front."""
        for value in template.values:
            if value.is_text:
                continue
            starts, ends = self.places[value.name]
            sizes = ends - starts
            if int(sizes.min()) < 1 or int(sizes.max()) > 2 * _WORD:
                return False
            if bool(((sizes > 1) & ((self._at(starts) & word(0xFF)) == word(_ZERO))).any()):
                return False
            if not all(bool(all_digits(part).all()) for part in self._digits(value.name)):
                return False
        return True

    def _digits(self, name: str) -> tuple[Words, Words]:
        starts, ends = self.places[name]
        sizes = ends - starts
        low = right_aligned(self._at(ends - _WORD), sizes)
        if int(sizes.max()) <= _WORD:
            return low, np.full(1, 0x3030303030303030, np.uint64)
        return low, right_aligned(self._at(np.maximum(ends - 2 * _WORD, -_WORD)), sizes - _WORD)

    def integers(self, name: str) -> Words:
        """The values of a member that is a number."""
        low, high = self._digits(name)
        return eight_digits(low) + eight_digits(high) * word(100_000_000)

    def unescaped(self, name: str) -> bool:
        """Whether no value of a text holds an escape, so that its bytes are its text."""
        if not len(self.escapes):
            return True
        starts, ends = self.places[name]
        return bool((np.searchsorted(self.escapes, starts) == np.searchsorted(self.escapes, ends)).all())

    def has_empty(self, name: str) -> bool:
        """Whether some value of a text is empty."""
        starts, ends = self.places[name]
        return bool((starts == ends).any())

    def texts(self, name: str, lines: Any = slice(None)) -> list[str]:
        """The values of a text that is `unescaped`; of all lines, or of those with some numbers."""
        starts, ends = (place[lines].tolist() for place in self.places[name])
        if self._ascii is not None:
            return [self._ascii[start:end] for start, end in zip(starts, ends, strict=True)]
        return [self.block[start:end].decode() for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def _ascii(self) -> str | None:
        return self.block.decode("ascii") if self.block.isascii() else None

    def runs(self, name: str) -> list[tuple[str, int, int]]:
        """(value, first line, line after the last) of each run of equal values of a text that is `unescaped`."""
        starts, ends = self.places[name]
        sizes = ends - starts
        same = sizes[1:] == sizes[:-1]
        least, most = int(sizes.min()), int(sizes.max())
        for at in range(0, most, _WORD):
            part = self._at(np.minimum(starts + at, self.starts[-1]))
            if at + _WORD > least:
                part = keep_low(part, sizes - at)
            same &= part[1:] == part[:-1]
        firsts = [0, *(np.flatnonzero(~same) + 1).tolist()]
        return list(zip(self.texts(name, firsts), firsts, [*firsts[1:], len(self)], strict=True))

    def plain(self, name: str) -> Bools:
        """Of which lines the value of a text is ASCII without escapes, and neither begins nor ends with a space."""
        starts, ends = self.places[name]
        data = np.frombuffer(self.block, np.uint8)
        found: Bools = (data[starts] != _SPACE) & (data[ends - 1] != _SPACE)
        odd = self.escapes if self.block.isascii() else np.flatnonzero((data == _BACKSLASH) | (data > 0x7F))
        if len(odd):
            found &= np.searchsorted(odd, starts) == np.searchsorted(odd, ends)
        return found

    def standing(self, name: str, known: Known) -> list[tuple[int, str]]:
        """(line, value) where a text is one of those that are known; one that holds escapes is compared as it is written."""
        starts, ends = self.places[name]
        numbers = known.suspects(self.words, starts + _WORD, ends + _WORD)
        found = zip(numbers.tolist(), self.texts(name, numbers), strict=True)
        return [each for each in found if each[1] in known.values]


class Known:
    """Some texts, prepared so that many others can be held against them at once."""

    def __init__(self, values: Collection[str]) -> None:
        self.values = values
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        whole = b"".join((b"\0" * _WORD, *encoded, b"\0" * _WORD))
        words: Words = np.ndarray((len(whole) - _WORD + 1,), "<u8", whole, 0, (1,))
        ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded))) + _WORD
        starts = np.append(_WORD, ends[:-1]) if len(ends) else ends
        self._shift = word(64 - max(16, min(24, len(encoded).bit_length() + 5)))
        self._table = np.zeros(1 << (64 - int(self._shift)), bool)
        self._table[self._hashed(words, starts, ends)] = True

    def _hashed(self, words: Words, starts: Ints, ends: Ints) -> Words:
        """A hash of each text's size, of its first eight bytes and of its last."""
        sizes = ends - starts
        first, last = words[starts], words[np.maximum(ends - _WORD, starts)]
        if len(sizes) and int(sizes.min()) < _WORD:
            first, last = keep_low(first, sizes), keep_low(last, sizes)
        mixed = (first ^ (last * _MIX) ^ sizes.astype(np.uint64)) * _MIX2
        found: Words = np.right_shift((mixed ^ np.right_shift(mixed, word(32))) * _MIX, self._shift)
        return found

    def suspects(self, words: Words, starts: Ints, ends: Ints) -> Ints:
        """The numbers of the texts that may be known, all that are among them."""
        found: Ints = np.flatnonzero(self._table.take(self._hashed(words, starts, ends).view(np.int64)))
        return found


def _masked(block: bytes) -> bytes:
    """The block with other bytes for escaped backslashes and escaped quotation marks."""
    return block.replace(b"\\\\", b"__").replace(b'\\"', b"__")


def _is_text(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _sound_escapes(data: NDArray[np.uint8], escapes: Ints) -> bool:
    """Whether JSON allows all escapes, and none is that of NUL or of a surrogate, which may be half of a pair."""
    kinds = data[np.minimum(escapes + 1, len(data) - 1)]
    if not bool(_AFTER_BACKSLASH[kinds].all()):
        return False
    units = escapes[kinds == _U]
    if not len(units):
        return True
    if int(units[-1]) + 6 > len(data):
        return False
    code = sum(_NIBBLE[data[units + 2 + place]] << (12 - 4 * place) for place in range(4))
    sound: Bools = (code > 0) & (code < 1 << 16) & ((code < 0xD800) | (code > 0xDFFF))
    return bool(sound.all())
