"""One input of a workflow: what it is, in which format, and its records, as often as they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from irbridge.conventions import Convention
from irbridge.errors import IrbridgeError
from irbridge.formats import Format, Part, identify
from irbridge.model import Judgment, Ranking
from irbridge.qrels import Qrels
from irbridge.reading import Reading
from irbridge.textio import Source

if TYPE_CHECKING:
    from irbridge.judging import Judged
    from irbridge.rows import RunRows

Progress = Callable[[int], None]


class Input:
    """Judgments, a run, queries or documents, from a path, an id or an object in memory.

    Iterating reads the input anew; `reading` holds what was noticed the last time. A generator given as the object can be read once.

    Args:
        what: a path, `-`, `FORMAT:path`, `irds:ID`, or an object in memory; an `Input` is taken as it is.
        part: what is wanted of it.
        name: the format's name, where sniffing is not to decide.
        split: the split, where a collection has several.
        drop_bad_rows: leave unusable rows out, noted, instead of refusing the input.
        allow_infinite: accept infinite scores.

    Raises:
        IrbridgeError: there is no such input, or its format is not recognised.
    """

    def __init__(
        self,
        what: Any,
        part: Part,
        *,
        name: str | None = None,
        split: str | None = None,
        drop_bad_rows: bool = False,
        allow_infinite: bool = False,
    ) -> None:
        self.what = what
        self.part = part
        self.reading = Reading(split=split, drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
        self.format: Format
        self.source: Any
        self.format, self.source = identify(what, part, self.reading, name=name)

    @property
    def label(self) -> str:
        """What messages call this input."""
        return self.reading.label

    @property
    def size(self) -> int | None:
        """Bytes on disk, where the input is one file."""
        return self.source.size if isinstance(self.source, Source) else None

    def watch(self, progress: Progress | None) -> None:
        """Have `progress` called with the bytes of each piece that is read."""
        if isinstance(self.source, Source):
            self.source.watch = progress

    def __iter__(self) -> Iterator[Any]:
        reader = self.format.reader(self.part)
        if reader is None:
            raise IrbridgeError(f"{self.format.name} has no {self.part}")
        return reader(self.source, self.reading.restarted())

    def scan(self) -> Iterator[RunRows]:
        """A run as columns; only where the format has `scan_run`."""
        if self.format.scan_run is None:
            raise IrbridgeError(f"{self.format.name} cannot be read as columns")
        return self.format.scan_run(self.source, self.reading.restarted())


def opened(what: Any, part: Part, **options: Any) -> Input:
    """`what` as an `Input`; one that is an `Input` already passes through."""
    return what if isinstance(what, Input) else Input(what, part, **options)


def qrels_of(what: Any, **options: Any) -> Qrels:
    """Judgments as the table that scoring needs; `Qrels` passes through.

    Raises:
        InputError: no label, unusable rows, or one label with two grades.
    """
    if isinstance(what, Qrels):
        return what
    source = opened(what, "judgments", **options)
    labels = cast("Iterable[Judgment]", iter(source))
    return Qrels.from_judgments(labels, source.reading)


def judged_run(qrels: Qrels, run: Any, convention: Convention, **options: Any) -> Judged:
    """The judged hits of a run, which is anything that an `Input` can be made of.

    Raises:
        InputError: see `judging.judge`.
    """
    from irbridge.judging import judge

    source = opened(run, "run", **options)

    def rankings() -> Iterable[Ranking]:
        return cast("Iterable[Ranking]", iter(source))

    return judge(qrels, rankings, convention, source.reading, pieces=source.scan if source.format.scan_run else None)
