"""What the chunks of many documents say of the labels that are lost in them, all looked up at once.

Says exactly what is said of one document after the other. Where it does not pay, because texts repeat themselves, `Crowded`
is raised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from irbridge.drift.batches import Batch, Laid
from irbridge.drift.edits import COMMON, SEED, SHORTEST, Edit, agreement, best, seeds_of
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


def within(needles: Laid, texts: Laid, width: int) -> set[tuple[int, int]]:
    """(text, needle) for each text that holds a needle of its own document.

    Args:
        needles: what is looked for, none of it empty in a text.
        texts: where.
        width: as in `standing`.
    """
    sizes, own, there = needles.sizes, needles.padded, texts.padded
    long = np.flatnonzero(sizes >= _WIDE)
    # What stands at the start of chunks, such as a title, stands in many labels.
    ahead = (sizes - _WIDE) // 2
    begins, edges = needles.edges, texts.edges
    piece, at = standing(own, begins[long] + ahead[long], needles.homes[long], _WIDE, there, texts.stretches, width)
    needle, holder = long[piece], np.searchsorted(edges, at, "right") - 1
    start = at - ahead[needle]
    end = start + sizes[needle]
    kept = (start >= edges[holder]) & (end < edges[holder + 1])
    needle, holder, start, end = needle[kept], holder[kept], start[kept], end[kept]
    alike = there.at(start) == own.at(begins[needle])
    alike &= there.at(end - 8) == own.at(begins[needle + 1] - 9)
    found = {
        (place, number) for place, number in zip(holder[alike].tolist(), needle[alike].tolist(), strict=True)
        if needles.texts[number] in texts.texts[place]
    }  # fmt: skip
    return found.union(_short(needles, texts))


def _short(needles: Laid, texts: Laid) -> Iterable[tuple[int, int]]:
    """The same of short needles."""
    patience, edges = _PATIENCE * len(texts.text), texts.edges
    for number in np.flatnonzero((needles.sizes > 0) & (needles.sizes < _WIDE)).tolist():
        home, wanted = needles.homes[number], needles.texts[number].encode()
        first, last = texts.stretches[home : home + 2].tolist()
        patience -= last - first
        at = texts.text.find(wanted, first, last)
        while at >= 0 and patience >= 0:
            place = int(np.searchsorted(edges, at, "right")) - 1
            yield place, number
            at = texts.text.find(wanted, int(edges[place + 1]), last)
            patience -= _PATIENCE
        if patience < 0:
            raise Crowded


class Places:
    """Where the texts of a batch's labels stand, white space aside, in the documents put together.

    Attributes:
        needles: by label number.
        starts: by label number, ascending; labels that stand nowhere are not there.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        bodies = bodies_of(list(batch.texts.values()))
        self.needles = {
            number: Needle(text, body) for (number, text), body in zip(batch.texts.items(), bodies, strict=True)
        }
        self.text = bytes(batch.joined.text)
        self.padded = Padded(self.text)
        self.starts: dict[int, list[int]] = {}
        long = [number for number, needle in self.needles.items() if len(needle.body) >= _PIECE]
        self._look_up(long)
        self._look_for([number for number, needle in self.needles.items() if len(needle.body) < _PIECE])

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


def _width(edges: Ints, long: int = SEED) -> int:
    """Bytes that are looked up: eight stand at very many places of a very long document by accident."""
    return 8 if int(np.diff(edges).max()) < _LONG else long


def evidence(batch: Batch) -> dict[int, Evidence]:
    """Where the texts of labels stand that are in no chunk and hold none."""
    places, found = Places(batch), {}
    missing: dict[int, list[int]] = {}
    for number, needle in places.needles.items():
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
    text = Padded(b"".join(bodies))
    seed, at = standing(text, starts, homes[owners], SEED, places.padded, edges, _width(edges), COMMON)
    kept = np.arange(len(seed)) - np.searchsorted(seed, seed) < COMMON
    seed, at = seed[kept], at[kept]
    owner, ahead = owners[seed], ahead[seed]
    shifts = at - edges[homes[owner]] - ahead
    likely = _agreeing(owner, shifts, [agreement(len(body)) for body in bodies])
    owner, votes = owner[likely], list(zip(shifts[likely].tolist(), ahead[likely].tolist(), strict=True))
    found: dict[int, Edit] = {}
    document, home = b"", -1
    firsts = np.searchsorted(owner, np.arange(len(long) + 1)).tolist()
    for which, (first, last) in enumerate(pairwise(firsts)):
        if first == last:
            continue
        if homes[which] != home:
            home = homes[which]
            document = places.text[batch.edges[home] : batch.edges[home + 1]]
        edit = best(bodies[which], votes[first:last], document)
        if edit is not None:
            found[long[which]] = edit
    return found


def _agreeing(owners: Ints, shifts: Ints, agreements: Sequence[tuple[int, int]]) -> Ints:
    """The votes, by owner, that have as many near them as must agree; of other votes nothing comes.

    Args:
        owners: whose vote each is.
        shifts: what it is for.
        agreements: by owner, how far apart votes may be that agree, and how many must.
    """
    if not len(owners):
        return owners
    slack, least = np.array(agreements).T
    # Votes of two owners are further apart than any that agree.
    apart = int(shifts.max() - shifts.min() + slack.max() + 1)
    places = owners * apart + (shifts - shifts.min())
    order = np.argsort(places)
    places, owners = places[order], owners[order]
    first = np.flatnonzero(np.concatenate(([True], np.diff(places) > slack[owners[1:]])))
    sizes = np.diff(np.concatenate((first, [len(places)])))
    kept: Ints = order[np.repeat(sizes >= least[owners[first]], sizes)]
    return kept


def of_batch(batch: Batch, placed: Collection[int]) -> tuple[dict[int, list[int]], dict[int, int], dict[int, Evidence]]:
    """The chunks inside each label, or else the chunk around it, or else evidence; nothing of labels of which nothing is known.

    Args:
        batch: documents and labels.
        placed: labels of which evidence is known already.
    """
    numbers, texts = batch.laid_texts()
    chunks = batch.laid()
    inside: dict[int, list[int]] = {}
    for place, group in groupby(sorted(within(chunks, texts, _WIDE)), itemgetter(0)):
        held = [chunk for _, chunk in group]
        if len(held) >= 2:
            inside[numbers[place]] = held
    around: dict[int, tuple[int, int]] = {}
    for chunk, place in within(texts, chunks, _width(chunks.stretches, _WIDE - 2)):
        number, offered = numbers[place], (len(chunks.texts[chunk]), chunk)
        if number not in inside:
            around[number] = min(around.get(number, offered), offered)
    left = [number for number in batch.texts if number not in inside and number not in around and number not in placed]
    shortest = {number: chunk for number, (_, chunk) in around.items()}
    return inside, shortest, evidence(batch.of(left)) if left else {}
