"""JSON Lines told apart without making anything of them.

The lines that one program wrote have the same members in the same order, so that what stands between their values is the
same bytes in all of them. Where that is so, and no value holds what JSON refuses, a block of lines is as sound as if each
had been decoded, and only those that somebody asks for have to be. All other blocks are left to who decodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irbridge.arrays import Bools, Ints, Words
from irbridge.digits import all_digits, eight_digits, right_aligned, word
from irbridge.knowntexts import Known, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = 8
# Texts that are longer are compared one by one from here on.
_LONG = 256
# Digits of the longest numbers.
_NUMBER = 2 * _WORD
_QUOTE, _BACKSLASH, _SPACE, _U, _ZERO = b'"\\ u0'
# Exchanges the quotation mark and the space, and others that are both below or both above.
_SWAP = np.uint8(_QUOTE ^ _SPACE)
_MEMBER = re.compile(rb'"([^"\\]*)" *: *(?:"([^"]*)"|(0|[1-9][0-9]{0,15})|null)')
_AFTER_BACKSLASH = np.isin(np.arange(256), list(b"/bfnrtu"))
_NIBBLE = np.array([int(chr(byte), 16) if chr(byte) in "0123456789abcdefABCDEF" else 1 << 20 for byte in range(256)])


class _Value(NamedTuple):
    """A value that differs from line to line: it lies between two marks of the line, so far from each.

    Attributes:
        opening, closing: the numbers of the marks.
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
        marks: quotation marks in a line, with its end.
        values: in their order.
        between: the bytes before each value, and those after the last one, with the line end.
    """

    marks: int
    values: tuple[_Value, ...]
    between: tuple[bytes, ...]

    @classmethod
    def of(cls, line: bytes) -> Template | None:
        """The template of an object that holds texts, whole numbers and nulls, and ends with a line end; None for others."""
        masked = _masked(line)
        marks = [at for at, byte in enumerate(masked) if byte == _QUOTE or byte < _SPACE]
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
        for name, is_text, start, end in found:
            opening = next(places[at] for at in range(start - 1, 0, -1) if at in places)
            closing = next(number for number, at in enumerate(marks) if at >= end)
            values.append(_Value(name, is_text, opening, start - marks[opening], closing, marks[closing] - end))
            between.append(line[last:start])
            last = end
        return cls(len(marks), tuple(values), (*between, line[last:]))


class JsonColumns:
    """A block of lines.

    Attributes:
        block: its bytes.
        starts: int64 of shape (lines + 1,): where each line begins, and where the last one ends.
        places: by member, where its values begin and end, int64 of shape (lines,); of a text without the quotation marks.
    """

    def __init__(self, block: bytes, template: Template, marks: Ints) -> None:
        self.block = block
        by_number = np.ascontiguousarray(marks.reshape(-1, template.marks).T)
        self.starts = np.append(0, by_number[-1] + 1)
        # Where what stands between values begins and ends.
        self._begins, self._ends = np.empty((2, len(template.between), len(self)), np.int64)
        self._begins[0], self._ends[-1] = self.starts[:-1], self.starts[1:]
        self.places: dict[str, tuple[Ints, Ints]] = {}
        for value, starts, ends in zip(template.values, self._ends, self._begins[1:], strict=False):
            np.add(by_number[value.opening], value.after, out=starts)
            np.subtract(by_number[value.closing], value.before, out=ends)
            self.places[value.name] = starts, ends
        self.escapes = np.zeros(0, np.int64)

    @classmethod
    def split(cls, block: bytes, template: Template) -> JsonColumns | None:
        """The lines of a block, if all of them are sound and like the template."""
        escaped = b"\\" in block
        masked = _masked(block) if escaped else block
        data = np.frombuffer(masked, np.uint8)
        # Quotation marks, and control characters, of which JSON allows none in a text.
        marks = np.flatnonzero((data ^ _SWAP) <= _SPACE)
        if len(marks) % template.marks or not block.endswith(b"\n") or not _is_text(block):
            return None
        found = cls(block, template, marks)
        if escaped:
            found.escapes = np.flatnonzero(data == _BACKSLASH)
            if not _sound_escapes(data, found.escapes):
                return None
            found.escapes = np.flatnonzero(np.frombuffer(block, np.uint8) == _BACKSLASH)
        return found if found._is_like(template) and found._has_numbers(template) else None

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def _padded(self) -> bytes:
        return b"".join((b"\0" * _NUMBER, self.block, b"\0" * _WORD))

    def _at(self, positions: Ints) -> Words:
        """The eight bytes that begin at each of some positions, which ascend; those outside of the block are zero."""
        found: Words
        if positions[0] >= 0 and positions[-1] <= len(self.block) - _WORD:
            found = windows(self.block, "<u8")[positions]
        else:
            found = windows(self._padded, "<u8")[positions + _NUMBER]
        return found

    def release(self) -> None:
        """Give back the memory of what was made to look at the block; it is made again if it is needed."""
        self.__dict__.pop("_padded", None)

    def _is_like(self, template: Template) -> bool:
        """Whether the same bytes stand between the values of all lines."""
        begins, ends = self._begins, self._ends
        sizes = np.fromiter(map(len, template.between), np.int64, len(template.between))
        if not bool((ends - begins == sizes[:, None]).all()) or not bool((begins[1:] >= ends[:-1]).all()):
            return False
        return all(
            windows(self.block, f"V{len(part)}")[begins[number]].tobytes() == part * len(self)
            for number, part in enumerate(template.between)
        )

    def _has_numbers(self, template: Template) -> bool:
        """Whether numbers are up to 16 digits, without zeros in front."""
        data = np.frombuffer(self.block, np.uint8)
        for value in template.values:
            if value.is_text:
                continue
            starts, ends = self.places[value.name]
            sizes = ends - starts
            if int(sizes.min()) < 1 or int(sizes.max()) > _NUMBER:
                return False
            if bool(((sizes > 1) & (data[starts] == _ZERO)).any()):
                return False
            if not all(bool(all_digits(part).all()) for part in self._digits(value.name)):
                return False
        return True

    def _digits(self, name: str) -> list[Words]:
        """The digits of a member's values in words, of which the last comes first."""
        starts, ends = self.places[name]
        sizes = ends - starts
        return [right_aligned(self._at(ends - at - _WORD), sizes - at) for at in range(0, int(sizes.max()), _WORD)]

    def longest(self, name: str) -> int:
        """The size of the longest value of a member."""
        starts, ends = self.places[name]
        return int((ends - starts).max())

    def integers(self, name: str) -> Words:
        """The values of a member that is a number."""
        low, *high = map(eight_digits, self._digits(name))
        return low + high[0] * word(100_000_000) if high else low

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
        return [self.block[start:end].decode() for start, end in zip(starts, ends, strict=True)]

    def runs(self, name: str) -> list[tuple[str, int, int]]:
        """(value, first line, line after the last) of each run of equal values of a text that is `unescaped`.

        Its name has four letters or more.
        """
        starts, ends = self.places[name]
        sizes = ends - starts
        same = sizes[1:] == sizes[:-1]
        for at in range(0, min(int(sizes.max()), _LONG), _WORD):
            # What stands before a value, its name and more, is the same in all lines.
            part = self._at(np.minimum(starts + at, ends - _WORD))
            same &= part[1:] == part[:-1]
        for line in np.flatnonzero(same & (sizes[1:] > _LONG)).tolist():
            one, other = (self.block[starts[each] : ends[each]] for each in (line, line + 1))
            same[line] = one == other
        firsts = np.append(0, np.flatnonzero(~same) + 1)
        stops = [*firsts[1:].tolist(), len(self)]
        return list(zip(self.texts(name, firsts), firsts.tolist(), stops, strict=True))

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
        sizes = ends - starts
        last = np.maximum(ends - _WORD, starts) if int(sizes.min()) < _WORD else ends - _WORD
        numbers = known.suspects(self._at(starts), self._at(last), sizes)
        found = zip(numbers.tolist(), self.texts(name, numbers), strict=True)
        return [each for each in found if each[1] in known.values]


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
