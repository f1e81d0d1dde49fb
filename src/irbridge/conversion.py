"""One conversion under way: the records of a source are written to a file or a folder, or made an object."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from irbridge.atomic import atomic_write, folder_place, new_folder, refuse_input
from irbridge.collect import Scattered
from irbridge.counted import Counted
from irbridge.errors import LossError, UsageError
from irbridge.formats import Collection, Part
from irbridge.inputs import Input, part_of
from irbridge.model import Judgment, Query, Ranking
from irbridge.reading import Reading
from irbridge.sidecar import Sidecar
from irbridge.source import Source
from irbridge.wording import counted

T = TypeVar("T")


class Conversion:
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
