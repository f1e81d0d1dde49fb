"""Short pieces of many texts, found in a stream of bytes faster than any parser reads it.

Of the stream only every sixteenth position is looked at. That is enough because of a piece not one window is known but
sixteen, one after the other: wherever the piece stands, one of them begins where the stream is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from irbridge.drift.needles import WORD, hashed, mixed, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from irbridge.arrays import Ints, Words

#: Bytes of a window, and from one look at the stream to the next.
WIDTH = STRIDE = 16
#: Bytes of a piece.
SIZE = STRIDE + WIDTH - 1
#: Pieces of one text; of very many texts fewer, so that memory does not follow their number.
MOST = 16
_LEAST, _ALL = 3, 1 << 17
# A table has about so many bits more, as a power of two, than there are windows.
_ROOM = 3
# Bytes that every JSON writer leaves as they are.
_PLAIN = re.compile(rb"[ !#-%(-.0-;=?-\[\]-~]{" + str(SIZE).encode() + rb",}")


class Anchors:
    """The pieces of some texts.

    Args:
        texts: UTF-8 by label number.

    Attributes:
        owners: by the number of a piece, the labels that have it.
        count: number of pieces by label; labels without any are not there.
        plain: no piece holds a byte that JSON might write otherwise.
    """

    def __init__(self, texts: Mapping[int, bytes]) -> None:
        self.owners: list[list[int]] = []
        self.count: dict[int, int] = {}
        self.plain = True
        pieces: dict[bytes, list[int]] = {}
        most = max(_LEAST, min(MOST, _ALL // max(1, len(texts))))
        for number, text in texts.items():
            own = self._pieces(text, most)
            for piece in own:
                pieces.setdefault(piece, []).append(number)
            if own:
                self.count[number] = len(own)
        self.owners = list(pieces.values())
        self._prepare(pieces)

    def _pieces(self, text: bytes, most: int) -> list[bytes]:
        """Up to so many pieces, spread over the text."""
        runs = [(run.start(), run.end() - SIZE + 1) for run in _PLAIN.finditer(text)]
        if not runs and len(text) >= SIZE:
            runs = [(0, len(text) - SIZE + 1)]
            self.plain = False
        step = max(1, -(-sum(stop - start for start, stop in runs) // most))
        found: dict[bytes, None] = {}
        ahead = 0
        for start, stop in runs:
            for at in range(start + ahead, stop, step):
                found[text[at : at + SIZE]] = None
            ahead = (ahead - (stop - start)) % step
        return list(found)

    def _prepare(self, pieces: Iterable[bytes]) -> None:
        """Sort the windows of all pieces by their hashes, and mark what hashes begin with."""
        import numpy as np

        whole = b"".join([*pieces, b"\0" * (WIDTH - 1)])
        windows = hashed(whole, WIDTH).reshape(-1, SIZE)[:, :STRIDE].ravel()
        self._order = np.argsort(windows, kind="stable")
        self._hashes, self._starts, self._times = np.unique(windows[self._order], return_index=True, return_counts=True)
        bits = max(16, min(25, len(windows).bit_length() + _ROOM))
        self._shift = np.uint64(64 - bits)
        # What passes by accident in one table hardly does in the next, which is of another product of the hashes.
        self._tables = tuple(self._marked((windows * factor) >> self._shift, 1 << bits) for factor in self._factors())
        self._text = whole

    @staticmethod
    def _factors() -> tuple[np.uint64, ...]:
        import numpy as np

        return np.uint64(1), np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)

    @staticmethod
    def _marked(numbers: NDArray[np.uint64], size: int) -> NDArray[np.uint8]:
        """A bit for each of the numbers below `size`: a byte for each would not stay in the processor's cache."""
        import numpy as np

        marks = np.zeros(size, dtype=bool)
        marks[numbers] = True
        return np.packbits(marks, bitorder="little")

    def _marks(self, hashes: Words, number: int) -> Ints:
        """Which of the hashes a table knows; the hashes are gone afterwards."""
        import numpy as np

        if number:
            hashes *= self._factors()[number]
        hashes >>= self._shift
        marks = self._tables[number].take((hashes >> np.uint64(3)).view(np.int64))
        hashes &= np.uint64(7)
        marks >>= hashes.astype(np.uint8)
        marks &= np.uint8(1)
        found: Ints = np.flatnonzero(marks)
        return found

    def __call__(self, block: bytes) -> list[int]:
        """The positions of pieces in a block of bytes, ascending."""
        return sorted(position for position, _ in self.standing(block))

    def standing(self, block: bytes, ignored: NDArray[np.bool_] | None = None) -> list[tuple[int, int]]:
        """(position, piece) for each piece that stands in a block of bytes.

        Args:
            block: where to look.
            ignored: by the number of a piece, whether it is of no interest.
        """
        import numpy as np

        if len(block) < SIZE or not self.owners:
            return []
        count = (len(block) - WIDTH) // STRIDE + 1
        first, last = (np.ndarray((count,), "<u8", block, at, (STRIDE,)) for at in (0, WORD))
        at = self._marks(mixed(first, last), 0)
        found = mixed(first[at], last[at])
        at *= STRIDE
        for number in range(1, len(self._tables)):
            passed = self._marks(found.copy(), number)
            at, found = at[passed], found[passed]
        place = np.minimum(np.searchsorted(self._hashes, found), len(self._hashes) - 1)
        known = self._hashes[place] == found
        at, place = at[known], place[known]
        # One window may be that of several pieces.
        starts, times = self._starts[place], self._times[place]
        hits = np.repeat(starts - np.cumsum(times) + times, times) + np.arange(times.sum())
        piece, inside = np.divmod(self._order[hits], STRIDE)
        position = np.repeat(at, times) - inside
        within = (position >= 0) & (position + SIZE <= len(block))
        if ignored is not None:
            within &= ~ignored[piece]
        piece, position = piece[within], position[within]
        # Most windows stand somewhere by accident; the first and the last word of a piece hardly do.
        own, there, end = words(self._text), words(block), SIZE - WORD
        alike = (own[piece * SIZE] == there[position]) & (own[piece * SIZE + end] == there[position + end])
        return [
            (start, number) for start, number in zip(position[alike].tolist(), piece[alike].tolist(), strict=True)
            if block.startswith(self._text[number * SIZE : (number + 1) * SIZE], start)
        ]  # fmt: skip
