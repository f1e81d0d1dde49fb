"""Packing: what a text falls into at its strongest breaks, put together again up to a size. Normative: spec/chunkers.md.

`recursive` and `markdown` differ only in what counts as a break, strongest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from irbridge.chunking.extents import GAP, WORD_START, Extent, first_nonblank, last_nonblank, trimmed, units
from irbridge.identity import STRIPPED

#: (text, start, end) -> ascending cuts; those outside of (start, end) are passed over.
Level = Callable[[str, int, int], Iterable[int]]

#: What belongs to the character before it: no cut inside a word stands before one of these. A short list on purpose: it
#: has to be the same in every language and with every Unicode release.
_EXTENDS = re.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_JOINER = "\u200d"
_FARTHEST = 32


def packed(text: str, size: int, overlap: int, levels: Sequence[Level]) -> list[Extent]:
    """The chunks of `text`: at most `size` characters each, `overlap` or fewer of them shared with the chunk before.

    Args:
        text: the document.
        size: in characters, at least 1.
        overlap: in characters, less than `size`.
        levels: what a text is cut at, strongest first; below the last stand words, and below them characters.
    """
    found = trimmed(text, 0, len(text))
    if found is None:
        return []
    packer = _Packer(text, size, overlap, levels)
    packer.add(found, 0)
    packer.close()
    return packer.spans


class _Packer:
    """The state of one packing: the finished spans and the chunk that is still open."""

    def __init__(self, text: str, size: int, overlap: int, levels: Sequence[Level]) -> None:
        self.text = text
        self.size = size
        self.overlap = overlap
        self.levels = levels
        self.spans: list[Extent] = []
        self._begin = 0
        self._end: int | None = None

    def add(self, unit: Extent, depth: int) -> None:
        """Put a unit into the open chunk, or begin a chunk with it, or cut it at the breaks of level `depth`."""
        start, end = unit
        if self._end is not None and end - self._begin <= self.size:
            self._end = end
        elif end - start <= self.size:
            self.close()
            self._open(start, end)
        else:
            self.close()
            if depth == len(self.levels):
                self._pack_words(start, end)
            else:
                for smaller in units(self.text, start, end, self.levels[depth](self.text, start, end)):
                    self.add(smaller, depth + 1)
            self.close()

    def close(self) -> None:
        """End the open chunk."""
        if self._end is not None:
            self.spans.append((self._begin, self._end))
            self._end = None

    def _open(self, start: int, end: int) -> None:
        self._begin = self._reached_back(start, min(self.overlap, self.size - (end - start)))
        self._end = end

    def _reached_back(self, start: int, room: int) -> int:
        """Where a chunk begins whose own text begins at `start`, with `room` characters for overlap at most."""
        if not self.spans:
            return start
        low = max(start - room, self.spans[-1][0] + 1)
        if low >= start:
            return start
        word = WORD_START.search(self.text, low, start)
        if word:
            return word.start()
        if self.text[start - 1] in STRIPPED:
            return start
        while low < start and _inseparable(self.text, low):
            low += 1
        return low

    def _pack_words(self, start: int, end: int) -> None:
        """Pack the words of a unit: what `add` would do with each, but with a look at every chunk's end only."""
        while start < end:
            word = min(self._word_end(start, start + self.size + 1), end)
            if word - start > self.size:
                whole = min(self._word_end(start, end), end)
                self._cut_word(start, whole)
                start = first_nonblank(self.text, whole, end)
                continue
            begin = self._reached_back(start, min(self.overlap, self.size - (word - start)))
            stop = min(begin + self.size, end)
            if stop < end and self.text[stop] not in STRIPPED and self.text[stop - 1] not in STRIPPED:
                # Inside a word; not inside the first one, which fits.
                stop = start + len(self.text[start:stop].rsplit(None, 1)[0])
            stop = last_nonblank(self.text, start, stop)
            self.spans.append((begin, stop))
            start = first_nonblank(self.text, stop, end)

    def _word_end(self, start: int, limit: int) -> int:
        """Where the word at `start` ends, or `limit` where it goes on."""
        found = GAP.search(self.text, start, min(limit, len(self.text)))
        return found.start() if found else limit

    def _cut_word(self, start: int, end: int) -> None:
        """Cut a word that is longer than a chunk."""
        while start < end:
            begin = self._reached_back(start, self.overlap)
            stop = min(end, begin + self.size)
            if stop < end:
                stop = _before_cluster(self.text, start, stop)
            self.spans.append((begin, stop))
            start = stop


def _inseparable(text: str, position: int) -> bool:
    """Whether a cut at `position` would part what is one character to a reader."""
    return _EXTENDS.match(text, position) is not None or text[position - 1] == _JOINER


def _before_cluster(text: str, start: int, stop: int) -> int:
    """The last good place to cut in (start, stop], or `stop` where the last 32 positions have none."""
    for position in range(stop, max(start, stop - _FARTHEST), -1):
        if not _inseparable(text, position):
            return position
    return stop
