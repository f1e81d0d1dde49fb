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
_PADDING = b"\xff" * PAD
_TAB, _LF, _SPACE, _HASH, _MINUS, _POINT = 9, 10, 32, 35, 45, 46


# Fields longer than this are rare; past it they are looked at one by one, so that one of them does not slow all others.
_LONG = 64
_M1, _M2 = word(0x9E3779B97F4A7C15), word(0xFF51AFD7ED558CCD)


def mix(words: Words) -> Words:
    """Scramble 64-bit words (the finaliser of MurmurHash3): equal words stay equal, all others spread."""
    with np.errstate(over="ignore"):
        mixed = words ^ (words >> word(33))
        mixed = mixed * _M2
        mixed ^= mixed >> word(29)
    return mixed


def salt(numbers: Ints) -> Words:
    """What sets the documents of one query, told by its number, apart from the same documents of another."""
    return mix((numbers + 1).astype(np.uint64))


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
        data = np.frombuffer(b"".join((_PADDING, block, _PADDING)), np.uint8)
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
        data = np.frombuffer(b"".join((_PADDING, body, _PADDING)), np.uint8)
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
        whole = self.data.tobytes()
        places = zip(self.starts[column, rows].tolist(), self.ends[column, rows].tolist(), strict=True)
        return [whole[start:end] for start, end in places]

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
        longest = int(sizes.max(initial=0))
        shortest = int(sizes.min(initial=0))
        with np.errstate(over="ignore"):
            found: Words = sizes.astype(np.uint64) * _M1
            for offset in range(0, min(longest, _LONG), 8):
                words = self._loaded(self._further(starts, offset), None if shortest >= offset + 8 else sizes - offset)
                mixed = mix(found ^ words) * _M1
                # A field that has ended keeps its hash: it must not depend on how long its neighbours are.
                found = mixed if shortest > offset else np.where(sizes > offset, mixed, found)
            for row in np.flatnonzero(sizes > _LONG).tolist():
                found[row] ^= word(zlib.crc32(self._bytes(row, column))) * _M1
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
        longest = int(sizes.max(initial=0))
        low = right_aligned(self._words[ends - 8], sizes)
        high = right_aligned(self._words[ends - 16], sizes - 8)
        places = self._common_places(column)
        if places is None:
            low, high, decimals, points = without_points(low, high)
        else:
            low, high = without_common_point(low, high, places)
            decimals, points = np.int64(places), np.int64(1)
        good = all_digits(low)
        if longest > 16 or places is None or int(sizes.min(initial=2)) < 2:
            good &= (sizes > points) & (sizes <= 16) & (points <= 1)
        whole = eight_digits(low)
        # Nine characters with a point are eight digits: then the upper word has none.
        if places is None or longest > 9:
            good &= all_digits(high)
            whole += eight_digits(high) * word(100_000_000)
            good &= whole < EXACT
        values = whole.astype(np.float64) / POWERS[decimals]
        if some_negative:
            np.negative(values, out=values, where=negative)
        return values, good

    def _common_places(self, column: int) -> int | None:
        """How many digits (0 to 7) follow the point, if that is the same in all rows."""
        if not len(self):
            return None
        ends = self.ends[column]
        first = self.data[self.starts[column, 0] : ends[0]].tobytes()
        places = len(first) - 1 - first.rfind(b".")
        if places > 7 or b"." not in first:
            return None
        at = ends - 1 - places
        return places if bool((self.data[at] == _POINT).all() and (at >= self.starts[column]).all()) else None
