"""Many texts held against some known ones at once, by a hash of a few of their bytes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from irbridge.arrays import Ints, Words
from irbridge.digits import keep_low, word

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WORD = 8
_MIX, _MIX2 = word(0x9E3779B97F4A7C15), word(0xC2B2AE3D27D4EB4F)


def windows(block: bytes, kind: str) -> NDArray[Any]:
    """An array of the pieces of a block that begin at each of its bytes."""
    found: NDArray[Any] = np.ndarray((max(0, len(block) - np.dtype(kind).itemsize + 1),), kind, block, 0, (1,))
    return found


class Known:
    """Some texts, prepared so that many others can be held against them at once."""

    def __init__(self, values: Collection[str]) -> None:
        self.values = values
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
        words = windows(b"".join((*encoded, b"\0" * _WORD)), "<u8")
        ends = np.cumsum(sizes)
        starts = ends - sizes
        self._shift = word(64 - max(16, min(24, len(encoded).bit_length() + 5)))
        marks = np.zeros(1 << (64 - int(self._shift)), bool)
        marks[self._hashed(words[starts], words[np.maximum(ends - _WORD, starts)], sizes)] = True
        # Of a byte for each less would stay in the processor's cache.
        self._table = np.packbits(marks, bitorder="little")

    def _hashed(self, first: Words, last: Words, sizes: Ints) -> Words:
        """A hash of each text's size, of its first eight bytes and of its last."""
        if len(sizes) and int(sizes.min()) < _WORD:
            first, last = keep_low(first, sizes), keep_low(last, sizes)
        mixed = (first ^ (last * _MIX) ^ sizes.astype(np.uint64)) * _MIX2
        found: Words = np.right_shift((mixed ^ np.right_shift(mixed, word(32))) * _MIX, self._shift)
        return found

    def suspects(self, first: Words, last: Words, sizes: Ints) -> Ints:
        """The numbers of the texts that may be known, all that are among them.

        Args:
            first: the first eight bytes of each.
            last: the last eight of each; of a shorter text the same as the first.
            sizes: the bytes of each.
        """
        hashes = self._hashed(first, last, sizes)
        marks = self._table.take(np.right_shift(hashes, word(3)).view(np.int64))
        found: Ints = np.flatnonzero(marks >> (hashes & word(7)).astype(np.uint8) & 1)
        return found
