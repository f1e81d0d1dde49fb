"""Short pieces of many texts, found in a stream of bytes at close to the speed of reading it.

Looking up every position of a corpus would cost more than everything else. So only positions are looked at where one of a
few byte values stands, chosen so that each text has several of them: texts and corpus choose the same positions, whatever
stands before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irbridge.drift.needles import WORD, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bytes of one anchor: three machine words.
WIDTH = 24
#: Anchors of one text.
MOST = 16
_ENOUGH = 6
_SAMPLE = 4096
# At most so many byte values; a value is not taken to be scarcer than this.
_VALUES, _LEAST_SHARE = 6, 0.005
_SPACE = 0x20
_MIX = 0x9E3779B97F4A7C15
# Every JSON writer leaves these as they are.
_PLAIN = frozenset(range(0x20, 0x7F)) - frozenset(b"\"\\/<>&'")


class Anchors:
    """The anchors of some texts.

    Args:
        texts: UTF-8 by label number.

    Attributes:
        known: by the bytes of an anchor, the labels that have it and its number among theirs.
        count: number of anchors by label; labels without any are not there.
        plain: no anchor holds a byte that JSON might write otherwise.
    """

    def __init__(self, texts: Mapping[int, bytes]) -> None:
        self.known: dict[bytes, list[tuple[int, int]]] = {}
        self.count: dict[int, int] = {}
        self._values = _chosen(list(texts.values()))
        for number, text in texts.items():
            self._add(number, text)
        self.plain = all(_PLAIN.issuperset(anchor) for anchor in self.known)
        self._tables, self._shift = self._filters()

    def _add(self, number: int, text: bytes) -> None:
        stands = [at for at in range(len(text) - WIDTH + 1) if text[at] in self._values]
        clean = [at for at in stands if _PLAIN.issuperset(text[at : at + WIDTH])]
        stands = clean or stands
        step = max(1, -(-len(stands) // MOST))
        chosen = dict.fromkeys(text[at : at + WIDTH] for at in stands[::step])
        for order, anchor in enumerate(chosen):
            self.known.setdefault(anchor, []).append((number, order))
        if chosen:
            self.count[number] = len(chosen)

    def _filters(self) -> tuple[list[NDArray[Any]], int]:
        """For each machine word of an anchor, the hashes that some anchor has there."""
        import numpy as np

        bits = max(16, min(26, len(self.known).bit_length() + 5))
        tables = [np.zeros(1 << bits, dtype=bool) for _ in range(WIDTH // WORD)]
        if self.known:
            found = words(b"".join(self.known) + b"\0" * (WORD - 1))
            for place, table in enumerate(tables):
                table[(found[WORD * place :: WIDTH] * np.uint64(_MIX)) >> np.uint64(64 - bits)] = True
        return tables, 64 - bits

    def __call__(self, block: bytes) -> list[int]:
        """The positions of anchors in a block of bytes, ascending."""
        import numpy as np

        if len(block) < WIDTH or not self.known:
            return []
        at = np.frombuffer(block, dtype=np.uint8)[: len(block) - WIDTH + 1]
        picked = at == self._values[0]
        for value in self._values[1:]:
            picked |= at == value
        positions, view = np.flatnonzero(picked), words(block)
        for place, table in enumerate(self._tables):
            positions = positions[table[(view[positions + WORD * place] * np.uint64(_MIX)) >> np.uint64(self._shift)]]
        known = self.known
        return [position for position in positions.tolist() if block[position : position + WIDTH] in known]


def _chosen(texts: Sequence[bytes]) -> list[int]:
    """A few byte values, as scarce as can be, of which nearly every text has several and every long enough text one."""
    import numpy as np

    sample = texts[:: max(1, len(texts) // _SAMPLE)]
    counts = np.zeros((len(sample), 256), dtype=np.int32)
    for row, text in enumerate(sample):
        counts[row] = np.bincount(np.frombuffer(text[: max(0, len(text) - WIDTH + 1)], dtype=np.uint8), minlength=256)
    share = counts.sum(axis=0) / max(1, counts.sum())
    able = np.isin(np.arange(256), list(_PLAIN - {_SPACE}))
    chosen: list[int] = []
    open_rows = np.ones(len(sample), dtype=bool)
    while len(chosen) < _VALUES and open_rows.any():
        # Texts that become covered, for each position that has to be looked at.
        worth = (counts[open_rows] >= _ENOUGH).mean(axis=0) * able / (share + _LEAST_SHARE)
        value = int(np.argmax(worth))
        if worth[value] == 0:
            break
        chosen.append(value)
        able[value] = False
        open_rows &= counts[:, chosen].sum(axis=1) < _ENOUGH
    for text in texts:
        head = text[: max(0, len(text) - WIDTH + 1)]
        # A short text may have no value several times: it takes those that it has most of.
        if sum(map(head.count, chosen)) < _ENOUGH:
            for value, _ in Counter(head).most_common():
                if value not in chosen and value != _SPACE:
                    chosen.append(value)
                if sum(map(head.count, chosen)) >= _ENOUGH:
                    break
    return chosen
