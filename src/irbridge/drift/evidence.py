"""Where the text of an ORPHANED label still stands in a document (spec/drift.md, "Evidence").

The whole text, white space aside, comes first: inside one chunk (`reflowed`), across chunk borders (`shifted`), or at
several places (`ambiguous`). Only what is not there whole is looked for with edits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, islice

from irbridge.drift.edits import Edit, edited
from irbridge.drift.findings import Evidence, Kind, Overlap
from irbridge.drift.joining import Joined, Piece, joined, squeezed
from irbridge.drift.needles import places
from irbridge.model import ChunkRow

#: Of more places of one text than this the first are named.
MAX_PLACES = 8


class Needle:
    """A label's text, with and without white space."""

    def __init__(self, text: str, body: bytes | None = None) -> None:
        self.text = text
        self.body = squeezed(text).encode() if body is None else body
        self._counts: list[int] | None = None
        self._is_even = False

    def stands(self, character: int) -> int:
        """Where a character of the squeezed text stands in the text."""
        if self._counts is None:
            words = self.text.split()
            self._counts = list(accumulate(map(len, words[:-1]), initial=0))
            # As is mostly so, one character stands between any two words.
            self._is_even = len(self.text) == len("".join(words)) + len(words) - 1
        word = bisect_right(self._counts, character) - 1
        if self._is_even:
            return character + word
        # The text from this word on: a normal form neither begins nor ends with white space.
        rest = self.text.split(None, word)[word] if word else self.text
        return len(self.text) - len(rest) + character - self._counts[word]

    def characters(self, start: int, end: int) -> int:
        """Characters of the text, white space included, between two places of `body`."""
        first, last = self._before(start), self._before(end)
        if last <= first:
            return 0
        reached = len(self.text) if end >= len(self.body) else self.stands(last - 1) + 1
        return reached - self.stands(first) if first else reached

    def space(self, at: int) -> int:
        """Characters of white space in the text at a place of `body`."""
        after = self._before(at)
        return self.stands(after) - self.stands(after - 1) - 1

    def _before(self, at: int) -> int:
        return len(self.body[:at].decode(errors="ignore"))


def of_document(
    texts: Mapping[int, str], rows: Sequence[ChunkRow], chunks: Sequence[str | None]
) -> dict[int, Evidence]:
    """Evidence for labels in one document.

    Args:
        texts: normalised texts by label number.
        rows: the document's chunks in the order of their ordinals.
        chunks: their normalised texts.
    """
    needles = {number: Needle(text) for number, text in texts.items()}
    found: dict[int, Evidence] = {}
    first: Joined | None = None
    for reading in joined(rows, chunks):
        first = first or reading
        missing = {number: needle for number, needle in needles.items() if number not in found}
        for number, starts in whole(missing, reading).items():
            found[number] = of_places(needles[number], starts, reading, rows)
    if first is not None:
        missing = {number: needle for number, needle in needles.items() if number not in found}
        for number, edit in edited(
            {number: needle.body for number, needle in missing.items()}, bytes(first.text)
        ).items():
            found[number] = of_edit(needles[number], edit, 0, first, rows)
    return found


def whole(needles: Mapping[int, Needle], reading: Joined) -> dict[int, list[int]]:
    """The places of each label's whole text in a reading of a document, at most `MAX_PLACES`."""
    alike: dict[bytes, list[int]] = {}
    for number, needle in needles.items():
        alike.setdefault(needle.body, []).append(number)
    bodies = list(alike)
    found: dict[int, list[int]] = {}

    def beyond(which: int) -> int:
        full = all(len(found.get(number, ())) >= MAX_PLACES for number in alike[bodies[which]])
        return len(reading.text) if full else 0

    for which, start in places(bodies, bytes(reading.text), beyond):
        for number in alike[bodies[which]]:
            starts = found.setdefault(number, [])
            if len(starts) < MAX_PLACES and _bridged(needles[number], start, reading):
                starts.append(start)
    return {number: starts for number, starts in found.items() if starts}


