"""Many texts looked for in many others at once, in time linear in their lengths.

SPLIT asks which of a document's chunks stand inside which labels, MERGED the reverse, and evidence where labels stand in
a document. Asking for each pair is quadratic: with 50,000 chunks and 5,000 labels of one document it takes a quarter of
an hour. Where there is little to compare, asking for each pair is fastest all the same, and is what is done.

Otherwise each needle is found by one window of up to sixteen bytes, the rarest of several among all needles. All windows
of the haystack are looked up together, and where one is found the needle itself is compared: needles that share a window
at the same place and have one length are compared all at once, through a dictionary. Texts are compared as UTF-8, in
which a text stands at a place if and only if its code points do.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Bytes of a machine word.
WORD = 8
#: Between haystacks that are joined: no byte of UTF-8 text.
SEPARATOR = b"\xff"
# Below this many comparisons of a needle with a character, asking for each pair is faster.
_FEW = 1 << 19
_START = 20
# From so many needles and comparisons on, their starts are looked up together.
_HANDFUL, _VERY_FEW = 16, 1 << 17
# As `_FEW`, where that can be done.
_MANY = 1 << 22
_WIDE = 16
# A needle takes as long to prepare as so many bytes to look at.
_PER_NEEDLE = 1 << 10
_BLOCK = 1 << 20
_SPREAD = 8
_MIX, _MIX2 = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


def holders(needles: Sequence[str], haystacks: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(needle, haystack) by their numbers, for each pair in which the one is a part of the other; in no order.

    Empty needles are in nothing.
    """
    if not needles or not haystacks:
        return
    pairs = len(needles) * sum(map(len, haystacks))
    at_hand = _is_at_hand(needles, pairs)
    if pairs <= (_MANY if at_hand else _FEW):
        together = "\0".join(haystacks)
        # Where not even its start is anywhere, which is so of most, no pair has to be looked at.
        for number in _begun(needles, together.encode()) if at_hand else _starting(needles, together):
            wanted = needles[number]
            for place, within in enumerate(haystacks):
                if wanted in within:
                    yield number, place
        return
    encoded = [haystack.encode() for haystack in haystacks]
    starts, at = [], 0
    for haystack in encoded:
        starts.append(at)
        at += len(haystack) + 1
    text = SEPARATOR.join(encoded)
    # A look at every position of the text pays where there are many needles to leave out.
    kept = list(_begun(needles, text) if len(text) < _PER_NEEDLE * len(needles) else range(len(needles)))
    for number, place in _held([needles[number].encode() for number in kept], text, starts):
        yield kept[number], place


def _is_at_hand(needles: Sequence[str], comparisons: int) -> bool:
    """Whether it pays to look up the starts of all needles together: to load numpy for it takes longer than to compare."""
    return len(needles) >= _HANDFUL and comparisons >= _VERY_FEW and _FEW > 0 and "numpy" in sys.modules


def _starting(needles: Sequence[str], text: str) -> Iterable[int]:
    """The numbers of the needles that are not empty and whose first characters stand in a text."""
    return (number for number, wanted in enumerate(needles) if wanted and wanted[:_START] in text)


def _begun(needles: Sequence[str], text: bytes) -> Iterable[int]:
    """The same for many needles at once, and perhaps a few numbers more."""
    heads = [wanted[:_WIDE].encode()[:_WIDE] for wanted in needles]
    windows = [head for head in heads if len(head) == _WIDE]
    standing = {text[at : at + _WIDE] for at in _candidates(windows, _WIDE, text)} if windows else set()
    return (number for number, head in enumerate(heads) if head and (len(head) < _WIDE or head in standing))


