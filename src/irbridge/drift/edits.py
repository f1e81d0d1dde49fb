"""A text found again although it was edited: seeds vote for a place, then both sides are aligned there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from irbridge.drift.alignment import align, align_near
from irbridge.drift.needles import SEPARATOR, places

#: From this share of equal characters on a text counts as the same, edited.
LEAST_SIMILAR = 0.8
#: Or where it stands with a passage put into it: hardly anything is missing, and the stretch is at most so many times as long.
LEAST_COVERED, LONGEST = 0.95, 2
#: Shorter texts (in bytes) are not looked for with edits: too much resembles them.
SHORTEST = 20
#: Bytes of a seed; of a seed that stands at more places than so many, the first ones vote.
SEED, COMMON = 12, 64
_SEEDS = 32
# So many seeds must agree about a place; of a short text fewer.
_AGREED = 3
_TRIED = 2


class Edit(NamedTuple):
    """Where an edited text stands.

    Attributes:
        similarity: equal characters over the characters of the longer side.
        covered: equal characters over the characters of the label's text.
        doc_start, doc_end: bytes of the document, from the first to the last run.
        label_start: byte of the label's text at which the first run begins.
        runs: where a passage was put into it, what is equal: byte of the label's text, byte of the document, bytes.
    """

    similarity: float
    covered: float
    doc_start: int
    doc_end: int
    label_start: int
    runs: Sequence[tuple[int, int, int]] = ()


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


@lru_cache(maxsize=4096)
def agreement(size: int) -> tuple[int, int]:
    """Of a text of so many bytes: how far apart the shifts of seeds that agree may be, and how many of them must agree."""
    return max(32, size // 4), min(_AGREED, max(1, size // 16))


def best(body: bytes, votes: list[tuple[int, int]], document: bytes) -> Edit | None:
    """The most similar of the places that have the most votes, if it is similar enough.

    Args:
        body: squeezed text of a label.
        votes: of each place of a seed how much further on it stands in the document, and where it stands in the text.
        document: squeezed text of a document.
    """
    groups = _clusters(votes, len(body))
    offered = (_aligned(body, document, group) for group in groups[:_TRIED])
    found = [edit for edit in offered if edit is not None and edit.similarity >= LEAST_SIMILAR]
    if not found and len(groups) > 1:
        return _parted(body, document, groups)
    return max(found, key=lambda edit: (edit.similarity, -edit.doc_start), default=None)


def _parted(body: bytes, document: bytes, groups: list[list[tuple[int, int]]]) -> Edit | None:
    """The text with a passage put into it, if hardly anything of it is missing."""
    likeliest = groups[0][0][0]
    near = [group for group in groups if abs(group[0][0] - likeliest) <= LONGEST * len(body)]
    edit = _aligned(body, document, sorted(vote for group in near for vote in group), parted=True)
    return edit if edit and edit.covered >= LEAST_COVERED and edit.covered <= LONGEST * edit.similarity else None


def _clusters(votes: list[tuple[int, int]], size: int) -> list[list[tuple[int, int]]]:
    """The votes for each of the places with the most seeds, by their shift between label and document."""
    votes.sort()
    slack, least = agreement(size)
    groups: list[list[tuple[int, int]]] = []
    for vote in votes:
        if groups and vote[0] - groups[-1][0][0] <= slack:
            groups[-1].append(vote)
        else:
            groups.append([vote])
    seeds = [len({at for _, at in group}) for group in groups]
    likely = sorted((-count, number) for number, count in enumerate(seeds) if count >= least)
    return [groups[number] for _, number in likely]


def _aligned(body: bytes, document: bytes, votes: list[tuple[int, int]], *, parted: bool = False) -> Edit | None:
    slack, _ = agreement(len(body))
    lowest, highest = votes[0][0], votes[-1][0]
    start, end = _within(document, lowest - slack, highest + len(body) + slack, lowest)
    one, other = body.decode(), document[start:end].decode()
    if parted:
        blocks = align(one, other, lowest - start)
    else:
        seeds = [(at, at + shift - start) for shift, at in votes if start <= at + shift < end]
        if len(one) < len(body) or len(other) < end - start:
            seeds = [(_characters(body, at), _characters(document[start:end], place)) for at, place in seeds]
        blocks = align_near(one, other, lowest - start, seeds)
    if not blocks:
        return None
    equal = sum(block.size for block in blocks)
    runs = [
        (len(one[:at].encode()), start + len(other[:place].encode()), len(one[at : at + size].encode()))
        for at, place, size in (blocks if parted else (blocks[0], blocks[-1]))
    ]
    (label_start, doc_start, _), (_, last, size) = runs[0], runs[-1]
    length = blocks[-1].other + blocks[-1].size - blocks[0].other
    return Edit(
        equal / max(len(one), length), equal / len(one), doc_start, last + size, label_start, runs if parted else ()
    )


def _characters(text: bytes, end: int) -> int:
    return len(text[:end].decode(errors="ignore"))


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
