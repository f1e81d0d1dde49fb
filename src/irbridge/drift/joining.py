"""A document put together again from its chunks, white space left out, so that a label can be found across chunk borders.

Chunkers trim white space at the borders, so white space cannot be compared there, and is left out everywhere. What
remains is the question whether two neighbours touch, overlap, or leave a gap:

- Where all chunks of a revision say where they stand (`start`, `end`, true to their texts), positions answer it. A gap
  then is white space, or text that no chunk holds: it is kept, and a label may run across it only where it has as much
  white space itself.
- Where they do not, neighbours overlap in the longest text that ends what came before and begins the next one, if that
  is long enough to be no accident: `CERTAIN` bytes, or `LIKELY` where two or more of the document's neighbours, and more than
  half of them, overlap that far, as under a chunker with overlap.
- As even a long overlap may be a repetition instead (rows of dashes), chunks that merely stand one after the other are a
  second reading of such a document.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from irbridge.drift.needles import SEPARATOR
from irbridge.identity import STRIPPED, normalize
from irbridge.model import ChunkRow

# The white space that is ASCII, and the other.
_SPACES = "".join(filter(str.isascii, STRIPPED)).encode()
_WIDE_SPACES = [space.encode() for space in STRIPPED if not space.isascii()]

_LAST = SEPARATOR.decode("latin-1")

CERTAIN = 16
LIKELY = 3
# After so many places that might begin an overlap and do not, all are looked at together.
_TRIED = 64


def squeezed(text: str) -> str:
    """The text without its white space: the code points that normalisation strips from the ends are what `split` splits at."""
    return "".join(text.split())


def unspaced(text: bytes, *, plain: bool) -> bytes:
    """UTF-8 text without its white space; `plain` where all of it is ASCII, separators aside."""
    found = text.translate(None, _SPACES)
    for space in () if plain else _WIDE_SPACES:
        found = found.replace(space, b"")
    return found


def encoded(texts: Sequence[str]) -> tuple[bytes, bool]:
    """Texts as UTF-8, a separator after each; and whether all of them are ASCII."""
    plain = all(map(str.isascii, texts))
    if plain:  # one call for all of them
        return _LAST.join([*texts, ""]).encode("latin-1"), True
    return SEPARATOR.join([*[text.encode() for text in texts], b""]), False


def bodies_of(chunks: Sequence[str | None]) -> list[bytes]:
    """Chunks without white space, as UTF-8; empty where there is no text."""
    text, plain = encoded([chunk or "" for chunk in chunks])
    return unspaced(text, plain=plain).split(SEPARATOR)[:-1]


class Piece(NamedTuple):
    """One chunk: its position among the document's chunks, where it stands in the joined text (bytes)."""

    chunk: int
    start: int
    end: int


class Joined:
    """Chunks as one text.

    Attributes:
        text: squeezed UTF-8; revisions are set apart by a byte that no text has.
        gaps: code points that no chunk holds, by the place in the text where they are missing.
    """

    def __init__(self) -> None:
        self.text = bytearray()
        self.gaps: dict[int, int] = {}
        self.chunks: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self._reach: list[int] = []

    def place(self, chunk: int, at: int, body: bytes) -> None:
        """Put a chunk at `at`; what of it stands there already must be equal."""
        end = at + len(body)
        if end > len(self.text):
            self.text += body[len(self.text) - at :] if at < len(self.text) else body
        self.chunks.append(chunk)
        self.starts.append(at)
        self.ends.append(end)

    def append(self, chunks: Sequence[int], bodies: Sequence[bytes]) -> None:
        """Put chunks one after the other."""
        ends = list(accumulate(map(len, bodies), initial=len(self.text)))
        self.text += b"".join(bodies)
        self.chunks += chunks
        self.starts += ends[:-1]
        self.ends += ends[1:]

    def forget(self, size: int, pieces: int) -> None:
        """Take back what was put after the first `size` bytes and `pieces` chunks."""
        del self.text[size:]
        for kept in (self.chunks, self.starts, self.ends):
            del kept[pieces:]

    def seal(self) -> Joined:
        """Everything is in place: prepare for looking up."""
        if self.starts != sorted(self.starts):
            order = sorted(range(len(self.chunks)), key=lambda at: (self.starts[at], self.chunks[at]))
            self.chunks, self.starts, self.ends = (
                [kept[at] for at in order] for kept in (self.chunks, self.starts, self.ends)
            )
        self._reach = list(accumulate(self.ends, max))
        return self

    def between(self, start: int, end: int) -> list[Piece]:
        """The pieces that hold some of the text from `start` to `end`, in order."""
        first, last = bisect_right(self._reach, start), bisect_right(self.starts, end - 1)
        return [
            Piece(self.chunks[at], self.starts[at], self.ends[at]) for at in range(first, last) if self.ends[at] > start
        ]


def joined(rows: Sequence[ChunkRow], chunks: Sequence[str | None]) -> Iterator[Joined]:
    """The readings of a document, the likeliest first; another is made only when it is asked for.

    Args:
        rows: the document's chunks in the order of their ordinals.
        chunks: their normalised texts, None where there is none.
    """
    bodies = bodies_of(chunks)
    found = Joined()
    doubtful = put(found, rows, bodies)
    yield found.seal()
    if doubtful:
        yield touching(rows, bodies)