def _held(needles: list[bytes], text: bytes, starts: list[int]) -> Iterator[tuple[int, int]]:
    from bisect import bisect_right

    nexts = [*starts[1:], len(text) + 1]
    last: dict[int, int] = {}

    def beyond(number: int) -> int:
        # Of a needle one place in each haystack is enough.
        return nexts[last[number]] if number in last else 0

    def end(position: int) -> int:
        return nexts[bisect_right(starts, position) - 1] - 1

    for number, position in places(needles, text, beyond, end):
        haystack = bisect_right(starts, position) - 1
        if last.get(number) != haystack:
            last[number] = haystack
            yield number, haystack


def places(
    needles: Sequence[bytes],
    text: bytes,
    beyond: Callable[[int], int] | None = None,
    end: Callable[[int], int] | None = None,
) -> Iterator[tuple[int, int]]:
    """(needle, position) for each place where a needle stands, overlapping ones too; of each needle in ascending order.

    Args:
        needles: what is looked for.
        text: where.
        beyond: of a needle that was found, the first position that is still of interest; places before it may be left out.
            Without it a row of a hundred thousand dashes in a longer one would be compared at each of its positions.
        end: of a position, where the stretch that it is in ends; no needle stands across it.
    """
    if len(needles) * len(text) <= _FEW:
        for number, needle in enumerate(needles):
            at = text.find(needle) if needle else -1
            while at >= 0:
                yield number, at
                at = text.find(needle, max(at + 1, 0 if beyond is None else beyond(number)))
        return
    by_width: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
    for number, needle in enumerate(needles):
        if needle:
            by_width[_width(len(needle))][number] = needle
    for width, alike in by_width.items():
        whole = {number: needle for number, needle in alike.items() if len(needle) == width}
        if whole:
            yield from _windows(whole, width, text, beyond)
            alike = {number: needle for number, needle in alike.items() if number not in whole}
        if alike:
            yield from _probed(alike, width, text, beyond, end)


def _width(size: int) -> int:
    """Bytes of the window that needles of this size are found by."""
    return min(size, WORD) if size < 12 else 12 if size < 16 else 16


def _windows(
    needles: dict[int, bytes], width: int, text: bytes, beyond: Callable[[int], int] | None
) -> Iterator[tuple[int, int]]:
    """`places` of needles that are windows themselves."""
    alike: dict[bytes, list[int]] = {}
    for number, needle in needles.items():
        alike.setdefault(needle, []).append(number)
    floors: dict[bytes, int] = {}
    for position in _candidates(list(alike), width, text):
        window = text[position : position + width]
        found = alike.get(window)
        if found is None or position < floors.get(window, 0):
            continue
        for number in found:
            yield number, position
        if beyond is not None:
            floors[window] = min(map(beyond, found))


#: The needles behind one window: by its place in them and their length, then by their bytes.
_Bucket = dict[tuple[int, int], dict[bytes, list[int]]]


