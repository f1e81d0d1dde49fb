"""A text found again although it was edited: seeds vote for a place, then both sides are aligned there.

Alignment is by runs of equal characters in the same order on both sides, white space aside: runs of at least `RUN`
characters first, then, between them, of at least `SHORT_RUN`. Shorter runs are accidents: two texts about different things
share most of their letters in some order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from irbridge.drift.needles import SEPARATOR, places

#: From this share of equal characters on a text counts as the same, edited.
LEAST_SIMILAR = 0.8
#: Shorter texts (in bytes) are not looked for with edits: too much resembles them.
SHORTEST = 20
RUN, SHORT_RUN = 8, 3
#: Bytes of a seed; of a seed that stands at more places than so many, the first ones vote.
SEED, COMMON = 12, 64
_SEEDS = 32
# So many seeds must agree about a place; of a short text fewer.
_AGREED = 3
_TRIED = 2
# After so many parts of a text that stand nowhere, all parts of the other are looked up instead of searched.
_MISSED = 96


class Edit(NamedTuple):
    """Where an edited text stands.

    Attributes:
        similarity: equal characters over the characters of the longer side.
        covered: equal characters over the characters of the label's text.
        doc_start, doc_end: bytes of the document, from the first to the last run.
        label_start: byte of the label's text at which the first run begins.
    """

    similarity: float
    covered: float
    doc_start: int
    doc_end: int
    label_start: int


class Block(NamedTuple):
    """`size` equal characters: at `one` of the label and at `other` of the document."""

    one: int
    other: int
    size: int


def edited(bodies: Mapping[int, bytes], document: bytes) -> dict[int, Edit]:
    """The most similar place of each text, where it is similar enough.

    Args:
        bodies: squeezed texts by label number.
        document: squeezed text of a document.
    """
    seeds: list[bytes] = []
    owners: list[tuple[int, int]] = []
    for number, body in bodies.items():
        if len(body) >= SHORTEST:
            for at in seeds_of(len(body)):
                seeds.append(body[at : at + SEED])
                owners.append((number, at))
    voted: dict[int, list[tuple[int, int]]] = {}
    stood = [0] * len(seeds)
    for seed, position in places(seeds, document, lambda seed: len(document) if stood[seed] >= COMMON else 0):
        stood[seed] += 1
        if stood[seed] <= COMMON:
            number, at = owners[seed]
            voted.setdefault(number, []).append((position - at, at))
    found = {number: best(bodies[number], votes, document) for number, votes in voted.items()}
    return {number: edit for number, edit in found.items() if edit is not None}


@lru_cache(maxsize=4096)
def seeds_of(size: int) -> Sequence[int]:
    """Where in a text of so many bytes its seeds begin."""
    room = size - SEED
    return sorted({room * step // (_SEEDS - 1) for step in range(_SEEDS)})


def best(body: bytes, votes: list[tuple[int, int]], document: bytes) -> Edit | None:
    """The most similar of the places that have the most votes, if it is similar enough.

    Args:
        body: squeezed text of a label.
        votes: of each place of a seed how much further on it stands in the document, and where it stands in the text.
        document: squeezed text of a document.
    """
    offered = (_aligned(body, document, lowest, highest) for lowest, highest in _clusters(votes, len(body)))
    found = [edit for edit in offered if edit is not None and edit.similarity >= LEAST_SIMILAR]
    return max(found, key=lambda edit: (edit.similarity, -edit.doc_start), default=None)


def _clusters(votes: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """(lowest, highest) shift between label and document, of the places with the most seeds."""
    votes.sort()
    slack = max(32, size // 4)
    groups: list[list[tuple[int, int]]] = []
    for vote in votes:
        if groups and vote[0] - groups[-1][0][0] <= slack:
            groups[-1].append(vote)
        else:
            groups.append([vote])
    seeds = [len({at for _, at in group}) for group in groups]
    likely = sorted((-count, number) for number, count in enumerate(seeds) if count >= min(_AGREED, max(1, size // 16)))
    return [(groups[number][0][0], groups[number][-1][0]) for _, number in likely[:_TRIED]]


def _aligned(body: bytes, document: bytes, lowest: int, highest: int) -> Edit | None:
    slack = max(32, len(body) // 4)
    start, end = _within(document, lowest - slack, highest + len(body) + slack, lowest)
    one, other = body.decode(), document[start:end].decode()
    blocks = align(one, other, lowest - start)
    if not blocks:
        return None
    equal = sum(block.size for block in blocks)
    first, last = blocks[0], blocks[-1]
    length = last.other + last.size - first.other
    doc_start = start + len(other[: first.other].encode())
    return Edit(
        equal / max(len(one), length), equal / len(one), doc_start,
        doc_start + len(other[first.other : first.other + length].encode()), len(one[: first.one].encode()),
    )  # fmt: skip


def _within(document: bytes, start: int, end: int, inside: int) -> tuple[int, int]:
    """The range without what lies beyond a separator, moved to where characters begin."""
    inside, start, end = max(0, min(inside, len(document))), max(start, 0), min(end, len(document))
    start = max(start, document.rfind(SEPARATOR, start, inside) + 1)
    beyond = document.find(SEPARATOR, inside, end)
    end = end if beyond < 0 else beyond
    while start < end and document[start] & 0xC0 == 0x80:
        start += 1
    while end < len(document) and end > start and document[end] & 0xC0 == 0x80:
        end -= 1
    return start, max(start, end)


def align(one: str, other: str, shift: int = 0) -> list[Block]:
    """Runs of equal characters, in the order of both texts; `shift` is about how much further on they stand in `other`."""
    blocks = _runs(one, other, RUN, shift)
    if not blocks:
        return []
    found: list[Block] = []
    ends = Block(0, max(0, blocks[0].other - blocks[0].one - RUN), 0)
    rest = len(one) - blocks[-1].one - blocks[-1].size
    last = Block(len(one), min(len(other), blocks[-1].other + blocks[-1].size + rest + RUN), 0)
    for block in (*blocks, last):
        a, b = ends.one + ends.size, ends.other + ends.size
        between = _runs(one[a : block.one], other[b : block.other], SHORT_RUN)
        found += [Block(short.one + a, short.other + b, short.size) for short in between]
        if block.size:
            found.append(block)
        ends = block
    return found


def _runs(one: str, other: str, least: int, shift: int = 0) -> list[Block]:
    """Runs of at least `least` equal characters, taken from the left, each as near as can be to where the last one was."""
    if len(one) < least or len(other) < least:
        return []
    found: list[Block] = []
    standing: set[str] | None = None
    at = reached = missed = 0
    while at + least <= len(one):
        part = one[at : at + least]
        place = _nearest(other, part, reached, at + shift) if standing is None or part in standing else -1
        if place < 0:
            at += 1
            missed += 1
            if missed == _MISSED:
                standing = {other[at : at + least] for at in range(len(other) - least + 1)}
            continue
        size = least + _common(one, other, at + least, place + least)
        found.append(Block(at, place, size))
        shift, reached, at = place - at, place + size, at + size
    return found


def _nearest(text: str, part: str, first: int, wanted: int) -> int:
    """Where the part stands nearest to `wanted`, not before `first`; -1 where it stands nowhere."""
    if wanted >= first and text.startswith(part, wanted):
        return wanted
    after = text.find(part, max(first, wanted))
    before = text.rfind(part, first, wanted + len(part) - 1) if wanted > first else -1
    if before < 0 or after < 0:
        return max(before, after)
    return before if wanted - before <= after - wanted else after


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
