"""Scores that remember how their source wrote them, so that `12.500` need not come back as `12.5`."""

from __future__ import annotations

from collections.abc import Sequence


class Written(list[float]):
    """Scores, and the text of each. A list like any other: equal by its numbers, and what is made of it is a plain list.

    Args:
        scores: the numbers.
        texts: the text of each, in which a reader found it.
    """

    def __init__(self, scores: Sequence[float], texts: list[str]) -> None:
        super().__init__(scores)
        self.texts = texts


def texts_of(scores: Sequence[float] | None) -> list[str] | None:
    """The text of each score, or None where that is not known, or one is another number by now."""
    if not isinstance(scores, Written) or len(scores) != len(scores.texts):
        return None
    return scores.texts if list(map(float, scores.texts)) == scores else None


def part(scores: list[float], start: int, end: int) -> list[float]:
    """The scores from `start` to `end`, with their texts where those are known."""
    found = scores[start:end]
    return Written(found, scores.texts[start:end]) if isinstance(scores, Written) else found


def picked(scores: Sequence[float], positions: Sequence[int]) -> list[float]:
    """The scores at those positions, in their order, with their texts where those are known."""
    found = [scores[position] for position in positions]
    if isinstance(scores, Written) and len(scores) == len(scores.texts):
        return Written(found, [scores.texts[position] for position in positions])
    return found


def add(scores: list[float], more: Sequence[float]) -> None:
    """Put `more` behind `scores`; their texts are lost where those of `more` are not known."""
    scores.extend(more)
    if isinstance(scores, Written):
        scores.texts.extend(texts_of(more) or ())
