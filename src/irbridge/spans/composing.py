"""Unicode's Normalization Form C with the way back: which code points of the text a stretch of its normal form stands for.

A text falls into pieces that are normalised one by one, because nothing composes or is reordered across their borders:
each piece begins with a character whose canonical decomposition begins with one that has combining class 0 and is not the
second half of any composition (UAX #15, "stable code points" and concatenation).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import chain
from unicodedata import combining, decomposition, is_normalized, normalize

#: Every character before this one begins a piece, and is its own normal form.
_FIRST = "\u0300"


@cache
def _seconds() -> frozenset[str]:
    """What composes with a character before it: the second halves of canonical decompositions, and of Hangul syllables."""
    # No ideograph or Hangul syllable has a decomposition of two in the table.
    places = chain(range(0xC0, 0x3400), range(0xF900, 0x20000))
    split = (decomposition(chr(place)).split() for place in places)
    found = {chr(int(each[1], 16)) for each in split if len(each) == 2 and not each[0].startswith("<")}
    return frozenset(found | {chr(place) for place in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))})


@cache
def begins(character: str) -> bool:
    """Whether a piece begins with that character, whatever stands before it."""
    if character < _FIRST:
        return True
    first = normalize("NFD", character)[0]
    return combining(first) == 0 and first not in _seconds()


class Composed:
    """The normal form of a text.

    Attributes:
        text: the normal form.
    """

    def __init__(self, text: str) -> None:
        # Pieces that the normal form changes: where each begins and ends there, and where in the text.
        self._lows: list[int] = []
        self._highs: list[int] = []
        self._places: list[tuple[int, int]] = []
        self.text = text if text.isascii() or is_normalized("NFC", text) else self._made(text)

    def _made(self, text: str) -> str:
        borders = [place for place, character in enumerate(text) if character < _FIRST or begins(character)]
        made: list[str] = []
        size = done = low = 0
        for high in chain(borders, (len(text),)):
            piece = text[low:high]
            if high - low > 1 or piece >= _FIRST:
                normal = normalize("NFC", piece)
                if normal != piece:
                    made += (text[done:low], normal)
                    size += low - done
                    self._lows.append(size)
                    size += len(normal)
                    self._highs.append(size)
                    self._places.append((low, high))
                    done = high
            low = high
        return "".join((*made, text[done:]))

    def place(self, at: int) -> int | None:
        """The place in the text that place `at` of the normal form is; None where that is inside of a piece."""
        if at < len(self.text) and not begins(self.text[at]):
            return None
        number = bisect_right(self._lows, at) - 1
        if number < 0:
            return at
        if at == self._lows[number]:
            return self._places[number][0]
        if at < self._highs[number]:
            return None
        return self._places[number][1] + at - self._highs[number]
