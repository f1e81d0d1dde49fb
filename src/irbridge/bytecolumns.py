"""Vectorised reading of rows of columns that are separated by one white-space byte each.

A block of text becomes, for every row and column, a start and an end in one byte array; words of eight bytes are then
compared, hashed and parsed for all rows at once. Only regular blocks are understood: anything else (other numbers of
columns, comments, repeated separators, control characters) is left to the careful line parser of the format.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from irbridge.arrays import Bools, Bytes, Ints, Words
from irbridge.digits import (
    EXACT,
    POWERS,
    all_digits,
    eight_digits,
    keep_low,
    right_aligned,
    without_common_point,
    without_points,
    word,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Bytes around a block, so that words can be loaded before its first and after its last byte. They are no separators.
PAD = 32
PADDING = b"\xff" * PAD
_TAB, _LF, _SPACE, _HASH, _MINUS, _POINT, _ZERO = b"\t\n #-.0"


# Fields longer than this are rare; past it they are looked at one by one, so that one of them does not slow all others.
_LONG = 64
_MIX = word(0xFF51AFD7ED558CCD)


def mix(words: Words) -> Words:
    """Scramble 64-bit words, in place: equal words stay equal, all others spread, in their upper half above all."""
    words *= _MIX
    words ^= words >> word(32)
    return words


def salt(numbers: Ints) -> Words:
    """What sets the documents of one query, told by its number, apart from the same documents of another."""
    return mix((numbers + 1).astype(np.uint64))


def repeated(keys: Words) -> Words:
    """Those of some scrambled words that are there more than once, in order and one time fewer than they are there."""
    upper = (keys >> word(32)).astype(np.uint32)
    ordered = np.sort(upper)  # in half the time that whole words take; few halves are alike by chance
    alike = ordered[1:][ordered[1:] == ordered[:-1]]
    if not len(alike):
        return keys[:0]
    found = np.sort(keys[np.isin(upper, alike)])
    again: Words = found[1:][found[1:] == found[:-1]]
    return again


class Columns:
    """Rows of `width` columns in one byte array.

    Attributes:
        data: the block's bytes with PAD other bytes before and after.
        starts, ends: int64 of shape (width, rows), positions in `data`; a field is data[start:end].
    """

    def __init__(self, data: NDArray[np.uint8], starts: Ints, ends: Ints) -> None:
        self.data = data
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        rows: int = self.starts.shape[1]
        return rows

    @classmethod
    def split(cls, block: bytes, width: int) -> Columns | None:
        """The rows of `block`, or None if not every line is exactly `width` fields with single separators."""
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if not block.endswith(b"\n"):
            block += b"\n"
        data = np.frombuffer(b"".join((PADDING, block, PADDING)), np.uint8)
        apart = data <= _SPACE
        marks = np.flatnonzero(apart)
        rows = len(marks) // width
        # All that is not a letter is a space, a tab or a line end, and every `width`-th of these is a line end.
        between = np.count_nonzero(data == _SPACE) + (np.count_nonzero(data == _TAB) if b"\t" in block else 0)
        if len(marks) != rows * width or between != rows * (width - 1):
            return None
        if not (data[marks[width - 1 :: width]] == _LF).all():
            return None
        # Two separators side by side, or one at the very start, would make an empty field.
        if marks[0] == PAD or (apart[1:] & apart[:-1]).any():
            return None
        ends = np.ascontiguousarray(marks.reshape(-1, width).T)
        starts = np.empty_like(ends)
        np.add(ends[:-1], 1, out=starts[1:])
        starts[0, 0] = PAD
        np.add(ends[-1, :-1], 1, out=starts[0, 1:])
        if (data[starts[0]] == _HASH).any():
            return None
        return cls(data, starts, ends)

    @classmethod
    def of_texts(cls, texts: list[str]) -> Columns:
        """One column of texts, each a row; they may hold anything."""
        whole = "".join(texts)
        body = whole.encode("utf-8", "surrogatepass")
        if len(body) == len(whole):
            sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        else:
            sizes = np.fromiter((len(text.encode("utf-8", "surrogatepass")) for text in texts), np.int64, len(texts))
        data = np.frombuffer(b"".join((PADDING, body, PADDING)), np.uint8)
        ends = np.cumsum(sizes) + PAD
        return cls(data, (ends - sizes)[None, :], ends[None, :])

    def take(self, rows: Ints | Bools | slice) -> Columns:
        """Only some rows, over the same bytes."""
        return Columns(self.data, self.starts[:, rows], self.ends[:, rows])

    def only(self, column: int) -> Columns:
        """One column, over the same bytes."""
        return Columns(self.data, self.starts[column : column + 1], self.ends[column : column + 1])

    @cached_property
    def _words(self) -> Words:
        """The eight bytes that begin at each position, as one little-endian word (unaligned view, no copy)."""
        words: Words = np.ndarray((len(self.data) - 7,), "<u8", self.data, strides=(1,))
        return words

    def _loaded(self, at: Ints, sizes: Ints | None) -> Words:
        """The words at positions `at`, of which only the first `sizes` bytes count (all eight where None)."""
        words = self._words[at]
        return words if sizes is None else keep_low(words, sizes)

    def _further(self, at: Ints, offset: int) -> Ints:
        """Positions `offset` bytes on, none of them behind the last word: only a longer field has bytes there."""
        if not offset:
            return at
        return at + offset if offset + 8 <= PAD else np.minimum(at + offset, len(self._words) - 1)

    def body(self) -> bytes:
        """The bytes of all rows, which stand in line."""
        return self.data[self.starts[0, 0] : self.ends[-1, -1] + 1].tobytes() if len(self) else b""

    def packed(self, column: int) -> tuple[Bytes, Ints]:
        """The bytes of a column without what stands between, and where each field ends in them."""
        starts, sizes = self.starts[column], self.ends[column] - self.starts[column]
        ends = np.cumsum(sizes)
        places = np.repeat(starts - (ends - sizes), sizes)
        places += np.arange(len(places))
        return self.data[places], ends

    def text(self, row: int, column: int) -> str:
        """One field as text."""
        return self.data[self.starts[column, row] : self.ends[column, row]].tobytes().decode("utf-8")

    def texts(self, column: int, first: int, last: int) -> list[str]:
        """The fields of rows first:last as texts."""
        begin = int(self.starts[column, first]) if last > first else 0
        whole = self.data[begin : int(self.ends[column, last - 1])].tobytes() if last > first else b""
        starts = (self.starts[column, first:last] - begin).tolist()
        ends = (self.ends[column, first:last] - begin).tolist()
        if whole.isascii():
            text = whole.decode("ascii")
            return [text[start:end] for start, end in zip(starts, ends, strict=True)]
        return [whole[start:end].decode("utf-8") for start, end in zip(starts, ends, strict=True)]

    def fields_at(self, column: int, rows: Ints) -> list[bytes]:
        """The fields of some rows, which need not be next to each other."""
        whole = self.data.data
        places = zip(self.starts[column, rows].tolist(), self.ends[column, rows].tolist(), strict=True)
        return [whole[start:end].tobytes() for start, end in places]

    def texts_at(self, column: int, rows: Ints) -> list[str]:
        """The same as texts."""
        return [field.decode("utf-8") for field in self.fields_at(column, rows)]

    def changes(self, column: int) -> Ints:
        """The rows whose field differs from the row before; row 0 always does."""
        starts, ends = self.starts[column], self.ends[column]
        sizes = ends - starts
        differs = np.ones(len(self), np.bool_)
        differs[1:] = sizes[1:] != sizes[:-1]
        for offset in range(0, min(int(sizes.max(initial=0)), _LONG), 8):
            words = self._loaded(self._further(starts, offset), sizes - offset if offset else sizes)
            differs[1:] |= words[1:] != words[:-1]
        for row in np.flatnonzero((sizes > _LONG) & ~differs).tolist():
            differs[row] = self._bytes(row, column) != self._bytes(row - 1, column)
        return np.flatnonzero(differs)

    def _bytes(self, row: int, column: int) -> bytes:
        return self.data[self.starts[column, row] : self.ends[column, row]].tobytes()

    def hashes(self, column: int) -> Words:
        """A 64-bit hash of each field. Equal fields hash alike; whether two hashes mean equal fields must be verified."""
        starts, ends = self.starts[column], self.ends[column]
        sizes = ends - starts
        longest, shortest = int(sizes.max(initial=0)), int(sizes.min(initial=0))
        found = mix(self._loaded(starts, None if shortest >= 8 else sizes))
        for offset in range(8, min(longest, _LONG), 8):
            words = self._loaded(self._further(starts, offset), None if shortest >= offset + 8 else sizes - offset)
            words ^= found
            # A field that has ended keeps its hash: it must not depend on how long its neighbours are.
            found = mix(words) if shortest > offset else np.where(sizes > offset, mix(words), found)
        if longest > _LONG:
            for row in np.flatnonzero(sizes > _LONG).tolist():
                found[row] ^= word(zlib.crc32(self._bytes(row, column)) << 32)
        return found

    def equal(self, column: int, other: Columns, other_column: int) -> Bools:
        """Whether the fields of two equally long lists of rows are the same, byte for byte."""
        starts, others = self.starts[column], other.starts[other_column]
        sizes = self.ends[column] - starts
        same: Bools = sizes == other.ends[other_column] - others
        for row in np.flatnonzero(same & (sizes > _LONG)).tolist():
            same[row] = self._bytes(row, column) == other._bytes(row, other_column)
        for offset in range(0, min(int(sizes.max(initial=0)), _LONG), 8):
            left = sizes - offset
            same &= self._loaded(self._further(starts, offset), left) == other._loaded(
                other._further(others, offset), left
            )
        return same

    def integers(self, column: int, *, signed: bool = False) -> Ints | None:
        """The fields as whole numbers, or None if one is not 1 to 8 ASCII digits (after a minus, if `signed`)."""
        starts, ends = self.starts[column], self.ends[column]
        negative = self.data[starts] == _MINUS if signed else None
        sizes = ends - starts if negative is None else ends - starts - negative
        if int(sizes.max(initial=0)) > 8 or int(sizes.min(initial=1)) < 1:
            return None
        words = right_aligned(self._words[ends - 8], sizes)
        if not bool(all_digits(words).all()):
            return None
        values = eight_digits(words).astype(np.int64)
        if negative is not None and negative.any():
            np.negative(values, out=values, where=negative)
        return values

    def numbers(self, column: int) -> tuple[NDArray[np.float64], Bools]:
        """The fields as doubles, correctly rounded, and which rows were understood.

        Understood is an optional minus, up to 16 characters of digits and at most one point, fewer than 2^53 in all; the
        rest (exponents, longer numbers, words) is for a careful parser.
        """
        starts, ends = self.starts[column], self.ends[column]
        negative = self.data[starts] == _MINUS
        some_negative = bool(negative.any())
        sizes = ends - starts - negative if some_negative else ends - starts
        longest, shortest = int(sizes.max(initial=0)), int(sizes.min(initial=2))
        low = self._words[ends - 8]
        places = self._common_places(column, low)
        low = right_aligned(low, sizes)
        short = places is not None and longest <= 9  # eight digits and a point: one digit is ahead of the low word
        if places is not None:
            ahead = np.where(sizes > 8, self.data[ends - 9], np.uint8(_ZERO)).astype(np.uint64)
            low, decimals, points = without_common_point(low, ahead, places), np.int64(places), np.int64(1)
        if not short:
            high = right_aligned(self._words[ends - 16], sizes - 8)
            if places is None:
                low, high, decimals, points = without_points(low, high)
            else:
                high = (high << word(8)) | word(_ZERO)
        good = all_digits(low)
        if longest > 16 or places is None or shortest < 2:
            good &= (sizes > points) & (sizes <= 16) & (points <= 1)
        whole = eight_digits(low)
        if not short:
            good &= all_digits(high)
            whole += eight_digits(high) * word(100_000_000)
            good &= whole < EXACT
        values = whole.astype(np.float64) / POWERS[decimals]
        if some_negative:
            np.negative(values, out=values, where=negative)
        return values, good

    def _common_places(self, column: int, last: Words) -> int | None:
        """How many digits (0 to 7) follow the point, if that is the same in all rows, of which `last` are the last bytes."""
        if not len(self):
            return None
        starts, ends = self.starts[column], self.ends[column]
        first = self.data[starts[0] : ends[0]].tobytes()
        places = len(first) - 1 - first.rfind(b".")
        if places > 7 or b"." not in first or int((ends - starts).min()) <= places:
            return None
        byte = word(8 * (7 - places))
        return places if bool((last & (word(0xFF) << byte) == word(_POINT) << byte).all()) else None
