"""Pieces of many texts looked for in one long text, each in a stretch of its own: labels of many documents in those documents.

All pieces have one size. A word of eight bytes is looked up at every few positions of the text only: of each piece as many
words, one after the other, are known as there are positions from one look to the next, so that wherever the piece stands, one
of them is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irbridge.arrays import Bools, Ints, Words

_WORD = 8
#: Texts are padded by so many bytes, so that a word may begin a little before them or end a little behind.
PAD = 16
_MIX, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_BLOCK = 1 << 16
# A table has about so many bits more, as a power of two, than there are words.
_ROOM = 5
# A piece that stands at very many places says nothing, and takes long; so many words may be met by accident all the same.
_MOST, _FEW = 1 << 20, 1 << 14


class Crowded(Exception):
    """More places than it pays to look at one by one: whoever asked has to ask in another way."""


class Padded:
    """A text prepared for looking up words anywhere in it.

    Attributes:
        words: the eight bytes that begin at each position of the padded text: at `position + PAD` for one of the text.
    """

    def __init__(self, text: bytes) -> None:
        self.size = len(text)
        padded = b"".join((b"\0" * PAD, text, b"\0" * PAD))
        self.words: Words = np.ndarray((len(padded) - _WORD + 1,), "<u8", padded, 0, (1,))

    def at(self, positions: Ints) -> Words:
        """The words that begin at some positions."""
        found: Words = self.words[positions + PAD]
        return found

    def wide(self, positions: Ints, width: int) -> Words:
        """What is looked up of them: the word itself, or one made of two."""
        first = self.at(positions)
        return _both(first, self.at(positions + width - _WORD)) if width > _WORD else first


def standing(
    pieces: Padded,
    starts: Ints,
    homes: Ints,
    size: int,
    text: Padded,
    edges: Ints,
    width: int = _WORD,
    most: int | None = None,
) -> tuple[Ints, Ints]:
    """(piece, position) for each place at which a piece stands in its own stretch; by piece, then by position.

    Args:
        pieces: a text that holds the pieces.
        starts: where each begins.
        homes: the stretch that each is looked for in.
        size: bytes of each, up to `PAD`.
        text: where they are looked for.
        edges: where each stretch of it begins, and where the last one ends.
        width: bytes that are looked up, one word or two: the more, the less is met by accident; and the fewer, the fewer places
            have to be looked at.
        most: so many places of a piece are enough, the first ones; it has more where not the whole piece is looked up.

    Raises:
        Crowded: as it says.
    """
    if not len(starts):
        return starts, starts
    stride = size - width + 1
    own = pieces.wide((starts[:, None] + np.arange(stride)).ravel(), width)
    own_homes = np.repeat(homes, stride)
    bits = max(12, min(22, len(own).bit_length() + _ROOM))
    shift, table = np.uint64(64 - bits), np.zeros(1 << bits, bool)
    table[((own * _MIX) >> shift).view(np.int64)] = True
    at, there = _met(text, stride, width, table, shift)
    keys = _mixed(own, own_homes)
    met = _mixed(there, np.searchsorted(edges, at, "right") - 1)
    # Only words of one stretch can belong together: what is left is little, and is sorted.
    left = _alike(met, keys, table, shift)
    at, met = at[left], met[left]
    left = _alike(keys, met, table, shift)
    order = left[np.argsort(keys[left], kind="stable")]
    keys = keys[order]
    first = np.flatnonzero(np.concatenate((keys[:1] == keys[:1], keys[1:] != keys[:-1])))
    times = np.diff(np.concatenate((first, [len(keys)])))
    place = _among(keys[first], met)
    at, place = at[place >= 0], place[place >= 0]
    if most is not None and width == size:
        kept = _first(place, most)
        at, place = at[kept], place[kept]
    first, times = first[place], times[place]
    total = int(times.sum())
    if total > _FEW + min(_MOST, text.size):
        raise Crowded
    which = order[np.repeat(first - np.cumsum(times) + times, times) + np.arange(total)]
    piece, inside = np.divmod(which, stride)
    position = np.repeat(at, times) - inside
    home = homes[piece]
    within = (position >= edges[home]) & (position + size <= edges[home + 1])
    piece, position = piece[within], position[within]
    begins, ends = starts[piece], starts[piece] + size - _WORD
    alike = (pieces.at(begins) == text.at(position)) & (pieces.at(ends) == text.at(position + size - _WORD))
    piece, position = piece[alike], position[alike]
    # Sorted as one number each, which takes a fraction of the time of sorting pairs.
    piece, position = np.divmod(np.sort(piece * (text.size + 1) + position), text.size + 1)
    return piece, position


def _first(numbers: Ints, most: int) -> Ints:
    """Where the first few of each number stand, the numbers in order."""
    count = len(numbers)
    numbers, at = np.divmod(np.sort(numbers * count + np.arange(count)), max(count, 1))
    kept: Ints = at[np.arange(count) - np.searchsorted(numbers, numbers) < most]
    return kept


def _met(text: Padded, stride: int, width: int, table: Bools, shift: np.uint64) -> tuple[Ints, Words]:
    """The positions, of those that are looked at, at which something may stand that is known; and what stands there."""
    count = max(0, text.size - width + 1)
    first, last = text.words[PAD : PAD + count : stride], text.words[PAD + width - _WORD :][:count:stride]
    found, there = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
    for start in range(0, len(first), _BLOCK):
        words = first[start : start + _BLOCK]
        if width > _WORD:
            words = _both(words, last[start : start + _BLOCK])
        hashes = words * _MIX
        hashes >>= shift
        at = np.flatnonzero(table.take(hashes.view(np.int64)))
        there.append(words[at])
        found.append(at + start)
    return np.concatenate(found) * stride, np.concatenate(there)


def _both(first: Words, last: Words) -> Words:
    found: Words = last * _MIX2
    found ^= first
    return found


def _alike(hashes: Words, known: Words, table: Bools, shift: np.uint64) -> Ints:
    """The numbers of the hashes that may be among others; the table is written anew for that."""
    table[:] = False
    table[(known >> shift).view(np.int64)] = True
    found: Ints = np.flatnonzero(table.take((hashes >> shift).view(np.int64)))
    return found


def _among(known: Words, hashes: Words) -> Ints:
    """Where each of the hashes stands among sorted ones that are known; -1 where it does not."""
    if not len(known):
        return np.full(len(hashes), -1)
    # Where a hash would stand in most cases is told by its first bits.
    shift = np.uint64(64 - len(known).bit_length() - 4)
    likely = np.zeros(1 << 64 - int(shift), np.int64)
    likely[(known >> shift).view(np.int64)] = np.arange(len(known))
    place: Ints = likely.take((hashes >> shift).view(np.int64))
    left = np.flatnonzero(known[place] != hashes)
    place[left] = np.searchsorted(known, hashes[left])
    left = left[known.take(place[left], mode="clip") != hashes[left]]
    place[left] = -1
    return place


def _mixed(words: Words, homes: Ints) -> Words:
    """A hash of each word and its stretch."""
    mixed: Words = (words ^ ((homes + 1).astype(np.uint64) * _MIX2)) * _MIX
    return mixed
