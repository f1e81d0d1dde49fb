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

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Words = NDArray[np.uint64]
    Bools = NDArray[np.bool_]
else:  # numpy.typing costs more to import than a small file to score
    Ints = Words = Bools = np.ndarray


# Bytes around a block, so that words can be loaded before its first and after its last byte. They are no separators.
PAD = 32
_PADDING = b"\xff" * PAD
_TAB, _LF, _SPACE, _HASH, _MINUS, _POINT = 9, 10, 32, 35, 45, 46


def _u(value: int) -> np.uint64:
    # numpy's stubs give a number no fixed width; every word here is a uint64.
    word: np.uint64 = np.uint64(value)
    return word


# _KEEP_LOW[n]: the low n bytes of a word, which are the first n bytes of text (words are little endian).
_KEEP_LOW = np.array([(1 << (8 * size)) - 1 for size in range(9)], np.uint64)
_KEEP_HIGH = np.array([((1 << 64) - 1) ^ ((1 << (8 * (8 - size))) - 1) for size in range(9)], np.uint64)
_ZEROS = _u(0x3030303030303030)
_ZEROS_BELOW = np.array([0x3030303030303030 & ((1 << (8 * (8 - size))) - 1) for size in range(9)], np.uint64)
_DOTS = _u(0x2E2E2E2E2E2E2E2E)
_LOW7 = _u(0x7F7F7F7F7F7F7F7F)
_TOPS = _u(0x8080808080808080)
_SIXES = _u(0x4646464646464646)
_DOT_AT = np.array([0x80 << (8 * place) for place in range(8)], np.uint64)
_POWERS = np.array([10.0**size for size in range(23)])
# Fields longer than this are rare; past it they are looked at one by one, so that one of them does not slow all others.
_LONG = 64
_EXACT = _u(1 << 53)
_M1, _M2 = _u(0x9E3779B97F4A7C15), _u(0xFF51AFD7ED558CCD)


def _within(sizes: Ints) -> Ints:
    """Sizes between 0 and the 8 bytes of a word; np.clip is slower."""
    inside: Ints = np.maximum(np.minimum(sizes, 8), 0)
    return inside


def mix(words: Words) -> Words:
    """Scramble 64-bit words (the finaliser of MurmurHash3): equal words stay equal, all others spread."""
    with np.errstate(over="ignore"):
        mixed = words ^ (words >> _u(33))
        mixed = mixed * _M2
        mixed ^= mixed >> _u(29)
    return mixed


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
        marks = np.flatnonzero(data <= _SPACE)
        rows = len(marks) // width
        # All that is not a letter is a space, a tab or a line end, and every `width`-th of these is a line end.
        between = np.count_nonzero(data == _SPACE) + (np.count_nonzero(data == _TAB) if b"\t" in block else 0)
        if len(marks) != rows * width or between != rows * (width - 1):
            return None
        if not (data[marks[width - 1 :: width]] == _LF).all():
            return None
        # Two separators side by side, or one at the very start, would make an empty field.
        if marks[0] == PAD or not (marks[1:] - marks[:-1] > 1).all():
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

    @cached_property
    def _words(self) -> Words:
        """The eight bytes that begin at each position, as one little-endian word (unaligned view, no copy)."""
        words: Words = np.ndarray((len(self.data) - 7,), "<u8", self.data, strides=(1,))
        return words

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

    def changes(self, column: int) -> Ints:
        """The rows whose field differs from the row before; row 0 always does."""
        starts, ends = self.starts[column], self.ends[column]
        sizes = ends - starts
        differs = np.ones(len(self), np.bool_)
        differs[1:] = sizes[1:] != sizes[:-1]
        for offset in range(0, min(int(sizes.max(initial=0)), _LONG), 8):
            words = self._words[np.minimum(starts + offset, len(self._words) - 1)] & _KEEP_LOW[_within(sizes - offset)]
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
                words = self._words[np.minimum(starts + offset, len(self._words) - 1)]
                if shortest < offset + 8:
                    words = words & _KEEP_LOW[_within(sizes - offset)]
                mixed = mix(found ^ words) * _M1
                # A field that has ended keeps its hash: it must not depend on how long its neighbours are.
                found = mixed if shortest > offset else np.where(sizes > offset, mixed, found)
            for row in np.flatnonzero(sizes > _LONG).tolist():
                found[row] ^= _u(zlib.crc32(self._bytes(row, column))) * _M1
        return found

    def equal(self, column: int, other: Columns, other_column: int) -> Bools:
        """Whether the fields of two equally long lists of rows are the same, byte for byte."""
        starts, others = self.starts[column], other.starts[other_column]
        sizes = self.ends[column] - starts
        same: Bools = sizes == other.ends[other_column] - others
        for row in np.flatnonzero(same & (sizes > _LONG)).tolist():
            same[row] = self._bytes(row, column) == other._bytes(row, other_column)
        for offset in range(0, min(int(sizes.max(initial=0)), _LONG), 8):
            keep = _KEEP_LOW[_within(sizes - offset)]
            mine = self._words[np.minimum(starts + offset, len(self._words) - 1)] & keep
            its = other._words[np.minimum(others + offset, len(other._words) - 1)] & keep
            same &= mine == its
        return same

    def integers(self, column: int, *, signed: bool = False) -> Ints | None:
        """The fields as whole numbers, or None if one is not 1 to 8 ASCII digits (after a minus, if `signed`)."""
        starts, ends = self.starts[column], self.ends[column]
        negative = self.data[starts] == _MINUS if signed else None
        sizes = ends - starts if negative is None else ends - starts - negative
        if int(sizes.max(initial=0)) > 8 or int(sizes.min(initial=1)) < 1:
            return None
        words = (self._words[ends - 8] & _KEEP_HIGH[sizes]) | _ZEROS_BELOW[sizes]
        if not bool(_all_digits(words).all()):
            return None
        values = _eight_digits(words).astype(np.int64)
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
        low_size = np.minimum(sizes, 8)
        low = (self._words[ends - 8] & _KEEP_HIGH[low_size]) | _ZEROS_BELOW[low_size]
        high_size = _within(sizes - 8)
        high = (self._words[ends - 16] & _KEEP_HIGH[high_size]) | _ZEROS_BELOW[high_size]
        places = self._common_places(column)
        if places is None:
            low, high, decimals, points = _without_points(low, high)
        else:
            low, high = _without_common_point(low, high, places)
            decimals, points = np.int64(places), np.int64(1)
        good = (sizes > points) & (sizes <= 16) & (points <= 1) & _all_digits(low)
        whole = _eight_digits(low)
        # Nine characters with a point are eight digits: then the upper word has none.
        if not (places is not None and int(sizes.max(initial=0)) <= 9):
            good &= _all_digits(high)
            whole += _eight_digits(high) * _u(100_000_000)
            good &= whole < _EXACT
        values = whole.astype(np.float64) / _POWERS[decimals]
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


