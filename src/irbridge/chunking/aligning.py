"""Where the pieces that a library made of a text stand in the text.

A library hands back texts, and some libraries change white space on the way. So pieces are held against the document
by their characters that are not blank, and only an alignment that is the only one possible is taken: pieces in order,
nothing left out between them, no more shared by neighbours than the overlap allows. What a chunk then holds is the
document's own text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from irbridge.chunking.base import broken_law
from irbridge.chunking.extents import SPACE, Extent, settled
from irbridge.errors import InputError, IrbridgeError, shown
from irbridge.identity import STRIPPED

_WORD = re.compile(f"[^{SPACE}]+")
_MOST_WAYS = 2000  # open at one time; a text that repeats itself for longer is not worth the search


def from_pieces(
    name: str, split: Callable[[str], Iterable[str]], overlap: int | None = None
) -> Callable[[str], list[Extent]]:
    """The function that cuts with `split`, any function from a text to the texts of its chunks.

    Args:
        name: what errors call it.
        split: anything that it raises is reported as an `InputError`.
        overlap: how many characters neighbours share at most; None where that is not known.
    """
    return lambda text: aligned(name, text, called(name, lambda: list(split(text))), overlap)


def from_offsets(name: str, split: Callable[[str], Iterable[tuple[int, int, str]]]) -> Callable[[str], list[Extent]]:
    """The function that cuts with `split`, which says where its pieces stand: (start, end, text). Each is verified.

    Where one of them is not what the document holds there, the pieces are aligned as if there were no offsets.
    """

    def cut(text: str) -> list[Extent]:
        pieces = called(name, lambda: list(split(text)))
        if all(0 <= start <= end and text[start:end] == piece for start, end, piece in pieces):
            spans = settled(text, ((start, end) for start, end, _ in pieces))
            if broken_law(text, spans) is None:
                return spans
        return aligned(name, text, [piece for _, _, piece in pieces], None)

    return cut


def called(name: str, ask: Callable[[], list[tuple[int, int, str]] | list[str]]) -> list:  # type: ignore[type-arg]
    """What a library answers.

    Raises:
        InputError: it failed.
    """
    try:
        return ask()
    except (IrbridgeError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as error:  # a panic of Rust code is no Exception
        raise InputError(
            f"{name} failed on this text: {type(error).__name__}: {shown(error)}",
            hint="take one of irbridge's own chunkers, such as recursive/512/64",
        ) from error


class _Squeezed:
    """A text without its white space, and the way back."""

    def __init__(self, text: str) -> None:
        self.whole = text
        self.starts: list[int] = []
        self.places: list[int] = []
        words: list[str] = []
        place = 0
        for word in _WORD.finditer(text):
            self.starts.append(word.start())
            self.places.append(place)
            words.append(word.group())
            place += len(words[-1])
        self.text = "".join(words)

    def extent(self, low: int, high: int) -> Extent:
        """The stretch of the document that holds squeezed[low:high]."""
        return self._position(low), self._position(high - 1) + 1

    def holds(self, place: Extent, piece: str) -> bool:
        """Whether the document has `piece` there to the letter, but for white space at its ends."""
        start, end = self.extent(*place)
        return self.whole[start:end] == piece.strip(STRIPPED)

    def _position(self, place: int) -> int:
        word = bisect_right(self.places, place) - 1
        return self.starts[word] + place - self.places[word]


def aligned(name: str, text: str, pieces: Sequence[str], overlap: int | None) -> list[Extent]:
    """Where each piece stands; one that is blank, or lies within the piece before, adds nothing and is left out.

    Raises:
        InputError: a piece is not in the text where it must be, text is in no piece, or there are several ways.
    """
    document = _Squeezed(text)
    bodies = [piece for piece in pieces if piece.strip(STRIPPED)]
    try:
        # A library that changes nothing is the usual case, and white space tells many places apart.
        return _aligned(name, document, bodies, overlap, verbatim=True)
    except _Elsewhere:
        return _aligned(name, document, bodies, overlap, verbatim=False)


class _Elsewhere(InputError):
    """No way to lay the pieces out was found; not raised where there were several."""


def _aligned(name: str, document: _Squeezed, bodies: list[str], overlap: int | None, *, verbatim: bool) -> list[Extent]:
    layers = _layers(name, document, bodies, overlap, verbatim=verbatim)
    states = {state for state in layers[-1] if state.kept[1] == len(document.text)}
    if not states:
        raise _Elsewhere(
            f"{name} left out text at the end of the document",
            text=document.text[max(state.kept[1] for state in layers[-1]) :],
            hint="take a splitter that keeps all of the text, or one of irbridge's own, such as recursive/512/64",
        )
    way: list[Extent] = []
    for number in range(len(bodies), 0, -1):
        kept = {state.kept for state in states}
        if len(kept) > 1:
            raise _unclear(name, number - 1, bodies[number - 1], document, kept)
        way.extend(kept)
        states = set().union(*(layers[number][state] for state in states))
    way.reverse()
    return [document.extent(*place) for number, place in enumerate(way) if number == 0 or place != way[number - 1]]


class _State(NamedTuple):
    """How far an alignment has come, in places of the squeezed text.

    Attributes:
        kept: the last piece that added something.
        piece: the last piece; it lies within `kept` or is `kept`.
    """

    kept: Extent
    piece: Extent


def _layers(
    name: str, document: _Squeezed, bodies: list[str], overlap: int | None, *, verbatim: bool
) -> list[dict[_State, set[_State]]]:
    """After each piece: the states that are possible, and those before it that led there."""
    layers: list[dict[_State, set[_State]]] = [{_State((0, 0), (0, 0)): set()}]
    for number, body in enumerate(bodies):
        squeezed = "".join(body.split())
        layer: dict[_State, set[_State]] = {}
        for before in layers[-1]:
            (start, end), reach = before.piece, before.kept[1]
            low = start if overlap is None else max(start, end - overlap)
            for place in _occurrences(document.text, squeezed, low, reach):
                piece = (place, place + len(squeezed))
                if not verbatim or document.holds(piece, body):
                    layer.setdefault(_State(piece if piece[1] > reach else before.kept, piece), set()).add(before)
        if not layer:
            raise _unlike(name, number, body)
        if len(layer) > _MOST_WAYS:
            raise _unclear(name, number, body, document, {state.piece for state in layer})
        layers.append(layer)
    return layers


def _occurrences(text: str, body: str, low: int, high: int) -> list[int]:
    """Where `body` begins in [low, high]."""
    found: list[int] = []
    place = text.find(body, low, high + len(body))
    while place >= 0:
        found.append(place)
        place = text.find(body, place + 1, high + len(body))
    return found


def _unclear(name: str, number: int, body: str, document: _Squeezed, places: Iterable[Extent]) -> InputError:
    first, second = sorted(document.extent(*place)[0] for place in places)[:2]
    return InputError(
        f"chunk {number} of {name} may begin at character {first} or at {second}: the text repeats itself, "
        "and the library does not say which it means",
        text=body,
        hint="set the overlap to 0, or take recursive/SIZE/OVERLAP",
    )


def _unlike(name: str, number: int, body: str) -> _Elsewhere:
    return _Elsewhere(
        f"chunk {number} of {name} is not in the document where it must follow the chunk before: "
        "the library changed or left out text",
        text=body,
        hint="take a splitter that keeps all of the text, or one of irbridge's own, such as recursive/512/64",
    )
