"""A judgments file as it stands on disk: its labels with their lines, its comments, and the bytes that both become.

Lines that begin with `//` are what a person wrote to other people. They stay where they are when a file is rewritten; a
file without comments comes out exactly as every implementation of the specification writes its labels.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import groupby
from typing import BinaryIO

from irbridge.formats.judgments import write
from irbridge.model import Judgment
from irbridge.source import Source
from irbridge.textio import lines

_COMMENT = "//"


def comments_of(source: Source) -> list[tuple[int, str]]:
    """(line number, text) of the comments of a file, white space at their ends aside."""
    found = ((number, line.strip()) for number, line in lines(source))
    return [(number, line) for number, line in found if line.startswith(_COMMENT)]


def write_labels(rows: Iterable[tuple[int, Judgment]], comments: list[tuple[int, str]], stream: BinaryIO) -> int:
    """Write labels in their canonical form and comments between them; returns the number of labels.

    Args:
        rows: (line, label), lines rising: where each label stood.
        comments: as `comments_of` gives them.
        stream: what is written to.

    Raises:
        InputError: a label cannot be written.
    """
    numbers = [number for number, _ in comments]
    labels, done = 0, 0
    for before, group in groupby(rows, key=lambda row: bisect_left(numbers, row[0])):
        stream.write(_text(comments[done:before]))
        done = before
        labels += write((label for _, label in group), stream)
    stream.write(_text(comments[done:]))
    return labels


def _text(comments: list[tuple[int, str]]) -> bytes:
    return "".join(f"{text}\n" for _, text in comments).encode()
