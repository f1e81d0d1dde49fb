"""Which characters of two texts correspond: runs of equal characters, in the order of both.

Runs of at least `RUN` characters come first, then, between them, those of at least `SHORT_RUN`. Shorter ones are accidents:
two texts about different things share most of their letters in some order. What an edit left or put in often stands elsewhere
too, so no run is taken because it is first: of all that are found, the heaviest chain is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

RUN, SHORT_RUN = 8, 3
# Of a part that stands at more places than so many, only the likely ones are looked at.
_RARE = 4
# So far back is looked from where a part stands for where its run begins.
_RETURN = 256
# Of a text of fewer parts than about so many, all are looked up.
_FEW = 128
# A character weighs as much as so many characters that a run stands further on, or less far, than the one before.
_STEADY = 64
# Runs around seeds are enough where the texts are so similar by them.
_ENOUGH = 0.93
# A chain is continued from one of the last so many runs.
_BACK = 16


class Block(NamedTuple):
    """`size` equal characters: at `one` of the label and at `other` of the document."""

    one: int
    other: int
    size: int


def align(one: str, other: str, shift: int = 0) -> list[Block]:
    """Runs of equal characters, in the order of both texts; `shift` is about how much further on they stand in `other`."""
    return _filled(one, other, _chain(_runs(one, other, RUN, shift)))


def align_near(one: str, other: str, shift: int = 0, seeds: Iterable[tuple[int, int]] = ()) -> list[Block]:
    """The same without runs at the ends that stand so far off that the texts are more similar without them.

    Args:
        one: a text.
        other: the text in which it is looked for.
        shift: as in `align`.
        seeds: places in both at which something equal is known to begin; runs are looked for around them first.
    """
    found = _near(one, other, _around(one, other, seeds))
    if similarity(found, len(one)) >= _ENOUGH:
        return found
    return max(found, _near(one, other, _runs(one, other, RUN, shift)), key=lambda blocks: similarity(blocks, len(one)))


def _near(one: str, other: str, runs: list[Block]) -> list[Block]:
    return _dense(one, other, _filled(one, other, _dense(one, other, _chain(runs))))


def similarity(blocks: Sequence[Block], size: int) -> float:
    """Characters of the blocks over those of the label (so many) or of the stretch of the document, whichever has more."""
    if not blocks:
        return 0.0
    first, last = blocks[0], blocks[-1]
    return sum(block.size for block in blocks) / max(size, last.other + last.size - first.other)


def _dense(one: str, other: str, blocks: list[Block]) -> list[Block]:
    """The blocks without first and last ones that similarity is higher without."""
    if len(blocks) < 2:
        return blocks
    first, most, left = blocks[0], 0.0, sum(block.size for block in blocks)
    ahead, end = 0, blocks[-1].other + blocks[-1].size
    for number, (at, place, size) in enumerate(blocks):
        # What it shares with the one before was left to that one.
        back = _common_before(one, other, at, place)
        share = (left + back) / max(len(one), end - place + back)
        if share > most:
            most, ahead, first = share, number, Block(at - back, place - back, back + size)
        left -= size
    blocks = [first, *blocks[ahead + 1 :]]
    most, last, left = 0.0, 0, 0
    for number, (_, place, size) in enumerate(blocks, 1):
        left += size
        share = left / max(len(one), place + size - first.other)
        if share >= most:
            most, last = share, number
    return blocks[:last]


def _filled(one: str, other: str, blocks: Sequence[Block]) -> list[Block]:
    """The blocks, and the short runs between them."""
    if not blocks:
        return []
    found: list[Block] = []
    a, begin, end = 0, blocks[0].other, blocks[-1].other + blocks[-1].size
    # As much as the stretch is shorter than the label, it costs nothing to look further on.
    room = len(one) - (end - begin)
    b = max(0, begin - max(blocks[0].one + RUN, room))
    last = Block(len(one), min(len(other), end + max(len(one) - blocks[-1].one - blocks[-1].size + RUN, room)), 0)
    for block in (*blocks, last):
        if block.one - a >= SHORT_RUN and block.other - b >= SHORT_RUN:
            between = _runs(one[a : block.one], other[b : block.other], SHORT_RUN)
            after = block.other - b - block.one + a if block.size else None
            short = _chain(between, 0 if found else None, after)
            found += [Block(at + a, place + b, size) for at, place, size in short]
        if block.size:
            found.append(block)
        a, b = block.one + block.size, block.other + block.size
    return found


def _chain(runs: list[Block], start: int | None = None, end: int | None = None) -> list[Block]:
    """The runs that follow each other in both texts and weigh most: characters, less a little for each change of the shift.

    What two runs share is the first one's.

    Args:
        runs: in any order.
        start: the shift of what stands before, if anything does.
        end: and of what stands after.
    """
    if not runs:
        return []
    runs.sort(key=lambda run: (run.other + run.size, run.one))
    weights: list[int] = []
    before: list[tuple[int, int]] = []
    heaviest = 0
    for number, (one, place, size) in enumerate(runs):
        shift = place - one
        weight, previous, cut = size * _STEADY - (0 if start is None else abs(shift - start)), -1, 0
        whole = size * _STEADY
        nearest = number - _BACK
        if nearest > 0 and weights[nearest - 1] > weights[heaviest]:
            heaviest = nearest - 1
        for earlier in (*range(number - 1, max(-1, nearest - 1), -1), *([heaviest] if nearest > 0 else ())):
            # Not even all of it makes a heavier chain.
            if weights[earlier] + whole <= weight:
                continue
            at, there, length = runs[earlier]
            shared = max(0, at + length - one, there + length - place)
            heavier = weights[earlier] + whole - shared * _STEADY - abs(shift - there + at)
            if heavier > weight and size - shared >= SHORT_RUN:
                weight, previous, cut = heavier, earlier, shared
        weights.append(weight)
        before.append((previous, cut))
    if end is not None:
        weights = [weight - abs(run.other - run.one - end) for weight, run in zip(weights, runs, strict=True)]
    number = max(range(len(runs)), key=weights.__getitem__)
    found: list[Block] = []
    while number >= 0:
        (one, place, size), (previous, cut) = runs[number], before[number]
        found.append(Block(one + cut, place + cut, size - cut))
        number = previous
    return found[::-1]


def _around(one: str, other: str, seeds: Iterable[tuple[int, int]]) -> list[Block]:
    """Runs of at least `RUN` equal characters around places; those of one shift stand in their order."""
    found: list[Block] = []
    reached: dict[int, int] = {}
    for at, place in seeds:
        if at >= reached.get(place - at, 0):
            size = _common(one, other, at, place)
            reached[place - at] = at + size
            if size >= RUN:
                back = _common_before(one, other, at, place)
                found.append(Block(at - back, place - back, back + size))
    return found


def _runs(one: str, other: str, least: int, shift: int = 0) -> list[Block]:
    """Runs of at least `least` equal characters; those that begin inside a longer one are not looked for.

    Of runs of twice `RUN` and more none is missed: parts of `one` are looked up `RUN` characters apart.
    """
    parts: dict[str, list[int]] = {}
    step = max(1, min(RUN, len(one) // _FEW)) if least == RUN else 1
    for at in range(0, len(one) - least + 1, step):
        parts.setdefault(one[at : at + least], []).append(at)
    # In little text runs that begin inside a longer one are looked for too.
    careful = least < RUN and len(other) < _FEW
    found: list[Block] = []
    reached: dict[int, int] = {}
    place, end = 0, len(other) - least
    while place <= end:
        ats = parts.get(other[place : place + least])
        if ats is None:
            place += 1
            continue
        starts = {place - at: place for at in ats[: _RARE + 1]}
        if len(starts) > _RARE:
            starts = _likely(ats, one, other, place, shift, least)
        else:
            # Parts that stand a little further on are of runs that may begin here.
            for further in range(place + 1, min(place + step, end + 1)):
                more = parts.get(other[further : further + least], ())
                if len(more) <= _RARE:
                    for at in more:
                        starts.setdefault(further - at, further)
        longest = 0
        for offered, start in starts.items():
            at = start - offered
            if start < reached.get(offered, 0):
                continue
            size, back = least + _common(one, other, at + least, start + least), _common_before(one, other, at, start)
            found.append(Block(at - back, start - back, back + size))
            reached[offered] = start + size
            if start + size - place > longest:
                longest, shift = start + size - place, offered
        place += 1 if careful else longest or 1
    return found


def _likely(ats: Sequence[int], one: str, other: str, place: int, shift: int, least: int) -> dict[int, int]:
    """Of the many places of a part the one that is wanted, if need be a little ahead, or else those before and after it."""
    wanted = place - shift
    for ahead in range(max(0, -wanted), min(2 * RUN, len(other) - least - place + 1)):
        if one.startswith(other[place + ahead : place + ahead + least], wanted + ahead):
            return {shift: place + ahead}
    middle = bisect_left(ats, wanted)
    return {place - at: place for at in ats[max(0, middle - 1) : middle + 1]}


def _common(one: str, other: str, at: int, place: int) -> int:
    """How many characters from there on are equal."""
    size, step = 0, 64
    while step:
        part = one[at + size : at + size + step]
        if len(part) == step and other.startswith(part, place + size):
            size += step
        else:
            step //= 2
    return size


def _common_before(one: str, other: str, at: int, place: int) -> int:
    """How many characters before there are equal, of the last `_RETURN`."""
    size, step = 0, 64
    while step and size < _RETURN:
        start = at - size - step
        if start >= 0 and place - size >= step and other.startswith(one[start : start + step], place - size - step):
            size += step
        else:
            step //= 2
    return size
