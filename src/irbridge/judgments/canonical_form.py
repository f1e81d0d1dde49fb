"""The one canonical form of a judgments file (spec/formats.md 2.1), and whether a file is in it.

Rows keep their order; their fields, white space and escapes become canonical. Lines that begin with `//` are what a person
wrote to other people: they stay where they are, their white space at the ends aside, unless they are to be dropped. Blank
lines go. A file without comments comes out exactly as every implementation of the specification writes its labels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from irbridge.atomic import atomic_write
from irbridge.compression import COMPRESSED_SUFFIXES
from irbridge.errors import UsageError, shown
from irbridge.inputs import Input
from irbridge.labelfile import comments_of, write_labels
from irbridge.model import Judgment
from irbridge.source import Source
from irbridge.wording import shell_word


class Formatted(NamedTuple):
    """What became of one file. `changed`: it was not, or is no longer as it was, in canonical form."""

    path: str
    changed: bool
    labels: int
    comments: int

    def as_dict(self) -> dict[str, object]:
        """JSON values."""
        return {"path": self.path, "changed": self.changed, "labels": self.labels, "comments": self.comments}


class _Compared:
    """Takes what would be written and holds it against what is there."""

    def __init__(self, there: BinaryIO) -> None:
        self._there = there
        self.differs = False

    def write(self, piece: bytes) -> int:
        if not self.differs:
            self.differs = self._there.read(len(piece)) != piece
        return len(piece)

    def ended(self) -> bool:
        """Whether all of it was there, and nothing more."""
        return not self.differs and not self._there.read(1)


def fmt(path: str | os.PathLike[str], *, check: bool = False, drop_comments: bool = False) -> Formatted:
    """Bring a judgments file into canonical form; one that is in it is not touched.

    Args:
        path: the file; `-` reads standard input and writes standard output.
        check: change nothing, only say whether the file is in canonical form.
        drop_comments: leave `//` lines out.

    Raises:
        InputError: the file cannot be read, or holds a row that cannot be used; nothing was changed then.
        UsageError: it is not judgments JSONL.
    """
    source = Input(path, "judgments")
    if source.format.name != "judgments" or not isinstance(source.source, Source):
        raise UsageError(
            f"{shown(source.label, 200)} is {source.format.name}; only judgments JSONL has a canonical form here",
            hint=f"irbridge convert {shell_word(source.label)} --to judgments -o OUT.jsonl",
        )
    comments = [] if drop_comments else comments_of(source.source)
    same, labels = _is_canonical(source, comments)
    target = source.source.path
    if not check and (target == "-" or not same):
        _check_file(source.source)
        with atomic_write(target) as stream:
            _written(source, comments, stream)
    return Formatted(source.label, not same, labels, len(comments))


def _is_canonical(source: Input, comments: list[tuple[int, str]]) -> tuple[bool, int]:
    with cast("Source", source.source).open() as there:
        compared = _Compared(there)
        labels = _written(source, comments, cast("BinaryIO", compared))
        return compared.ended(), labels


def _written(source: Input, comments: list[tuple[int, str]], stream: BinaryIO) -> int:
    """Write labels and comments; returns the number of labels."""
    rows = cast("Iterator[Judgment]", iter(source))
    return write_labels(((source.reading.line, label) for label in rows), comments, stream)


def _check_file(source: Source) -> None:
    """A pipe cannot be rewritten, and a file whose name does not say that it is compressed would come out otherwise."""
    if source.path == "-":
        return
    if source.size is None:
        raise UsageError(
            f"{shown(source.path, 200)} is no file that can be rewritten", hint="irbridge fmt - < IN > OUT"
        )
    with open(source.path, "rb") as raw, source.open() as plain:
        compressed = raw.read(1) != plain.read(1)
    if compressed != source.path.lower().endswith(COMPRESSED_SUFFIXES):
        raise UsageError(
            f"the suffix of {shown(source.path, 200)} does not say how it is compressed", hint="rename it first"
        )
