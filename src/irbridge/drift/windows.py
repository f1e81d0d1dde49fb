"""Short pieces of texts, found in a stream of bytes faster than any parser reads it.

Of the stream only every sixteenth position is looked at. That is enough because of a piece not one window is known but
sixteen, one after the other: wherever the piece stands, one of them begins where the stream is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irbridge.drift.needles import WORD, mixed, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irbridge.arrays import Bools, Ints, Words

#: Bytes of a window, and from one look at the stream to the next.
WIDTH = STRIDE = 16
#: Bytes of a piece.
SIZE = STRIDE + WIDTH - 1
# Of more windows than this that are alike, such as those of dashes, none tells where anything stands.
_ALIKE = 64
# Bytes of a table, as powers of two: about one for each window.
_FEWEST, _MOST = 13, 22
# The byte of a hash that names a bit of a table's byte; it is none of those that name the byte.
_BIT = 4
_FACTOR = 0x9E3779B97F4A7C15


class Windows:
    """The windows of some pieces of `SIZE` bytes.

    Attributes:
        telling: by the number of a piece, whether it is looked for: all of its windows tell something.
    """

    def __init__(self, pieces: Sequence[bytes]) -> None:
        import numpy as np

        self._text = b"".join([*pieces, bytes(WORD)])
        count = len(pieces) * STRIDE
        # A window is its hash and, in the bits that its number needs, its number: sorting that sorts both.
        self._low = np.uint64((1 << count.bit_length()) - 1)
        keys = self._hashes(self._text, (len(pieces), STRIDE), (SIZE, 1)).reshape(-1)
        keys &= ~self._low
        keys |= np.arange(count, dtype=np.uint64)
        keys.sort()
        self.telling: Bools = np.ones(len(pieces), bool)
        firsts = np.flatnonzero(np.diff(keys & ~self._low, prepend=~keys[:1]))
        times = np.diff(firsts, append=count)
        if len(times) and int(times.max()) > _ALIKE:
            self.telling[self._piece(keys[np.repeat(times > _ALIKE, times)])] = False
            keys = keys[self.telling[self._piece(keys)]]
        self._bits = max(_FEWEST, min(_MOST, len(keys).bit_length()))
        # What passes by accident in one table hardly does in the next, which is of another product of the hashes.
        others = (keys & ~self._low) * np.uint64(_FACTOR)
        others.sort()
        self._keys, self._tables = keys, (self._marked(keys), self._marked(others))

    def _piece(self, keys: Words) -> Ints:
        found: Ints = (keys & self._low).view("<i8") // STRIDE
        return found

    @staticmethod
    def _hashes(block: bytes, shape: tuple[int, ...], strides: tuple[int, ...]) -> Words:
        """The hashes of windows, as `shape` and `strides` (bytes) say where they begin."""
        import numpy as np

        first, last = (np.ndarray(shape, "<u8", block, at, strides) for at in range(0, WIDTH, WORD))
        found: Words = mixed(first, last)
        return found

    def standing(self, block: bytes, ignored: NDArray[np.bool_] | None = None) -> list[tuple[int, int]]:
        """(position, piece) for each piece that stands in a block of bytes.

        Args:
            block: where to look.
            ignored: by the number of a piece, whether it is of no interest.
        """
        import numpy as np

        if len(block) < SIZE or not len(self._keys):
            return []
        looks = (len(block) - WIDTH) // STRIDE + 1
        hashes = self._hashes(block, (looks,), (STRIDE,))
        at = self._known(0, hashes)
        hashes = hashes[at] & ~self._low
        passed = self._known(1, hashes * np.uint64(_FACTOR))
        at, hashes = at[passed], hashes[passed]
        first = np.searchsorted(self._keys, hashes)
        # One window may be that of several pieces.
        times = np.searchsorted(self._keys, hashes | self._low, "right") - first
        if not times.any():
            return []
        hits = np.repeat(first - np.cumsum(times) + times, times) + np.arange(times.sum())
        piece, inside = np.divmod((self._keys[hits] & self._low).view(np.int64), STRIDE)
        position = np.repeat(at * STRIDE, times) - inside
        kept = (position >= 0) & (position + SIZE <= len(block))
        if ignored is not None:
            kept &= ~ignored[piece]
        piece, position = piece[kept], position[kept]
        # Most windows stand somewhere by accident; the words that begin and end a piece hardly do.
        own, there, end = words(self._text), words(block), SIZE - WORD
        alike = (own[piece * SIZE] == there[position]) & (own[piece * SIZE + end] == there[position + end])
        return [
            (start, number) for start, number in zip(position[alike].tolist(), piece[alike].tolist(), strict=True)
            if block.startswith(self._text[number * SIZE : (number + 1) * SIZE], start)
        ]  # fmt: skip

    def _marked(self, hashes: Words) -> NDArray[np.uint8]:
        """A bit for each of the hashes, sorted ones: a byte for each would not stay in the processor's cache."""
        import numpy as np

        table = np.zeros(1 << self._bits, np.uint8)
        bits = np.uint8(1) << (hashes.view(np.uint8)[_BIT::WORD] & np.uint8(7))
        np.bitwise_or.at(table, (hashes >> np.uint64(64 - self._bits)).view(np.int64), bits)
        return table

    def _known(self, number: int, hashes: Words) -> Ints:
        """The places of the hashes that a table knows."""
        import numpy as np

        marks = self._tables[number].take((hashes >> np.uint64(64 - self._bits)).view(np.int64))
        marks >>= hashes.view(np.uint8)[_BIT::WORD] & np.uint8(7)
        marks &= np.uint8(1)
        found: Ints = np.flatnonzero(marks.view(bool))
        return found