def _bridged(needle: Needle, start: int, reading: Joined) -> bool:
    """Whether every gap between chunks that the text runs across is one of white space, as far as lengths tell.

    A line break may have been two characters in the document (CR LF) and is one in the label.
    """
    if not reading.gaps:
        return True
    inside = (piece.start for piece in reading.between(start, start + len(needle.body)))
    gaps = ((at - start, reading.gaps[at]) for at in inside if at > start and at in reading.gaps)
    return all(missing <= 2 * needle.space(at) for at, missing in gaps)


def first_places(needle: Needle, starts: Iterable[int], reading: Joined) -> list[int]:
    """Of the places of a text the first at which it does stand, at most `MAX_PLACES`."""
    return list(islice((start for start in starts if _bridged(needle, start, reading)), MAX_PLACES))


def of_places(needle: Needle, starts: Sequence[int], reading: Joined, rows: Sequence[ChunkRow]) -> Evidence:
    """Evidence of a text that stands whole at some places of a reading."""
    standing = dict.fromkeys(held(needle, start, reading, rows) for start in starts)
    if len(standing) > 1:
        return Evidence("ambiguous", 1.0, merged_overlaps(chunks for _, chunks in standing))
    ((alone, chunks),) = standing
    kind: Kind = "reflowed" if alone else "shifted"
    return Evidence(kind, 1.0, chunks)


def of_edit(needle: Needle, edit: Edit, begin: int, reading: Joined, rows: Sequence[ChunkRow]) -> Evidence:
    """Evidence of an edited text in a document that begins at `begin` of a reading."""
    start, end = begin + edit.doc_start, begin + edit.doc_end
    pieces = reading.between(start, end)
    if edit.runs:
        held = _of_runs(needle, [(label, begin + at, size) for label, at, size in edit.runs], pieces, rows)
    else:
        held = _cut(needle, start - edit.label_start, pieces, rows, start, end)
    return Evidence("edited", edit.covered, held, edit.similarity)


def held(needle: Needle, start: int, reading: Joined, rows: Sequence[ChunkRow]) -> tuple[bool, tuple[Overlap, ...]]:
    """Whether one chunk holds the whole text at this place; and the chunks that do, or else all that hold some of it."""
    end = start + len(needle.body)
    pieces = reading.between(start, end)
    alone = [piece for piece in pieces if piece.start <= start and end <= piece.end]
    return bool(alone), _cut(needle, start, alone or pieces, rows, start, end)


def _cut(
    needle: Needle, base: int, pieces: Iterable[Piece], rows: Sequence[ChunkRow], start: int, end: int
) -> tuple[Overlap, ...]:
    size = len(needle.body)
    found = []
    for piece in pieces:
        first, last = max(piece.start, start) - base, min(piece.end, end) - base
        overlap = needle.characters(max(0, first), min(size, last))
        if overlap:
            found.append(Overlap(rows[piece.chunk].chunk_id, overlap))
    return tuple(found)


def _of_runs(
    needle: Needle, runs: Sequence[tuple[int, int, int]], pieces: Iterable[Piece], rows: Sequence[ChunkRow]
) -> tuple[Overlap, ...]:
    """The chunks that hold some of the runs; what stands in none of them, as a passage that was put in, is no part of the text."""
    found = []
    for piece in pieces:
        inside = [
            (label + max(0, piece.start - at), label + min(size, piece.end - at))
            for label, at, size in runs
            if at < piece.end and piece.start < at + size
        ]
        overlap = needle.characters(inside[0][0], inside[-1][1]) if inside else 0
        if overlap:
            found.append(Overlap(rows[piece.chunk].chunk_id, overlap))
    return tuple(found)


def merged_overlaps(held: Iterable[tuple[Overlap, ...]]) -> tuple[Overlap, ...]:
    """The chunks of several places, each chunk once, with the most that it holds."""
    most: dict[tuple[str, str | None], Overlap] = {}
    for chunks in held:
        for each in chunks:
            key = each.chunk_id, each.doc_uri
            most[key] = max(most.get(key, each), each, key=lambda one: one.overlap)
    return tuple(most.values())
