"""What a label's text and a chunk have in common, as ranges of code points that a screen can mark.

Texts are compared as drift compares them: in NFC and without white space. The ranges are those of the texts as they
stand, white space between two marked characters included.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from irbridge.drift.alignment import align
from irbridge.identity import STRIPPED

Range = tuple[int, int]
#: (place in one text, place in the other, size) of what is equal.
_Run = tuple[int, int, int]

#: Beyond this many comparisons of a character with a character, texts are not aligned; what is equal at their ends is still found.
_MOST = 1 << 26
_MOST_PLACES = 8
#: A shorter border that two texts share is an accident; so is a shorter run of texts that have little in common.
_SHORTEST, _TELLING_RUN = 3, 12
_SPACE = frozenset(STRIPPED)
_WORD = re.compile(r"\w+")
#: Shorter words say little about what a text is about.
TELLING = 4
_LONG_WORD = re.compile(rf"\w{{{TELLING},}}")


class Flat:
    """A text in NFC and without white space, each character with the place that it comes from.

    Attributes:
        body: the characters.
        starts: for each of them, where in the text it begins.
        ends: and where it ends; None where each is one character of the text.
    """

    def __init__(self, text: str) -> None:
        if unicodedata.is_normalized("NFC", text):
            self.starts = [at for at, char in enumerate(text) if char not in _SPACE]
            self.ends: list[int] | None = None
            self.body = "".join(text.split())
            return
        self.starts, self.ends, body = [], [], []
        for start, end in _clusters(text):
            for char in unicodedata.normalize("NFC", text[start:end]):
                if char not in _SPACE:
                    body.append(char)
                    self.starts.append(start)
                    self.ends.append(end)
        self.body = "".join(body)

    def ranges(self, found: Iterable[Range]) -> list[Range]:
        """Ranges of `body` as ranges of the text, in order; those that touch but for white space are one."""
        joined: list[Range] = []
        for start, end in sorted(found):
            if joined and start <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            elif end > start:
                joined.append((start, end))
        return [(self.starts[start], self._end(end - 1)) for start, end in joined]

    def _end(self, at: int) -> int:
        return self.starts[at] + 1 if self.ends is None else self.ends[at]


def _clusters(text: str) -> Iterator[Range]:
    """Pieces that normalisation does not reach across: a character with its marks, the parts of a Hangul syllable."""
    start = 0
    for at, char in enumerate(text):
        part = unicodedata.combining(char) or "\u1160" <= char <= "\u11ff"
        if at and (not part or text[at - 1] in _SPACE):
            yield start, at
            start = at
    if text:
        yield start, len(text)


class Common(NamedTuple):
    """What is equal: where in the chunk, and where in the label's text."""

    chunk: list[Range]
    label: list[Range]


def common(label: Flat, chunk: Flat, *, stands: bool = False) -> Common:
    """The equal parts of a label's text and a chunk: one inside the other, or at their borders, or run by run.

    Args:
        label: the label's text.
        chunk: a chunk's.
        stands: the label's text stands in the document as it is, so that a border that both share is all there is.
    """
    one, other = label.body, chunk.body
    if not one or not other:
        return Common([], [])
    if other in one:
        return Common(chunk.ranges([(0, len(other))]), label.ranges(_places(other, one)))
    if one in other:
        return Common(chunk.ranges(_places(one, other)), label.ranges([(0, len(one))]))
    found = _at_borders(one, other)
    if not (found and stands) and not _is_much(found, one, other) and len(one) * len(other) <= _MOST:
        runs = [(block.one, block.other, block.size) for block in align(one, other)]
        if not _is_much(runs, one, other):
            runs = [run for run in runs if run[2] >= _TELLING_RUN]
        found = max(found, runs, key=_size)
    return Common(
        chunk.ranges((place, place + size) for _, place, size in found),
        label.ranges((place, place + size) for place, _, size in found),
    )


def _is_much(runs: Sequence[_Run], one: str, other: str) -> bool:
    """Whether what is equal makes up half of the shorter text: no accident, however short the runs are."""
    return 2 * _size(runs) >= min(len(one), len(other))


def _size(runs: Sequence[_Run]) -> int:
    return sum(size for _, _, size in runs)


def _places(part: str, text: str) -> list[Range]:
    found: list[Range] = []
    at = text.find(part)
    while at >= 0 and len(found) < _MOST_PLACES:
        found.append((at, at + len(part)))
        at = text.find(part, at + 1)
    return found


def _at_borders(one: str, other: str) -> list[_Run]:
    """The longest end of the one that begins the other, or the reverse."""
    after, before = _shared(one, other), _shared(other, one)
    found = (len(one) - after, 0, after) if after >= before else (0, len(other) - before, before)
    return [found] if found[2] >= _SHORTEST else []


def _shared(ends: str, begins: str) -> int:
    """Length of the longest text that ends the one and begins the other, in linear time (Knuth, Morris and Pratt)."""
    begins = begins[: len(ends)]
    ends = ends[len(ends) - len(begins) :]
    fallback = [0] * len(begins)
    size = 0
    for at in range(1, len(begins)):
        while size and begins[at] != begins[size]:
            size = fallback[size - 1]
        size += begins[at] == begins[size]
        fallback[at] = size
    size = 0
    for char in ends:
        while size and (size == len(begins) or char != begins[size]):
            size = fallback[size - 1]
        size += char == begins[size]
    return size


# --------------------------------------------------------------------------------------------------------------- words


def words(text: str) -> Iterator[tuple[str, int, int]]:
    """(word, start, end): case folded; of scripts written without spaces each two neighbouring characters."""
    for match in _WORD.finditer(text):
        word, start = match.group(), match.start()
        if word.isascii():
            yield word.lower(), start, match.end()
        elif any(unicodedata.east_asian_width(char) == "W" for char in word):
            for at in range(len(word) - 1):
                yield word[at : at + 2], start + at, start + at + 2
        else:
            yield unicodedata.normalize("NFC", word).casefold(), start, match.end()


def telling(text: str) -> frozenset[str]:
    """The words that say what a text is about, as far as their length tells."""
    if text.isascii():
        return frozenset(_LONG_WORD.findall(text.lower()))
    return frozenset(word for word, _, _ in words(text) if len(word) >= TELLING or not word.isascii())


def shared_words(text: str, wanted: frozenset[str]) -> list[Range]:
    """Where words of `wanted` stand in the text; of words that overlap one range."""
    found: list[Range] = []
    for word, start, end in words(text):
        if word in wanted:
            if found and start <= found[-1][1]:
                found[-1] = found[-1][0], end
            else:
                found.append((start, end))
    return found
