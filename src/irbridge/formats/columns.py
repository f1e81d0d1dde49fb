"""Rows of columns set apart by ASCII white space, as TREC and MS MARCO files have them.

Ids may hold every other character: U+00A0, U+0085 and U+2028 are white space to Python and to Unicode, not to C's
isspace and so not to trec_eval. A block of regular rows is taken apart by a few calls that each handle all of it; a
block in which anything is irregular is taken apart line by line, and both ways give the same records.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from operator import ne

from irbridge.model import Ranking
from irbridge.reading import Reading
from irbridge.written import add, part

# One irregular line costs its block the fast way, so blocks are small.
BLOCK_BYTES = 1 << 16
INTEGER_LIMIT = 2**53

_FIELD = re.compile(r"[^ \t\v\f\r]+")
_INTEGER = re.compile(r"(-?)0*([0-9]+)")
_SHORT_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_HEADER_WORDS = frozenset({"query-id", "query_id", "queryid", "qid", "query", "topic", "topic_id", "topic-id", "q_id"})


def fields(line: str) -> list[str]:
    """The columns of one line without its end."""
    return _FIELD.findall(line)


def is_header(columns: Sequence[str]) -> bool:
    """Whether a row holds the names of columns instead of values."""
    return bool(columns) and columns[0].lower() in _HEADER_WORDS


def data_lines(
    text: str, first: int, reading: Reading, *, comments: bool = True, note_blank: bool = False
) -> tuple[list[str], list[int]]:
    """The lines of a block that are data, and their numbers.

    Args:
        text: whole lines, each ended by LF.
        first: the number of the first one.
        reading: gets the notes.
        comments: whether a line that begins with `#` is a comment, to be skipped and counted; further on in a line, `#`
            is a character of an id like any other.
        note_blank: whether skipped blank lines are worth a note.
    """
    kept: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(text.split("\n")[:-1], first):
        if comments and line.startswith("#"):
            reading.note("comments", "{n} comment {line|lines} skipped", line=number)
        elif line.strip(" \t\v\f\r"):
            kept.append(line)
            numbers.append(number)
        elif note_blank:
            reading.note("blank-lines", "{n} blank {line|lines} skipped", line=number)
    return kept, numbers


class Columns:
    """The columns of a block in which every line has exactly `width` and none is blank or a comment.

    The block is split at its spaces only. A line's last column, the line end and the next line's first column stay one
    token, a joint: most joints are equal to the one before, so that what differs in them is looked at once.

    Attributes:
        joints: one for each line, behind its other columns; the last one ends with the line end.
        last: the last column.
        first: the first column.
    """

    def __init__(self, tokens: list[str], width: int) -> None:
        self._tokens = tokens
        self._step = width - 1
        self.joints = tokens[self._step :: self._step]
        self.last: list[str] = []
        self.first: list[str] = []

    @classmethod
    def of(cls, text: str, width: int, lines: int, *, comments: bool = True) -> Columns | None:
        """Take a block apart, or give None if it is irregular.

        Args:
            text: whole lines, each ended by LF.
            width: how many columns a regular line has, at least 2.
            lines: how many lines the text has.
            comments: whether a line that begins with `#` is a comment.
        """
        if comments and "#" in text and (text.startswith("#") or "\n#" in text):
            return None
        for space in "\t\v\f\r":
            if space in text:
                text = text.replace(space, " ")
        found = cls._of(text, width, lines)
        if found is None and (squeezed := _squeezed(text)) != text:
            found = cls._of(squeezed, width, lines)
        return found

    @classmethod
    def _of(cls, text: str, width: int, lines: int) -> Columns | None:
        tokens = text.split(" ")
        if len(tokens) != lines * (width - 1) + 1 or not all(tokens):
            return None
        found = cls(tokens, width)
        distinct = set(found.joints)
        # There are as many joints as line ends. If each joint has one, it has just one and there are none elsewhere: then
        # every line has its columns.
        whole = found._by_joint(distinct) if 4 * len(distinct) < lines else found._one_by_one()
        return found if whole else None

    def _by_joint(self, distinct: set[str]) -> bool:
        last_of, first_of = {}, {}
        for joint in distinct:
            last_of[joint], _, first_of[joint] = joint.partition("\n")  # without a line end, its right side is empty
        joints = self.joints
        self.last = [last_of[joint] for joint in joints]
        self.first = [self._tokens[0], *[first_of[joint] for joint in joints[:-1]]]
        return self._not_empty()

    def _one_by_one(self) -> bool:
        joints = self.joints
        if [joint for joint in joints if "\n" not in joint]:
            return False
        sides = "\n".join(joints).split("\n")
        self.last, self.first = sides[::2], [self._tokens[0], *sides[1:-1:2]]
        return self._not_empty()

    def _not_empty(self) -> bool:
        # An empty side is a space at a line's edge, or a blank line; the text's own end is neither.
        return all(self.last) and all(self.first) and self.joints[-1].endswith("\n")

    def middle(self, number: int) -> list[str]:
        """Column `number`, counted from 0; neither the first nor the last."""
        return self._tokens[number :: self._step]


def _squeezed(text: str) -> str:
    text = text.replace("\n", " \n ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace(" \n ", "\n").replace(" \n", "\n").removeprefix(" ")


def integer(text: str) -> int | None:
    """The integer that `text` is in ASCII digits with an optional `-`, or None. One of more than 20 digits is cut short."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        return None
    # Past the limit the value does not matter, and converting very many digits takes very long.
    return int(found.group(1) + found.group(2)[:20])


