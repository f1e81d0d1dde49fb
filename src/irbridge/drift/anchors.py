"""Which pieces of texts are looked for in a stream of bytes, and whose they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import compress
from typing import TYPE_CHECKING

from irbridge.drift.windows import SIZE, Windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Up to so many texts, pieces of each; of more texts fewer, so that what is known of all stays in the processor's cache, and in bounds.
_PIECES = ((1 << 10, 16), (1 << 15, 5))
_LEAST = 3
# Bytes that every JSON writer leaves as they are.
_PLAIN = re.compile(rb"[ !#-%(-.0-;=?-\[\]-~]{" + str(SIZE).encode() + rb",}")


class Anchors:
    """The pieces of some texts.

    Args:
        texts: UTF-8 by label number.

    Attributes:
        owners: by the number of a piece, the labels that have it.
        count: number of pieces by label that are looked for; labels without any are not there.
        plain: no piece holds a byte that JSON might write otherwise.
    """

    def __init__(self, texts: Mapping[int, bytes]) -> None:
        self.count: dict[int, int] = {}
        self.plain = True
        pieces: dict[bytes, list[int]] = {}
        most = next((pieces for limit, pieces in _PIECES if len(texts) <= limit), _LEAST)
        for number, text in texts.items():
            own = self._pieces(text, most)
            for piece in own:
                pieces.setdefault(piece, []).append(number)
            if own:
                self.count[number] = len(own)
        self.owners = list(pieces.values())
        self._windows = Windows(list(pieces)) if pieces else None
        if self._windows is not None:
            for owners in compress(self.owners, ~self._windows.telling):
                for number in owners:
                    self.count[number] -= 1

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

    def __call__(self, block: bytes) -> list[int]:
        """The positions of pieces in a block of bytes, ascending."""
        return sorted(position for position, _ in self.standing(block))

    def standing(self, block: bytes, ignored: NDArray[np.bool_] | None = None) -> list[tuple[int, int]]:
        """(position, piece) for each piece that stands in a block of bytes.

        Args:
            block: where to look.
            ignored: by the number of a piece, whether it is of no interest.
        """
        return [] if self._windows is None else self._windows.standing(block, ignored)