def put(found: Joined, rows: Sequence[ChunkRow], bodies: Sequence[bytes], first: int = 0) -> bool:
    """Put the chunks of a document behind what is there; returns whether there is another reading of it.

    Args:
        found: what is there.
        rows: the document's chunks in the order of their ordinals.
        bodies: their texts without white space.
        first: the number of the first chunk.
    """
    doubtful, before = False, len(found.chunks)
    for numbers in _revisions(rows, bodies):
        if found.text:
            found.text += SEPARATOR
        by_place = _by_place(found, rows, bodies, numbers)
        if not by_place:
            doubtful |= _by_overlap(found, bodies, numbers)
    if first:
        found.chunks[before:] = [chunk + first for chunk in found.chunks[before:]]
    return doubtful


def _revisions(rows: Sequence[ChunkRow], bodies: Sequence[bytes]) -> Iterable[Sequence[int]]:
    revisions: dict[str | None, list[int]] = {}
    if all(bodies) and len({row.doc_revision for row in rows}) == 1:
        return (range(len(rows)),)
    for number, row in enumerate(rows):
        if bodies[number]:
            revisions.setdefault(row.doc_revision, []).append(number)
    return revisions.values()


def touching(rows: Sequence[ChunkRow], bodies: Sequence[bytes]) -> Joined:
    """The second reading of a document: chunks one after the other."""
    found = Joined()
    for numbers in _revisions(rows, bodies):
        if found.text:
            found.text += SEPARATOR
        found.append(numbers, [bodies[number] for number in numbers])
    return found.seal()


def _by_place(found: Joined, rows: Sequence[ChunkRow], bodies: Sequence[bytes], numbers: Sequence[int]) -> bool:
    """Put chunks where they say they stand; False, and nothing done, where that contradicts their texts."""
    for number in numbers:
        row = rows[number]
        if row.start is None or row.end is None or row.end - row.start != len(row.text or ""):
            return False
    base, pieces, gaps = len(found.text), len(found.chunks), dict(found.gaps)
    reached, last = None, -1
    for number in sorted(numbers, key=lambda number: (rows[number].start or 0, rows[number].end or 0)):
        start, end = rows[number].start or 0, rows[number].end or 0
        if reached is None or start >= reached:
            if reached is not None and start > reached:
                found.gaps[len(found.text)] = start - reached
            at = len(found.text)
        else:
            # As many characters before the end of the chunk that reaches furthest as the texts overlap.
            before = rows[last].text or ""
            tail = squeezed(normalize(before[start - (rows[last].start or 0) :])).encode()
            at = len(found.text) - len(tail)
            body = bodies[number]
            there = bytes(found.text[max(at, base) : at + len(body)])
            if at < base or not (body.startswith(there) if end > reached else there == body):
                found.forget(base, pieces)
                found.gaps = gaps
                return False
        found.place(number, at, bodies[number])
        if reached is None or end > reached:
            reached, last = end, number
    return True


def _by_overlap(found: Joined, bodies: Sequence[bytes], numbers: Sequence[int]) -> bool:
    """Put chunks one after the other, overlapping as their texts do; whether they could be read otherwise."""
    own = [bodies[number] for number in numbers]
    least = LIKELY if _mostly_overlap(own) else CERTAIN
    heads = [body[:least] for body in own[1:]]
    likely = [at for at, (before, head) in enumerate(zip(own, heads, strict=False)) if head in before]
    if not any(_overlap(own[at], own[at + 1], least) for at in likely):
        found.append(numbers, own)
        return False
    base, doubtful = len(found.text), False
    for number in numbers:
        body = bodies[number]
        tail = bytes(found.text[max(base, len(found.text) - len(body)) :])
        shared = _overlap(tail, body, least)
        doubtful |= shared > 0
        found.place(number, len(found.text) - shared, body)
    return doubtful


def _mostly_overlap(bodies: Sequence[bytes]) -> bool:
    """Whether two or more of the neighbours, and more than half of them, overlap by `LIKELY` bytes or more."""
    overlapping, apart, pairs = 0, 0, len(bodies) - 1
    for before, after in pairwise(bodies):
        if after[:LIKELY] in before and before[-LIKELY:] in after and _overlap(before, after, LIKELY):
            overlapping += 1
        else:
            apart += 1
            if 2 * apart >= pairs:
                return False
    return overlapping > 1


def _overlap(before: bytes, after: bytes, least: int) -> int:
    """Length of the longest text that ends the one and begins the other; 0 if it has fewer than `least` bytes."""
    if len(after) < least or len(before) < least:
        return 0
    head = after[:least]
    at = before.find(head, max(0, len(before) - len(after)))
    for _ in range(_TRIED):
        if at < 0:
            return 0
        if after.startswith(before[at:]):
            return len(before) - at
        at = before.find(head, at + 1)
    shared = _border(before, after) if at >= 0 else 0
    return shared if shared >= least else 0


def _border(before: bytes, after: bytes) -> int:
    """Length of the longest text that ends the one and begins the other, in time linear in theirs (Knuth, Morris and Pratt)."""
    size = min(len(before), len(after))
    after = after[:size]
    # Of each start of `after` the longest shorter text that both begins and ends it.
    borders = [0] * size
    shared = 0
    for at in range(1, size):
        while shared and after[at] != after[shared]:
            shared = borders[shared - 1]
        shared += after[at] == after[shared]
        borders[at] = shared
    shared = 0
    for byte in before[len(before) - size :]:
        while shared and byte != after[shared]:
            shared = borders[shared - 1]
        shared += byte == after[shared]
    return shared
