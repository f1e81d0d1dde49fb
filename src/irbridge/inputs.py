"""One input of a workflow: what it is, in which format, and its records, as often as they are wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

from irbridge.conventions import Convention
from irbridge.errors import InputError, IrbridgeError, UnknownName, UsageError, shown
from irbridge.formats import WITHOUT_LABELS, Format, Part, identify, named_path
from irbridge.model import Judgment, Ranking
from irbridge.piped import Pipe, is_pipe
from irbridge.qrels import Qrels, Repeats
from irbridge.reading import ALL_SPLITS, Reading
from irbridge.source import Source

if TYPE_CHECKING:
    from irbridge.budgets import Budgets
    from irbridge.judging import Judged
    from irbridge.rows import RunRows

Progress = Callable[[int], None]
Through = Callable[[Iterable[Judgment]], Iterator[Judgment]]
T = TypeVar("T")


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
        self.what = what = at_hand(what)
        self.part = part
        self.name = name = what.format_name or name if isinstance(what, Pipe) else name
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
        records = self.records()
        # What a program hands over may be empty; a file without a label is a failure of whoever made it.
        return self._some(records) if self.part == "judgments" and self.format.shape != "object" else records

    def records(self) -> Iterator[Any]:
        """The same for those to whom an input without a label is a finding, not an error."""
        reader = self.format.reader(self.part)
        if reader is None:
            raise IrbridgeError(f"{self.format.name} has no {self.part}")
        records = reader(self.source, self.reading.restarted())
        return self._of_split(records) if self.picks_split else records

    def _some(self, labels: Iterator[Judgment]) -> Iterator[Judgment]:
        first = list(islice(labels, 1))
        if not first:
            raise InputError("holds no label", path=self.label, hint=WITHOUT_LABELS)
        return chain(first, labels)

    @property
    def picks_split(self) -> bool:
        """Whether labels are to be chosen by the split that they are marked with."""
        return self.part == "judgments" and not self.format.has_splits and self.reading.split not in {None, ALL_SPLITS}

    def _of_split(self, labels: Iterator[Judgment]) -> Iterator[Judgment]:
        wanted, found, others = self.reading.split, False, set()
        for label in labels:
            split = label.extra.get("split")
            if split == wanted:
                found = True
                yield label
            elif isinstance(split, str):
                others.add(split)
        if not found:
            known = ", ".join(shown(split, 40) for split in sorted(others))
            raise InputError(
                f"no label is of split '{shown(wanted)}'",
                path=self.label,
                hint=f"its splits: {known}" if others else "its labels name no split: leave --split out",
            )

    def scan(self) -> Iterator[RunRows | Ranking]:
        """A run as columns; only where the format has `scan_run`."""
        if self.format.scan_run is None:
            raise IrbridgeError(f"{self.format.name} cannot be read as columns")
        return self.format.scan_run(self.source, self.reading.restarted())


def at_hand(what: Any) -> Any:
    """`what`, or a `Pipe` where it names one: whoever opens an input several times makes one of it, once."""
    # What exists is most often a file, and needs no format in front to be looked for.
    if not isinstance(what, str | os.PathLike) or os.path.isfile(what) or not os.fspath(what):
        return what
    path, name = named_path(what)
    return Pipe(path, name) if is_pipe(path) else what


def repeatable(what: Any) -> Any:
    """`what`, so that it can be read several times: a generator as the list of its records."""
    held = what.what if isinstance(what, Input) else what
    return list(held) if isinstance(held, Iterator) else what


def opened(what: Any, part: Part, **options: Any) -> Input:
    """`what` as an `Input`; one that is an `Input` already passes through."""
    return what if isinstance(what, Input) else Input(what, part, **options)


def qrels_of(what: Any, *, subtopics: bool = False, pool: bool = False, **options: Any) -> Qrels:
    """Judgments as the table that scoring needs, with subtopics and the pool if asked for; `Qrels` are taken as they are.

    Raises:
        InputError: no label, unusable rows, or one label with two grades.
    """
    if isinstance(what, Qrels):
        # What somebody holds stays as it is: a pool makes every run be read in the slower way.
        return copy(what).with_pool() if pool and what.pool is None else what
    return labels_of(opened(what, "judgments", **options), subtopics=subtopics, pool=pool)


def labels_of(
    source: Input,
    through: Through | None = None,
    *,
    repeats: Repeats = "refuse",
    subtopics: bool = False,
    pool: bool = False,
) -> Qrels:
    """The judgments of `source` as a table.

    Args:
        source: judgments.
        through: sees every label that is read one by one; labels that are nothing but query, document and grade may be
            read as columns instead.
        repeats: what becomes of a label that is given again, see `Qrels.from_judgments`.
        subtopics: keep the subtopics of the labels, which may then judge a document several times.
        pool: know which documents any query has a label for.

    Raises:
        InputError: as `qrels_of`.
    """
    if pool:
        return labels_of(source, through, repeats=repeats, subtopics=subtopics).with_pool()
    if (
        not subtopics
        and source.format.scan_judgments is not None
        and source.size is not None
        and not source.picks_split
    ):
        from irbridge.rows import Irregular

        try:
            return Qrels.from_rows(source.format.scan_judgments(source.source, source.reading.restarted()))
        except Irregular:
            pass
    labels = cast("Iterable[Judgment]", iter(source))
    seen = labels if through is None else through(labels)
    if subtopics:
        from irbridge.subtopics import subtopic_qrels

        return subtopic_qrels(seen, source.reading)
    return Qrels.from_judgments(seen, source.reading, repeats=repeats)


def judged_run(
    qrels: Qrels, run: Any, convention: Convention, *, budgets: Budgets | None = None, **options: Any
) -> Judged:
    """The judged hits of a run, which is anything that an `Input` can be made of; with its depth in each budget.

    Raises:
        InputError: see `judging.judge`.
    """
    from irbridge.judging import judge

    source = opened(run, "run", **options)

    def rankings() -> Iterable[Ranking]:
        return cast("Iterable[Ranking]", iter(source))

    pieces = source.scan if source.format.scan_run else None
    return judge(qrels, rankings, convention, source.reading, pieces=pieces, budgets=budgets)


def part_of(what: Any, part: Part, reading: Reading) -> Iterator[Any] | None:
    """The records of a part, or None where the input has no such part; of an `Input` any part.

    Args:
        what: anything that `Input` takes.
        part: the part wanted.
        reading: options, and what is noticed.

    Raises:
        UnknownName: there is no such id or format.
        InputError: the part is there and cannot be read.
    """
    what, name = (what.what, what.name) if isinstance(what, Input) else (what, getattr(what, "format_name", None))
    try:
        entry, source = identify(what, part, reading, name=name)
        reader = entry.reader(part)
        return None if reader is None else begun(reader(source, reading))
    except UnknownName:
        raise
    except UsageError:
        return None
    except InputError:
        # What lies in memory is of one kind: labels are no documents.
        if isinstance(what, str | os.PathLike | Source) or part == "judgments":
            raise
        return None


def begun(records: Iterator[T]) -> Iterator[T]:
    """The same records, the first of them fetched already."""
    return chain(list(islice(records, 1)), records)
