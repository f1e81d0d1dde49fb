"""From one format to another: rows in = rows out, and what a target cannot hold is counted and said."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from irbridge.arguments import flag
from irbridge.atomic import atomic_write, folder_place, new_folder, refuse_input
from irbridge.collect import Scattered
from irbridge.conventions import ORDERS
from irbridge.counted import Counted, Outcome
from irbridge.errors import InputError, IrbridgeError, LossError, UsageError
from irbridge.formats import FORMATS, Collection, Format, Part
from irbridge.inputs import Input, at_hand, part_of, repeatable
from irbridge.model import Judgment, Query, Ranking
from irbridge.reading import ALL_SPLITS, Reading
from irbridge.registry import one_of
from irbridge.sidecar import Sidecar
from irbridge.textio import Source
from irbridge.wording import counted

T = TypeVar("T")


def convert(
    what: Any,
    to: str,
    out: str | os.PathLike[str] | None = None,
    *,
    part: Part | None = None,
    source_format: str | None = None,
    split: str | None = None,
    strict: bool = False,
    sidecar: str | os.PathLike[str] | None = None,
    as_chunk_ids: bool = False,
    order: str | None = None,
    drop_bad_rows: bool = False,
    allow_infinite: bool = False,
    force: bool = False,
    watch: Callable[[int], None] | None = None,
) -> Outcome:
    """Convert judgments, a run or a collection.

    Args:
        what: anything that `irbridge.load` takes.
        to: the target format's name.
        out: the file or folder to write; not for formats in memory.
        part: "judgments" or "run", where the source could be read as either.
        source_format: the source format's name, where sniffing is not to decide.
        split: one split of a collection; None for all of them.
        strict: refuse, and write nothing, if anything would be lost.
        sidecar: a file for what the target cannot hold: written beside qrels made of judgments, read on the way back.
        as_chunk_ids: document ids that are chunk ids become `chunk_id` of the judgments.
        order: "score" or "rank": which column rules where a run's rank column contradicts its scores.
        drop_bad_rows: leave unusable rows out, noted, instead of refusing the input.
        allow_infinite: accept infinite scores.
        force: replace a folder that is there already.
        watch: called with the bytes of each piece read.

    Raises:
        LossError: something would be lost and `strict` is set.
        UsageError: the target cannot be written from this source.
        InputError: the source cannot be used.
    """
    for name, value in {"strict": strict, "as_chunk_ids": as_chunk_ids, "force": force}.items():
        flag(name, value)
    if order is not None:
        one_of("value of order", order, ORDERS)
    target = FORMATS.get(to)
    # A folder gets one part after another.
    what = at_hand(repeatable(what) if target.write_folder is not None else what)
    source = Input(
        what, _part_for(what, target, source_format) if part is None else part, name=source_format, split=split or ALL_SPLITS,
        drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite,
    )  # fmt: skip
    source.watch(watch)
    outcome = Outcome(source.format.name, target.name)
    job = _Job(Counted(source, target, outcome, order, as_chunk_ids=as_chunk_ids))
    try:
        if target.shape == "object":
            outcome.result = job.to_object()
        elif out is None:
            raise UsageError(
                f"{target.name} is written to a file", hint="name it with -o OUT, or -o - for standard output"
            )
        elif target.write_folder is not None and (target.shape == "folder" or _wants_folder(target, out, source)):
            if sidecar is not None:
                raise UsageError("a sidecar stands beside a file of qrels, not beside a folder")
            job.to_folder(Path(out), strict=strict, force=force)
        else:
            job.to_file(out, strict=strict, sidecar=sidecar)
    except InputError as error:
        if error.path is None:
            # A writer knows what it cannot write, not where that was read.
            error.path, error.line = source.label, source.reading.line or None
        raise
    return outcome


def part_of_source(what: Any, source_format: str | None = None) -> Part:
    """Whether the source is judgments or a run: the first as which it can be read."""
    parts: tuple[Part, Part] = ("judgments", "run")
    return next((part for part in parts if _is(what, part, source_format)), "judgments")


def _part_for(what: Any, target: Format, source_format: str | None) -> Part:
    """What of the source the target can hold; where it can hold both, what the source is."""
    judgments = target.write_judgments is not None or target.write_folder is not None
    run = target.write_run is not None
    if target.shape == "object" or target.write_folder is not None or (judgments and run):
        return part_of_source(what, source_format)
    if run:
        return "run"
    if judgments:
        return "judgments"
    raise UsageError(f"{target.name} can be read, not written")


def _is(what: Any, part: Part, source_format: str | None) -> bool:
    """Whether the source can be read as `part`; of what can be read more than once, the first record is tried."""
    try:
        found = Input(what, part, name=source_format)
        if isinstance(what, Iterator):
            return True
        next(iter(found), None)
    except IrbridgeError:
        return False
    return True


def _wants_folder(target: Format, out: str | os.PathLike[str], source: Input) -> bool:
    """A format that is a file as well as a folder is written as a folder where more than one part is to be kept."""
    if source.part == "run" and target.write_run is not None:
        return False
    return not Path(out).suffix or target.write_judgments is None or source.format.read_documents is not None


class _Job:
    """One conversion under way."""

    def __init__(self, records: Counted) -> None:
        self.records = records
        self.source = records.source
        self.target = records.target
        self.outcome = records.outcome
        # Of the parts beside the one that is converted.
        self.readings: list[Reading] = []

    def _finish(self, *, strict: bool) -> None:
        """Called before anything becomes visible."""
        readings = [self.source.reading, *self.readings]
        # Labels of a folder have been given their queries' texts: what was noticed there may have been noticed twice.
        notes = dict.fromkeys(str(note) for reading in readings for note in reading.notes.values())
        self.outcome.notes.extend(notes)
        self.outcome.dropped = list({str(row): row for reading in readings for row in reading.dropped}.values())
        if strict and self.outcome.losses:
            lost = "; ".join(f"{what} in {counted(count, 'row')}" for what, count in self.outcome.losses.items())
            raise LossError(
                f"{self.target.name} cannot hold {lost}",
                hint="without --strict the rest is converted; judgments JSONL holds all",
            )

    def _gathering(self, carry_out: Callable[[bool], T]) -> T:
        """Do it; where a query's rows turn out to be scattered, forget what was counted and do it with the rows gathered."""
        try:
            return carry_out(False)
        except Scattered:
            self.outcome.losses.clear()
            self.readings.clear()
            self.outcome.notes[:] = ["rows of one query were scattered through the input; they were gathered"]
            return carry_out(True)

    def _check_sidecar(self, out: str | os.PathLike[str], sidecar: str | os.PathLike[str] | None) -> None:
        if sidecar is not None and os.path.realpath(sidecar) in {os.path.realpath(out), self._own_path}:
            raise UsageError("the sidecar would be written over the input or the output", hint="name a file of its own")

    @property
    def _own_path(self) -> str | None:
        """The file that the source is."""
        return os.path.realpath(self.source.source.path) if isinstance(self.source.source, Source) else None

    def to_file(self, out: str | os.PathLike[str], *, strict: bool, sidecar: str | os.PathLike[str] | None) -> None:
        for written in (out, sidecar):
            if written is not None and os.fspath(written) != "-" and isinstance(self.source.source, Source):
                refuse_input(os.path.realpath(written), self.source.source.path)
        if self.source.part == "run":
            if self.target.write_run is None:
                raise UsageError(f"{self.target.name} cannot hold a run")
            self._gathering(lambda gather: self._write_run(out, strict=strict, gather=gather))
            return
        if self.target.write_judgments is None:
            raise UsageError(f"{self.target.name} cannot hold judgments")
        self._check_sidecar(out, sidecar)
        # A target that holds everything takes back what a sidecar kept; any other has something kept in one.
        restore = sidecar is not None and self.target.keeps_unknown
        beside = Sidecar.read(sidecar) if restore and sidecar is not None else None
        with atomic_write(out) as stream:
            self.outcome.rows_out["judgments"] = self.target.write_judgments(self.records.judgments(beside), stream)
            if sidecar is not None and not restore:
                Sidecar.write(self.source, sidecar)
                self.outcome.losses.clear()
                self.outcome.notes.append(f"what {self.target.name} cannot hold is in {os.fspath(sidecar)}")
            self._dropped_parts({"judgments"})
            if self.outcome.losses and os.path.realpath(out) == self._own_path:
                raise LossError(
                    f"{os.fspath(out)} is the input, and {self.target.name} cannot hold all of it",
                    hint="write to another file",
                )
            self._finish(strict=strict)
        if beside is not None:
            self.outcome.notes.extend(beside.notes())

    def _write_run(self, out: str | os.PathLike[str], *, strict: bool, gather: bool) -> None:
        with atomic_write(out) as stream:
            writer = cast("Callable[[Iterable[Ranking], Any], int]", self.target.write_run)
            self.outcome.rows_out["run"] = writer(self.records.rankings(gather=gather), stream)
            self._finish(strict=strict)

    def to_object(self) -> Any:
        if self.target.to_object is None:
            raise UsageError(f"{self.target.name} can be read, not written")
        if self.source.part == "run":
            rankings = self._gathering(lambda gather: list(self.records.rankings(gather=gather)))
            made = self.target.to_object("run", rankings)
        else:
            made = self.target.to_object("judgments", self.records.judgments())
        self._finish(strict=False)
        return made

    def to_folder(self, out: Path, *, strict: bool, force: bool) -> None:
        """A folder is written whole beside its place, then moved there."""
        place = folder_place(out, force=force)
        if isinstance(self.source.source, Source):
            refuse_input(place, self.source.source.path)
        with new_folder(place) as made:
            self._gathering(lambda gather: self._write_folder(made, gather=gather))
            self._finish(strict=strict)
            if self.source.part not in self.outcome.rows_out:
                raise UsageError(f"{self.target.name} cannot hold a {self.source.part}")

    def _write_folder(self, made: Path, *, gather: bool) -> None:
        collection = self._collection(gather=gather)
        writer = cast("Callable[[Collection, Path], dict[Part, int]]", self.target.write_folder)
        rows = writer(collection, made)
        # Nothing was asked of a part that is in neither.
        self.outcome.rows_out.update({part: n for part, n in rows.items() if n or part in self.outcome.rows_in})
        if self.source.part == "judgments" and collection.run is not None and "run" not in self.outcome.rows_out:
            lost = sum(len(ranking.doc_ids) for ranking in self._part("run") or ())
            self.outcome.rows_in["run"] = lost
            self.outcome.lost("the run", lost)

    def _collection(self, *, gather: bool) -> Collection:
        queries = self._part("queries")
        if queries is None and self.source.part == "judgments":
            labels = part_of(self.source, "judgments", self._reading())
            queries = None if labels is None else _queries_of(labels)
        documents = self._part("documents")
        if documents is None:
            self.outcome.notes.append(f"{self.source.format.name} has no documents: none were written")
        if self.source.part == "run":
            return Collection(run=self.records.rankings(gather=gather), queries=queries, documents=documents)
        beside = self._run_beside()
        run = None if beside is None else beside.rankings(gather=gather)
        return Collection(judgments=self.records.judgments(), run=run, queries=queries, documents=documents)

    def _run_beside(self) -> Counted | None:
        """The run that a folder has beside its labels; it is put in order and counted as one that is converted alone."""
        if self.source.format.shape != "folder" or part_of(self.source, "run", self._reading()) is None:
            return None
        own = self.source.reading
        run = Input(
            self.source.what, "run", name=self.source.name, split=own.split,
            drop_bad_rows=own.drop_bad_rows, allow_infinite=own.allow_infinite,
        )  # fmt: skip
        self.readings.append(run.reading)
        return Counted(run, self.target, self.outcome, self.records.order, as_chunk_ids=False)

    def _reading(self) -> Reading:
        """For reading the source once more, with the same options."""
        own = self.source.reading
        return Reading(split=own.split, drop_bad_rows=own.drop_bad_rows, allow_infinite=own.allow_infinite)

    def _part(self, part: Part) -> Iterator[Any] | None:
        """A part beside the one that is converted."""
        reading = self._reading()
        records = part_of(self.source, part, reading)
        if records is None:
            return None
        self.readings.append(reading)
        return self._counted(part, records)

    def _counted(self, part: Part, records: Iterator[Any]) -> Iterator[Any]:
        count = 0
        for record in records:
            count += 1
            yield record
        self.outcome.rows_in[part] = count

    def _dropped_parts(self, written: set[str]) -> None:
        parts: tuple[Part, ...] = ("queries", "documents")
        # Whether a public collection has a run is not looked for: that might fetch it.
        run: tuple[Part, ...] = ("run",) if self._run_beside() is not None else ()
        for part in (*parts, *run):
            if part not in written and self.source.format.reader(part) is not None:
                were = "was" if part == "run" else "were"
                self.outcome.notes.append(f"{self.target.name} holds judgments only: the {part} {were} not written")


def _queries_of(labels: Iterable[Judgment]) -> Iterator[Query]:
    """The queries whose text the labels carry, in order of first appearance."""
    seen: set[str] = set()
    for label in labels:
        if label.query is not None and label.query_id not in seen:
            seen.add(label.query_id)
            yield Query(label.query_id, label.query)
