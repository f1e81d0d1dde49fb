"""What a format is: a descriptor with readers and writers for the parts it holds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple

from irbridge.model import Chunk, ChunkRow, Document, Judgment, Query, Ranking
from irbridge.reading import Reading
from irbridge.source import HEAD_BYTES, Source

if TYPE_CHECKING:
    from pathlib import Path

    from irbridge.rows import LabelRows, RunRows

Part = Literal["judgments", "run", "queries", "documents", "chunks"]
Shape = Literal["file", "folder", "id", "object"]
#: Sees bytes of a source; names the places, ascending, whose records are wanted.
Sieve = Callable[[bytes], Sequence[int]]


class Head(NamedTuple):
    """What sniffing may look at: nothing is read beyond the first 64 KB.

    Attributes:
        name: the file name in lower case, without a compression suffix.
        lines: the first complete, non-blank lines (at most 20), undecodable bytes replaced.
        start: the first decompressed bytes.
        entries: for a folder, its sorted entry names.
    """

    name: str
    is_dir: bool = False
    start: bytes = b""
    lines: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    path: str = ""

    @classmethod
    def of(cls, source: Source) -> Head:
        if source.is_dir:
            return cls(source.name.lower(), True, entries=tuple(sorted(os.listdir(source.path))), path=source.path)
        start = source.head()
        whole = start.decode("utf-8-sig", "replace").split("\n")
        if len(start) >= HEAD_BYTES:
            whole.pop()
        found = tuple(islice((line.rstrip("\r") for line in whole if line.strip()), 20))
        return cls(source.name.lower(), False, start, found, path=source.path)


def says_nothing(start: bytes, marks: Sequence[bytes] = (b"//", b"#")) -> bool:
    """Whether a text that begins so is nothing but blank lines, and comments that begin with one of the marks.

    What is longer than sniffing sees says something.
    """
    if len(start) >= HEAD_BYTES or b"\0" in start:
        return False
    lines = map(bytes.strip, start.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    return all(not line or line.startswith(tuple(marks)) for line in lines)


class Collection(NamedTuple):
    """What a folder-shaped writer is given: each part as an iterable, or None where the source has none."""

    judgments: Iterable[Judgment] | None = None
    run: Iterable[Ranking] | None = None
    queries: Iterable[Query] | None = None
    documents: Iterable[Document] | None = None


@dataclass(frozen=True, eq=False)
class Format:
    """One format.

    Readers take (source, reading) and yield records lazily, in file order. `source` is a `Source` for files and folders,
    the id's text for shape "id", the object for shape "object". A reader sets `reading.line` before each record (where
    there are lines), counts `reading.rows`, reports unusable rows with `reading.bad_row`, and calls `reading.finish()` at
    the end.

    A reader of chunks puts what the corpus says of itself into `reading.about` before it yields the first one.

    File writers take (records, stream) and return the number of rows written; that of chunks takes what the corpus says of
    itself as well. Folder writers take (collection, folder)
    and return rows by part. Object writers take (part, records) and return the object; they know judgments and runs.

    Attributes:
        name: as on the command line.
        shape: what an input of this format is.
        summary: one line for the table of formats.
        sniff: Head -> certainty from 0 (no) to 100 (sure); None where a format can only be named.
        accepts: for objects: (object, part) -> whether this format reads it.
        keeps: optional fields of `Judgment` (and "ranks", "scores", "digits" of the scores, "tag" of a run) that a written file still holds.
        keeps_unknown: keeps unknown fields too (`Judgment.extra`).
        scan_judgments: reads labels that are nothing but query, document and grade as columns; raises `rows.Irregular` where
            the source needs `read_judgments`.
        scan_run: reads a run as columns, block by block; the fast way for scoring, equal to `read_run` in content. What does
            not fit into columns may come as rankings.
        scan_chunks: reads chunks many at a time, without their unknown members; with a sieve only those that it asks for, or more.
        suffix: the usual file suffix; a file so named is written in this format where none is asked for.
        more_suffixes: others that stand for it as well.
        endings: of a folder of separate files: how their names end.
        required: what a record cannot lack, as the format calls it.
        example: one record as it stands in a file.
        extra: the pip extra that the format needs, or None.
        binary: NUL bytes are normal in it.
        has_splits: its readers obey `reading.split`; of other formats the labels marked with `extra["split"]` are chosen.
    """

    name: str
    shape: Shape
    summary: str
    aliases: tuple[str, ...] = ()
    sniff: Callable[[Head], int] | None = None
    accepts: Callable[[Any, Part], bool] | None = None
    read_judgments: Callable[[Any, Reading], Iterator[Judgment]] | None = None
    read_run: Callable[[Any, Reading], Iterator[Ranking]] | None = None
    read_queries: Callable[[Any, Reading], Iterator[Query]] | None = None
    read_documents: Callable[[Any, Reading], Iterator[Document]] | None = None
    read_chunks: Callable[[Any, Reading], Iterator[Chunk]] | None = None
    scan_judgments: Callable[[Source, Reading], Iterator[LabelRows]] | None = None
    scan_run: Callable[[Source, Reading], Iterator[RunRows | Ranking]] | None = None
    scan_chunks: Callable[[Source, Reading, Sieve | None], Iterator[Sequence[ChunkRow]]] | None = None
    write_judgments: Callable[[Iterable[Judgment], BinaryIO], int] | None = None
    write_run: Callable[[Iterable[Ranking], BinaryIO], int] | None = None
    write_chunks: Callable[[Iterable[Chunk], BinaryIO, Mapping[str, Any]], int] | None = None
    write_folder: Callable[[Collection, Path], dict[Part, int]] | None = None
    to_object: Callable[[Part, Iterable[Any]], Any] | None = None
    keeps: frozenset[str] = field(default_factory=frozenset)
    keeps_unknown: bool = False
    suffix: str = ""
    more_suffixes: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    example: str = ""
    extra: str | None = None
    binary: bool = False
    has_splits: bool = False

    def reader(self, part: Part) -> Callable[[Any, Reading], Iterator[Any]] | None:
        """The reader of that part, or None."""
        found: Callable[[Any, Reading], Iterator[Any]] | None = getattr(self, f"read_{part}")
        return found
