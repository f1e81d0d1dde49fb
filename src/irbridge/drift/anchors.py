"""Short pieces of many texts, found in a stream of bytes faster than any parser reads it.

Of the stream only every sixteenth position is looked at. That is enough because of a piece not one window is known but
sixteen, one after the other: wherever the piece stands, one of them begins where the stream is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from irbridge.drift.needles import WORD, hashed, mixed, words

#: Bytes of a window, and from one look at the stream to the next.
WIDTH = STRIDE = 16
#: Bytes of a piece.
SIZE = STRIDE + WIDTH - 1
#: Pieces of one text; of very many texts fewer, so that memory does not follow their number.
MOST = 16
_LEAST, _ALL = 3, 1 << 17
# Bytes that every JSON writer leaves as they are.
_PLAIN = re.compile(rb"[ !#-%(-.0-;=?-\[\]-~]{" + str(SIZE).encode() + rb",}")


class Anchors:
    """The pieces of some texts.

    Args:
        texts: UTF-8 by label number.

    Attributes:
        owners: by the number of a piece, the label that has it.
        count: number of pieces by label; labels without any are not there.
        plain: no piece holds a byte that JSON might write otherwise.
    """

    def __init__(self, texts: Mapping[int, bytes]) -> None:
        self.owners: list[int] = []
        self.count: dict[int, int] = {}
        self.plain = True
        pieces: list[bytes] = []
        most = max(_LEAST, min(MOST, _ALL // max(1, len(texts))))
        for number, text in texts.items():
            own = self._pieces(text, most)
            pieces += own
            self.owners += [number] * len(own)
            if own:
                self.count[number] = len(own)
        self._prepare(pieces)

    def _pieces(self, text: bytes, most: int) -> list[bytes]:
        """Up to so many pieces, spread over the text."""
        starts = [run.start() + at for run in _PLAIN.finditer(text) for at in range(len(run[0]) - SIZE + 1)]
        if not starts:
            starts = list(range(len(text) - SIZE + 1))
            self.plain = self.plain and not starts
        step = max(1, -(-len(starts) // most))
        return list(dict.fromkeys(text[at : at + SIZE] for at in starts[::step]))

    def _prepare(self, pieces: list[bytes]) -> None:
        """Sort the windows of all pieces by their hashes, and mark what hashes begin with."""
        import numpy as np

        whole = b"".join([*pieces, b"\0" * (WIDTH - 1)])
        windows = hashed(whole, WIDTH).reshape(-1, SIZE)[:, :STRIDE].ravel()
        self._order = np.argsort(windows, kind="stable")
        self._hashes, self._starts, self._times = np.unique(windows[self._order], return_index=True, return_counts=True)
        bits = max(16, min(24, len(windows).bit_length() + 4))
        # What passes by accident in the first table hardly does in the second, which knows other bits of the hashes.
        self._shifts = np.uint64(64 - bits), np.uint64(32 - bits // 2)
        self._last = np.int64((1 << bits) - 1)
        self._tables = tuple(np.zeros(1 << bits, dtype=bool) for _ in self._shifts)
        for table, shift in zip(self._tables, self._shifts, strict=True):
            table[(windows >> shift).view(np.int64) & self._last] = True
        self._text = whole

    def __call__(self, block: bytes) -> list[int]:
        """The positions of pieces in a block of bytes, ascending."""
        return sorted(position for position, _ in self.standing(block))

    def standing(self, block: bytes) -> list[tuple[int, int]]:
        """(position, piece) for each piece that stands in a block of bytes."""
        import numpy as np

        if len(block) < SIZE or not self.owners:
            return []
        count = (len(block) - WIDTH) // STRIDE + 1
        first, last = (np.ndarray((count,), "<u8", block, at, (STRIDE,)) for at in (0, WORD))
        found = mixed(first, last)
        at = np.arange(0, count * STRIDE, STRIDE)
        for table, shift in zip(self._tables, self._shifts, strict=True):
            passed = np.flatnonzero(table.take((found >> shift).view(np.int64) & self._last))
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
        piece, position = piece[within], position[within]
        # Most windows stand somewhere by accident; the first and the last word of a piece hardly do.
        own, there, end = words(self._text), words(block), SIZE - WORD
        alike = (own[piece * SIZE] == there[position]) & (own[piece * SIZE + end] == there[position + end])
        return [
            (start, number) for start, number in zip(position[alike].tolist(), piece[alike].tolist(), strict=True)
            if block.startswith(self._text[number * SIZE : (number + 1) * SIZE], start)
        ]  # fmt: skip
