"""Labels that hold chunks (SPLIT) and chunks that hold labels (MERGED), within one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from irbridge.drift.needles import holders


def split(texts: Mapping[int, str], chunks: Sequence[str | None]) -> dict[int, list[int]]:
    """For each label that holds two chunks or more: those chunks.

    Args:
        texts: the labels' normalised texts by label number, none of them empty.
        chunks: the normalised texts of the document's chunks in the order of their ordinals; None where there is none.

    Returns:
        positions in `chunks`, ascending, by label number.
    """
    # Of chunks of one text one is looked for; the longest label bounds what can stand inside any.
    longest = max(map(len, texts.values()), default=0)
    alike: dict[str, list[int]] = {}
    for position, chunk in enumerate(chunks):
        if chunk and len(chunk) <= longest:
            alike.setdefault(chunk, []).append(position)
    numbers, needles = list(texts), list(alike)
    found: dict[int, list[int]] = {}
    for needle, place in holders(needles, list(texts.values())):
        found.setdefault(numbers[place], []).extend(alike[needles[needle]])
    return {number: sorted(inside) for number, inside in found.items() if len(inside) >= 2}


def merged(texts: Mapping[int, str], chunks: Sequence[str | None]) -> dict[int, int]:
    """For each label that some chunk holds: the shortest such chunk, and of equally short ones the first.

    Arguments and result as in `split`, save that a label has one chunk.
    """
    shortest = min(map(len, texts.values()), default=0)
    positions = [position for position, chunk in enumerate(chunks) if chunk and len(chunk) >= shortest]
    haystacks = [chunks[position] or "" for position in positions]
    alike: dict[str, list[int]] = {}
    for number, text in texts.items():
        alike.setdefault(text, []).append(number)
    needles = list(alike)
    best: dict[int, tuple[int, int]] = {}
    for needle, place in holders(needles, haystacks):
        offered = (len(haystacks[place]), positions[place])
        best[needle] = min(best.get(needle, offered), offered)
    return {number: best[needle][1] for needle in best for number in alike[needles[needle]]}
