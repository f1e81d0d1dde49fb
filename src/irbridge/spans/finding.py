"""Where a quote stands in a document, to the code point, compared as identity compares texts (spec/chunk-id.md).

Both sides are in Normalization Form C, and every run of white space, line ends among it, is worth one space; nothing else
is folded. What is found is a stretch of the document as it is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from unicodedata import normalize

from irbridge.identity import STRIPPED
from irbridge.spans.composing import Composed

#: (start, end) in code points, half open.
Extent = tuple[int, int]

_WORD = re.compile(f"[^{re.escape(STRIPPED)}]+")
# Scripts that write words without a space between them: within their text a border of words cannot be told.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf\u2e80-\ua4cf\ua9e0-\ua9ff\uaa60-\uaadf"
    "\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_KEY, _TRIED = 16, 8


class Found(NamedTuple):
    """Where a quote stands.

    Attributes:
        places: the first places, at most two, since more than one is too many.
        inside_word: it is one word, and its only place is a part of a longer one.
    """

    places: tuple[Extent, ...] = ()
    inside_word: bool = False


def folded(text: str) -> str:
    """The form in which texts are compared."""
    return " ".join(_WORD.findall(normalize("NFC", text)))


class Searched:
    """A document in which quotes are looked for.

    Args:
        text: the document.
        many: more than a few quotes will be looked for: then its words are put into a table first, and the time does not
            grow with the number of quotes times the length of the document.
    """

    def __init__(self, text: str, *, many: bool = False) -> None:
        self.original = text
        self._composed = Composed(text)
        self._starts: list[int] = []
        self._places: list[int] = []
        words: list[str] = []
        place = 0
        for word in _WORD.finditer(self._composed.text):
            self._starts.append(word.start())
            self._places.append(place)
            words.append(word.group())
            place += len(words[-1]) + 1
        self._text = " ".join(words)
        self._table = self._tabled() if many else None
        self._known: dict[str, Found] = {}

    def find(self, quote: str) -> Found:
        """Where a quote stands; nowhere if it is empty."""
        body = folded(quote)
        found = self._known.get(body)
        if found is None:
            found = self._known[body] = self._found(body) if body else Found()
        return found

    def _found(self, body: str) -> Found:
        found: list[Extent] = []
        inside = False
        for at in self._candidates(body):
            extent = self._extent(at, at + len(body))
            if extent is not None:
                found.append(extent)
                inside = self._cuts_word(body, at)
                if len(found) == 2:
                    break
        return Found(tuple(found), len(found) == 1 and inside)

    def _candidates(self, body: str) -> Iterator[int]:
        """Where the folded document has `body`, ascending; places may overlap."""
        at = self._anchor(body)
        if self._table is not None and at is not None:
            for place in self._table.get(body[at : at + _KEY], ()):
                if place >= at and self._text.startswith(body, place - at):
                    yield place - at
            return
        place = self._text.find(body)
        while place >= 0:
            yield place
            place = self._text.find(body, place + 1)

    def _tabled(self) -> dict[str, list[int]]:
        """Where words begin, by the characters that follow."""
        table: dict[str, list[int]] = {}
        for place in self._places:
            table.setdefault(self._text[place : place + _KEY], []).append(place)
        return table

    def _anchor(self, body: str) -> int | None:
        """The word of a quote that is looked up: that of its first ones which the document has least often.

        The first of all may begin in the middle of one of the document's, every other begins where one of those does.
        """
        if self._table is None:
            return None
        places: list[int] = []
        at = body.find(" ") + 1
        while at and at + _KEY <= len(body) and len(places) < _TRIED:
            places.append(at)
            at = body.find(" ", at) + 1
        table = self._table
        return min(places, key=lambda at: len(table.get(body[at : at + _KEY], ())), default=None)

    def _extent(self, low: int, high: int) -> Extent | None:
        """The stretch of the document that folded[low:high] is; None where an end is within a composed character."""
        start, end = self._composed.place(self._position(low)), self._composed.place(self._position(high - 1) + 1)
        return None if start is None or end is None else (start, end)

    def _position(self, place: int) -> int:
        word = bisect_right(self._places, place) - 1
        return self._starts[word] + place - self._places[word]

    def _cuts_word(self, body: str, at: int) -> bool:
        """Whether a quote of one word goes on in the document on either side of it."""
        if " " in body:
            return False
        text, end = self._text, at + len(body)
        return (at > 0 and _joined(text[at - 1], text[at])) or (end < len(text) and _joined(text[end - 1], text[end]))


def _joined(one: str, other: str) -> bool:
    """Whether two neighbours belong to one word."""
    return all(each.isalnum() and not _UNSPACED.match(each) for each in (one, other))


def distinct(extents: Iterable[Extent]) -> list[Extent]:
    """Each extent once, in order."""
    return list(dict.fromkeys(extents))
