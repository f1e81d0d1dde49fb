"""Numbers that are spelled in 64-bit words, eight ASCII characters each, for many rows at once."""

from __future__ import annotations

import numpy as np

from irbridge.arrays import Bools, Ints, Words


def word(value: int) -> np.uint64:
    """`value` as an unsigned 64-bit number; numpy's stubs give it no fixed width."""
    made: np.uint64 = np.uint64(value)
    return made


# _KEEP_LOW[n]: the low n bytes of a word, which are the first n bytes of text (words are little endian).
_KEEP_LOW = np.array([(1 << (8 * size)) - 1 for size in range(9)], np.uint64)
_KEEP_HIGH = np.array([((1 << 64) - 1) ^ ((1 << (8 * (8 - size))) - 1) for size in range(9)], np.uint64)
_ZEROS = word(0x3030303030303030)
_DOTS = word(0x2E2E2E2E2E2E2E2E)
_LOW7 = word(0x7F7F7F7F7F7F7F7F)
_TOPS = word(0x8080808080808080)
_SIXES = word(0x4646464646464646)
_DOT_AT = np.array([0x80 << (8 * place) for place in range(8)], np.uint64)
POWERS = np.array([10.0**size for size in range(23)])
EXACT = word(1 << 53)


def _masks(table: Words, sizes: Ints) -> Words:
    """The masks for `sizes`, of which those below 0 count as 0 and those above 8 as 8; a single one where all are alike."""
    if not len(sizes):
        return table[sizes]
    low, high = int(sizes.min()), int(sizes.max())
    if low == high or low >= 8 or high <= 0:
        alike: Words = table[max(min(low, 8), 0)]
        return alike
    if low < 0 or high > 8:
        sizes = np.maximum(np.minimum(sizes, 8), 0)  # np.clip is slower
    return table[sizes]


def keep_low(words: Words, sizes: Ints) -> Words:
    """The first `sizes` bytes (any number; a word has 8) of words of text, zeros behind them."""
    kept: Words = words & _masks(_KEEP_LOW, sizes)
    return kept


def right_aligned(words: Words, sizes: Ints) -> Words:
    """Words whose last `sizes` bytes are digits, with ASCII zeros for what stands before these."""
    kept = _masks(_KEEP_HIGH, sizes)
    aligned: Words = (words & kept) | (~kept & _ZEROS)
    return aligned


def without_common_point(low: Words, carried: Words, places: int) -> Words:
    """The low words of `without_points` where the point is in the same place of all; `carried`: the digits ahead of them."""
    place = 7 - places
    below = word((1 << (8 * place)) - 1)
    above = word((((1 << 64) - 1) >> (8 * (place + 1))) << (8 * (place + 1)))
    return (low & above) | ((low & below) << word(8)) | carried


def without_points(low: Words, high: Words) -> tuple[Words, Words, Ints, Ints]:
    """Take the decimal point out of 16 digits in two words: (low, high, digits after the point, number of points)."""
    in_low, in_high = _points(low), _points(high)
    count = (in_low != 0).astype(np.int64) + (in_high != 0)
    # More than one point in a word is caught later: the second stays in and is no digit.
    at_low = in_low & (~in_low + word(1))
    at_high = in_high & (~in_high + word(1))
    has_low = at_low != 0
    below = (at_low >> word(7)) - word(1)
    above = ~(below | (at_low << word(1)) - (at_low >> word(7)))
    carried = high >> word(56)
    new_low = np.where(has_low, (low & above) | ((low & below) << word(8)) | carried, low)
    shifted = (high << word(8)) | word(0x30)
    has_high = (at_high != 0) & ~has_low
    below_high = (at_high >> word(7)) - word(1)
    above_high = ~(below_high | (at_high << word(1)) - (at_high >> word(7)))
    moved = (high & above_high) | ((high & below_high) << word(8)) | word(0x30)
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


def all_digits(words: Words) -> Bools:
    """Which words are eight ASCII digits."""
    with np.errstate(over="ignore"):
        digits: Bools = ((words + _SIXES) | (words - _ZEROS)) & _TOPS == 0
    return digits


def eight_digits(words: Words) -> Words:
    """The number that eight ASCII digits in a little-endian word spell (garbage for others)."""
    with np.errstate(over="ignore"):
        pairs = (words - _ZEROS) * word(10) + ((words - _ZEROS) >> word(8))
        lows = (pairs & word(0x000000FF000000FF)) * word(0x000F424000000064)
        highs = ((pairs >> word(16)) & word(0x000000FF000000FF)) * word(0x0000271000000001)
        number: Words = np.right_shift(lows + highs, word(32))
    return number