def integers(texts: list[str], *, signed: bool) -> list[int] | None:
    """All of `texts` as `integer` has them, or None if one is none or is beyond +-2**53."""
    joined = "".join(texts).encode()
    if joined.translate(None, b"-0123456789" if signed else b"0123456789"):
        return None
    try:
        found = list(map(int, texts))
    except ValueError:
        return None
    # Where nothing is negative the sum bounds each, and costs a tenth of max().
    small = (
        max(found) <= INTEGER_LIMIT and min(found) >= -INTEGER_LIMIT if b"-" in joined else sum(found) <= INTEGER_LIMIT
    )
    return found if small else None


def number(text: str) -> float | None:
    """The decimal number that `text` is, possibly NaN or infinite, or None.

    What is written as an integer stays one, so that it is written as one again; everything else is a double.
    """
    if _SHORT_INTEGER.fullmatch(text) is not None:
        return int(text)
    if _DECIMAL.fullmatch(text) is not None or _NOT_FINITE.fullmatch(text) is not None:
        return float(text)
    return None


def numbers(texts: list[str]) -> list[float] | None:
    """All of `texts` as `number` has them, or None if one is none or is not finite."""
    joined = "".join(texts).encode()
    if joined.translate(None, b"+-.0123456789eE"):
        return None
    try:
        found = list(map(float, texts))
    except ValueError:
        return None
    # The sum of finite doubles can overflow; a sum that is finite proves each of them finite.
    if not math.isfinite(sum(found)):
        return None
    if joined.count(b".") == len(texts):
        return found  # a point in each: none is written as an integer
    return [int(text) if _SHORT_INTEGER.fullmatch(text) else value for text, value in zip(texts, found, strict=True)]


@dataclass(eq=False)
class Rows:
    """Rows of a run that were taken apart one by one, in file order, as parallel lists.

    Attributes:
        lines: line numbers.
        ranks: an entry is None where the rank column is no integer.
        scores, tags: None where the format has none.
    """

    lines: list[int]
    query_ids: list[str]
    doc_ids: list[str]
    ranks: list[int | None]
    scores: list[float] | None = None
    tags: list[str] | None = None

    def pieces(self) -> Iterator[Piece]:
        """Neighbours of one query together."""
        for start, end in pairwise([*starts(self.query_ids), len(self.query_ids)] if self.query_ids else []):
            ranks = [rank for rank in self.ranks[start:end] if rank is not None]
            tags = None if self.tags is None else self.tags[start:end]
            yield Piece(
                self.lines[start],
                self.query_ids[start],
                self.doc_ids[start:end],
                ranks if len(ranks) == end - start else None,
                None if self.scores is None else part(self.scores, start, end),
                tags[0] if tags else None,
                mixed=tags is not None and len(set(tags)) > 1,
            )


@dataclass(eq=False)
class Piece:
    """Consecutive rows of one query, in file order.

    Attributes:
        line: the number of the first one.
        ranks: None if the rank column of one row is no integer.
        scores: None where the format has none.
        tag: the first row's, or None where the format has none.
        mixed: whether another row has another tag.
    """

    line: int
    query_id: str
    doc_ids: list[str]
    ranks: Sequence[int] | None = None
    scores: list[float] | None = None
    tag: str | None = None
    mixed: bool = False

    def extend(self, other: Piece) -> None:
        """Add the rows that follow."""
        self.doc_ids += other.doc_ids
        if self.ranks is not None and other.ranks is not None:
            ranks = self.ranks if isinstance(self.ranks, list) else list(self.ranks)
            ranks.extend(other.ranks)
            self.ranks = ranks
        else:
            self.ranks = None
        if self.scores is not None and other.scores is not None:
            add(self.scores, other.scores)
        self.mixed = self.mixed or other.mixed or self.tag != other.tag

    def ranking(self, reading: Reading) -> Ranking:
        """All of it as one ranking; `reading.line` is set to its first row's."""
        if self.mixed:
            reading.note(
                "mixed-tags",
                "{n} {ranking carries|rankings carry} more than one run tag; the first was kept",
                line=self.line,
            )
        reading.line = self.line
        return Ranking(self.query_id, self.doc_ids, self.scores, self.ranks, self.tag)


def rankings(pieces: Iterable[Piece], reading: Reading) -> Iterator[Ranking]:
    """Consecutive rows of one query as one ranking; a query that comes back later gives a further one."""
    current: Piece | None = None
    for piece in pieces:
        reading.rows += len(piece.doc_ids)
        if current is None:
            current = piece
        elif current.query_id == piece.query_id:
            current.extend(piece)
        else:
            yield current.ranking(reading)
            current = piece
    if current is not None:
        yield current.ranking(reading)


def starts(values: list[str]) -> list[int]:
    """Where in `values` a run of equal ones starts."""
    return [0, *compress(range(1, len(values)), map(ne, values[1:], values))]
