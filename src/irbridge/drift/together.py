"""What the chunks of many documents say of the labels that are lost in them, all looked up at once.

Says exactly what is said of one document after the other. Where it does not pay, because texts repeat themselves, `Crowded`
is raised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from irbridge.drift.batches import Batch, Laid
from irbridge.drift.edits import COMMON, SEED, SHORTEST, Edit, best, seeds_of
from irbridge.drift.evidence import Needle, first_places, of_edit, of_places, whole
from irbridge.drift.findings import Evidence
from irbridge.drift.joining import bodies_of, touching
from irbridge.drift.stretches import Crowded, Padded, standing

if TYPE_CHECKING:
    from irbridge.arrays import Ints

# Bytes that a text is looked for by; shorter texts are looked for one by one.
_PIECE = 15
# The same of a chunk.
_WIDE = 16
# So many bytes may be looked at for short texts, for each byte of the documents.
_PATIENCE = 64
_LONG = 1 << 20


def split(batch: Batch) -> dict[int, list[int]]:
    """For each label that holds two chunks or more of its document: the numbers of those chunks."""
    pairs = sorted({*_long_chunks(batch), *_short_chunks(batch)})
    found = ((number, [chunk for _, chunk in group]) for number, group in groupby(pairs, itemgetter(0)))
    return {number: inside for number, inside in found if len(inside) >= 2}


def _long_chunks(batch: Batch) -> Iterable[tuple[int, int]]:
    """(label, chunk) for each chunk of `_WIDE` bytes and more that is a part of the label."""
    numbers = sorted(batch.texts, key=batch.homes.__getitem__)
    labels, chunks = Laid([batch.texts[number] for number in numbers]), batch.laid
    within, own = Padded(labels.text), Padded(chunks.text)
    homes = np.fromiter(map(batch.homes.__getitem__, numbers), np.int64, len(numbers))
    edges = labels.edges[np.searchsorted(homes, np.arange(len(batch.firsts)))]
    sizes = chunks.sizes
    long = np.flatnonzero(sizes >= _WIDE)
    home = np.searchsorted(batch.firsts, long, "right") - 1
    # What stands at the start of chunks, such as a title, stands in many labels.
    ahead = (sizes - _WIDE) // 2
    piece, at = standing(own, chunks.edges[long] + ahead[long], home, _WIDE, within, edges, _WIDE)
    chunk = long[piece]
    inside = np.searchsorted(labels.edges, at, "right") - 1
    start = at - ahead[chunk]
    end = start + sizes[chunk]
    kept = (start >= labels.edges[inside]) & (end < labels.edges[inside + 1])
    chunk, inside, start, end = chunk[kept], inside[kept], start[kept], end[kept]
    alike = within.at(start) == own.at(chunks.edges[chunk])
    alike &= within.at(end - 8) == own.at(chunks.edges[chunk + 1] - 9)
    for place, number in zip(chunk[alike].tolist(), inside[alike].tolist(), strict=True):
        if (batch.chunks[place] or "") in batch.texts[numbers[number]]:
            yield numbers[number], place


def _short_chunks(batch: Batch) -> Iterable[tuple[int, int]]:
    sizes = batch.laid.sizes
    short = np.flatnonzero((sizes > 0) & (sizes < _WIDE))
    if not len(short):
        return
    labels: dict[int, list[int]] = {}
    for number, home in batch.homes.items():
        labels.setdefault(home, []).append(number)
    patience = _PATIENCE * sum(map(len, batch.texts.values()))
    homes = np.searchsorted(batch.firsts, short, "right") - 1
    for at, home in zip(short.tolist(), homes.tolist(), strict=True):
        chunk = batch.chunks[at] or ""
        for number in labels.get(home, ()):
            patience -= len(batch.texts[number])
            if patience < 0:
                raise Crowded
            if chunk in batch.texts[number]:
                yield number, at


class Places:
    """Where the texts of a batch's labels stand, white space aside, in the documents put together.

    Attributes:
        needles: by label number.
        starts: by label number, ascending; labels that stand nowhere are not there.
    """

    def __init__(self, batch: Batch, numbers: Collection[int]) -> None:
        self.batch = batch
        texts = [batch.texts[number] for number in numbers]
        self.needles = {
            number: Needle(text, body) for number, text, body in zip(numbers, texts, bodies_of(texts), strict=True)
        }
        self.text = bytes(batch.joined.text)
        self.padded = Padded(self.text)
        self.starts: dict[int, list[int]] = {}
        long = [number for number, needle in self.needles.items() if len(needle.body) >= _PIECE]
        self._look_up(long)
        self._look_for([number for number in numbers if len(self.needles[number].body) < _PIECE])

    def _look_up(self, numbers: Sequence[int]) -> None:
        if not numbers:
            return
        bodies = [self.needles[number].body for number in numbers]
        sizes = np.fromiter(map(len, bodies), np.int64, len(bodies))
        begins = np.cumsum(sizes) - sizes
        own = Padded(b"".join(bodies))
        # What stands at the start of a text, such as a title, stands in many others too.
        ahead = (sizes - _PIECE) // 2
        homes = np.fromiter(map(self.batch.homes.__getitem__, numbers), np.int64, len(numbers))
        edges = np.array(self.batch.edges)
        piece, at = standing(own, begins + ahead, homes, _PIECE, self.padded, edges, _width(edges))
        start = at - ahead[piece]
        end = start + sizes[piece]
        within = (start >= edges[homes[piece]]) & (end <= edges[homes[piece] + 1])
        piece, start, end = piece[within], start[within], end[within]
        alike = (own.at(begins[piece]) == self.padded.at(start)) & (
            own.at(begins[piece] + sizes[piece] - 8) == self.padded.at(end - 8)
        )
        for place, position in zip(piece[alike].tolist(), start[alike].tolist(), strict=True):
            if self.text.startswith(bodies[place], position):
                self.starts.setdefault(numbers[place], []).append(position)

    def _look_for(self, numbers: Iterable[int]) -> None:
        """The same for short texts."""
        patience = _PATIENCE * len(self.text)
        for number in numbers:
            home, body = self.batch.homes[number], self.needles[number].body
            first, last = self.batch.edges[home : home + 2]
            at = self.text.find(body, first, last)
            patience -= last - first
            while at >= 0:
                self.starts.setdefault(number, []).append(at)
                at = self.text.find(body, at + 1, last)
                patience -= _PATIENCE
                if patience < 0:
                    raise Crowded
            if patience < 0:
                raise Crowded


def _width(edges: Ints) -> int:
    """Bytes that are looked up: eight stand at very many places of a very long document by accident."""
    return 8 if int(np.diff(edges).max()) < _LONG else SEED


def merged(places: Places) -> dict[int, int]:
    """For each label that some chunk of its document holds: the shortest such chunk, and of equally short ones the first."""
    batch, best_of = places.batch, {}
    for number, starts in places.starts.items():
        text, size = batch.texts[number], len(places.needles[number].body)
        around = {
            piece.chunk
            for start in starts
            for piece in batch.joined.between(start, start + size)
            if piece.start <= start and start + size <= piece.end
        }
        offered = [(len(chunk), at) for at in around if text in (chunk := batch.chunks[at] or "")]
        if offered:
            best_of[number] = min(offered)[1]
    return best_of


def evidence(places: Places, numbers: Iterable[int]) -> dict[int, Evidence]:
    """Where the texts of labels stand that are in no chunk and hold none."""
    batch, found = places.batch, {}
    missing: dict[int, list[int]] = {}
    for number in numbers:
        needle = places.needles[number]
        starts = first_places(needle, places.starts.get(number, ()), batch.joined)
        if starts:
            found[number] = of_places(needle, starts, batch.joined, batch.rows)
        else:
            missing.setdefault(batch.homes[number], []).append(number)
    for document in batch.doubtful & missing.keys():
        first, last = batch.firsts[document : document + 2]
        rows = batch.rows[first:last]
        reading = touching(rows, batch.bodies(document))
        needles = {number: places.needles[number] for number in missing[document]}
        for number, starts in whole(needles, reading).items():
            found[number] = of_places(needles[number], starts, reading, rows)
    left = [number for own in missing.values() for number in own if number not in found]
    for number, edit in _edited(places, left).items():
        begin = batch.edges[batch.homes[number]]
        found[number] = of_edit(places.needles[number], edit, begin, batch.joined, batch.rows)
    return found


def _edited(places: Places, numbers: Iterable[int]) -> dict[int, Edit]:
    """The most similar place of each text in its document, where it is similar enough; bytes are counted from where that begins."""
    batch = places.batch
    long = [number for number in numbers if len(places.needles[number].body) >= SHORTEST]
    if not long:
        return {}
    bodies = [places.needles[number].body for number in long]
    sizes = np.fromiter(map(len, bodies), np.int64, len(bodies))
    homes = np.fromiter(map(batch.homes.__getitem__, long), np.int64, len(long))
    seeds = [seeds_of(len(body)) for body in bodies]
    owners = np.repeat(np.arange(len(long)), list(map(len, seeds)))
    ahead = np.fromiter(chain.from_iterable(seeds), np.int64, len(owners))
    begins, edges = np.cumsum(sizes) - sizes, np.array(batch.edges)
    starts = begins[owners] + ahead
    seed, at = standing(Padded(b"".join(bodies)), starts, homes[owners], SEED, places.padded, edges, _width(edges))
    kept = np.arange(len(seed)) - np.searchsorted(seed, seed) < COMMON
    seed, at = seed[kept], at[kept]
    owner, ahead = owners[seed], ahead[seed]
    shifts = at - edges[homes[owner]] - ahead
    found: dict[int, Edit] = {}
    document, home = b"", -1
    for which, group in groupby(zip(owner.tolist(), shifts.tolist(), ahead.tolist(), strict=True), itemgetter(0)):
        if homes[which] != home:
            home = homes[which]
            document = places.text[batch.edges[home] : batch.edges[home + 1]]
        edit = best(bodies[which], [vote[1:] for vote in group], document)
        if edit is not None:
            found[long[which]] = edit
    return found


def of_batch(batch: Batch, placed: Collection[int]) -> tuple[dict[int, list[int]], dict[int, int], dict[int, Evidence]]:
    """The chunks inside each label, or else the chunk around it, or else evidence; nothing of labels of which nothing is known.

    Args:
        batch: documents and labels.
        placed: labels of which evidence is known already.
    """
    inside = split(batch)
    places = Places(batch, [number for number in batch.texts if number not in inside])
    around = merged(places)
    left = [number for number in places.needles if number not in around and number not in placed]
    return inside, around, evidence(places, left)
