"""A judgments input read with the line of each label and its comments, and written with them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

from irbridge.atomic import atomic_write
from irbridge.inputs import Input
from irbridge.labelfile import comments_of, write_labels
from irbridge.model import Judgment
from irbridge.source import Source
from irbridge.spans.claims import Left


class LabelInput(NamedTuple):
    """Labels, the line of each (0 where there is none), and the comments between them."""

    labels: list[Judgment]
    lines: list[int]
    comments: list[tuple[int, str]]


def read(source: Input) -> LabelInput:
    """All of a judgments input.

    Raises:
        InputError: it cannot be read.
    """
    labels: list[Judgment] = []
    lines: list[int] = []
    for label in cast("Iterator[Judgment]", iter(source)):
        labels.append(label)
        lines.append(source.reading.line)
    own = source.format.name == "judgments" and isinstance(source.source, Source) and source.size is not None
    return LabelInput(labels, lines, comments_of(source.source) if own else [])


def write(out: str, rows: Iterable[tuple[int, Judgment]], given: LabelInput) -> int:
    """Write rows, (number of the label that it was, label), as judgments JSONL; returns how many.

    Raises:
        InputError: it cannot be written; what was there before is still there.
    """
    with atomic_write(out) as stream:
        return write_labels(((given.lines[number], label) for number, label in rows), given.comments, stream)


def placed(left: Sequence[Left], given: LabelInput) -> list[Left]:
    """The same with their lines."""
    return [each._replace(line=given.lines[each.number] or None) for each in left]