def _without_common_point(low: Words, high: Words, places: int) -> tuple[Words, Words]:
    """`_without_points` where the point is in the same place, in the low word, of every row."""
    place = 7 - places
    below = _u((1 << (8 * place)) - 1)
    above = _u((((1 << 64) - 1) >> (8 * (place + 1))) << (8 * (place + 1)))
    return (low & above) | ((low & below) << _u(8)) | (high >> _u(56)), (high << _u(8)) | _u(0x30)


def _without_points(low: Words, high: Words) -> tuple[Words, Words, Ints, Ints]:
    """Take the decimal point out of 16 digits in two words: (low, high, digits after the point, number of points)."""
    in_low, in_high = _points(low), _points(high)
    count = (in_low != 0).astype(np.int64) + (in_high != 0)
    # More than one point in a word is caught later: the second stays in and is no digit.
    at_low = in_low & (~in_low + _u(1))
    at_high = in_high & (~in_high + _u(1))
    has_low = at_low != 0
    below = (at_low >> _u(7)) - _u(1)
    above = ~(below | (at_low << _u(1)) - (at_low >> _u(7)))
    carried = high >> _u(56)
    new_low = np.where(has_low, (low & above) | ((low & below) << _u(8)) | carried, low)
    shifted = (high << _u(8)) | _u(0x30)
    has_high = (at_high != 0) & ~has_low
    below_high = (at_high >> _u(7)) - _u(1)
    above_high = ~(below_high | (at_high << _u(1)) - (at_high >> _u(7)))
    moved = (high & above_high) | ((high & below_high) << _u(8)) | _u(0x30)
    new_high = np.where(has_low, shifted, np.where(has_high, moved, high))
    decimals = np.where(
        has_low, 7 - np.searchsorted(_DOT_AT, at_low), np.where(has_high, 15 - np.searchsorted(_DOT_AT, at_high), 0)
    )
    return new_low, new_high, np.clip(decimals, 0, 22), count


def _points(words: Words) -> Words:
    """0x80 in every byte that is a point."""
    x = words ^ _DOTS
    found: Words = np.bitwise_not(((x & _LOW7) + _LOW7) | x | _LOW7)
    return found


def _all_digits(words: Words) -> Bools:
    with np.errstate(over="ignore"):
        digits: Bools = ((words + _SIXES) | (words - _ZEROS)) & _TOPS == 0
    return digits


def _eight_digits(words: Words) -> Words:
    """The number that eight ASCII digits in a little-endian word spell (garbage for others)."""
    with np.errstate(over="ignore"):
        pairs = (words - _ZEROS) * _u(10) + ((words - _ZEROS) >> _u(8))
        lows = (pairs & _u(0x000000FF000000FF)) * _u(0x000F424000000064)
        highs = ((pairs >> _u(16)) & _u(0x000000FF000000FF)) * _u(0x0000271000000001)
        number: Words = np.right_shift(lows + highs, _u(32))
    return number