def _buckets(needles: dict[int, bytes], width: int) -> dict[bytes, _Bucket]:
    """The needles by the window each is found by: the rarest of a few.

    Chunks often begin alike (a title stands before each); a window in the title would find all of them everywhere.
    """
    offered: dict[int, dict[bytes, int]] = {}
    counted: Counter[bytes] = Counter()
    found: dict[bytes, _Bucket] = {}
    for number, needle in needles.items():
        room = len(needle) - width
        spread = {room * step // (_SPREAD - 1) for step in range(_SPREAD)}
        offered[number] = {needle[at : at + width]: at for at in spread}
        counted.update(offered[number].keys())
    for number, windows in offered.items():
        needle = needles[number]
        window = min(windows, key=counted.__getitem__)
        if len(set(window)) * 4 < width:
            # A row of dashes stands everywhere, however rare it is among the needles.
            window = max(windows, key=lambda one: len(set(one)))
        at = windows[window]
        found.setdefault(window, {}).setdefault((at, len(needle)), {}).setdefault(needle, []).append(number)
    return found


class _Group:
    """The needles of one length behind one window, `at` bytes before it.

    Attributes:
        floor: positions before it are of no interest.
        only: the needle, where they all are equal: it need not be looked up.
    """

    __slots__ = ("at", "floor", "length", "only", "wanted")

    def __init__(self, at: int, length: int, wanted: dict[bytes, list[int]]) -> None:
        self.at, self.length, self.wanted = at, length, wanted
        self.floor = 0
        self.only = next(iter(wanted)) if len(wanted) == 1 else None


def _probed(
    needles: dict[int, bytes],
    width: int,
    text: bytes,
    beyond: Callable[[int], int] | None,
    end: Callable[[int], int] | None,
) -> Iterator[tuple[int, int]]:
    buckets = {
        window: [_Group(at, length, wanted) for (at, length), wanted in bucket.items()]
        for window, bucket in _buckets(needles, width).items()
    }
    # Below these positions no needle behind a window is of interest.
    floors = dict.fromkeys(buckets, 0)
    for position in _candidates(list(buckets), width, text):
        window = text[position : position + width]
        if position < floors.get(window, len(text)):
            continue
        skipping = True
        for group in buckets[window]:
            start = position - group.at
            if start < group.floor or start < 0:
                continue
            yield from _of_group(group, start, text, beyond, end)
            skipping = skipping and group.floor > start
        if skipping:
            floors[window] = min(group.floor + group.at for group in buckets[window])


def _of_group(
    group: _Group,
    start: int,
    text: bytes,
    beyond: Callable[[int], int] | None,
    end: Callable[[int], int] | None,
) -> Iterator[tuple[int, int]]:
    """The needles of a group that stand at a position."""
    if end is not None and start + group.length > (stop := end(start)):
        group.floor = stop + 1
        return
    if group.only is None:
        found = group.wanted.get(text[start : start + group.length])
    else:
        found = group.wanted[group.only] if text.startswith(group.only, start) else None
    for number in found or ():
        yield number, start
    if found is not None and group.only is not None and beyond is not None:
        group.floor = max(group.floor, min(map(beyond, found)))


def _candidates(windows: list[bytes], width: int, text: bytes) -> Iterator[int]:
    """Positions at which one of the windows may stand, ascending; every position at which one does is among them."""
    import numpy as np

    bits = max(14, min(24, len(windows).bit_length() + 7))
    shift = np.uint64(64 - bits)
    known = np.zeros(1 << bits, dtype=bool)
    known[hashed(b"".join([window.ljust(16, b"\0") for window in windows]), width)[::16] >> shift] = True
    for start in range(0, max(len(text) - width + 1, 0), _BLOCK):
        # Windows at the end of the text are filled up with zeros, which no needle holds there.
        block = text[start : start + _BLOCK + 15].ljust(min(_BLOCK, len(text) - start) + 15, b"\0")
        # Signed numbers are taken as they are; others numpy would convert first.
        found = known.take((hashed(block, width) >> shift).view(np.int64))
        yield from (np.flatnonzero(found) + start).tolist()


def hashed(block: bytes, width: int) -> NDArray[Any]:
    """A hash of the `width` bytes that begin at each position of the block, save for the last ones."""
    import numpy as np

    first = words(block)
    if width <= WORD:
        narrow: NDArray[Any] = (first & np.uint64((1 << 8 * width) - 1)) * np.uint64(_MIX)
        return narrow
    # Two words that overlap where the window has fewer than sixteen bytes.
    last = first[width - WORD :]
    return mixed(first[: len(last)], last)


def mixed(first: NDArray[Any], last: NDArray[Any]) -> NDArray[Any]:
    """A hash of each pair of words (uint64)."""
    import numpy as np

    found: NDArray[Any] = last * np.uint64(_MIX)
    found ^= first
    found *= np.uint64(_MIX2)
    return found


def words(block: bytes) -> NDArray[Any]:
    """The eight bytes that begin at each position of the block (uint64), save for the last seven positions."""
    from irbridge.knowntexts import windows

    return windows(block, "<u8")
