"""A public collection as a folder of its own: judgments, queries, documents, and a manifest that says what they are."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from irbridge import catalogue
from irbridge.arguments import flag
from irbridge.atomic import folder_place, new_folder, refuse_input
from irbridge.errors import InputError, MissingDependency, UsageError, shown
from irbridge.formats import FORMATS, Part, identify
from irbridge.formats.base import Collection
from irbridge.inputs import Input, at_hand, begun, part_of
from irbridge.manifest import Manifest
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import Source

T = TypeVar("T")

#: Called with the part and the number of its rows so far, now and then and at its end.
Progress = Callable[[Part, int], None]

_EVERY = 1000


def load_collection(
    what: Any,
    out: str | os.PathLike[str],
    *,
    split: str | None = None,
    without_documents: bool = False,
    without_queries: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Manifest:
    """Write a collection as a folder: judgments.jsonl, queries.jsonl, corpus.jsonl, manifest.json.

    The folder appears when it is whole; a call that fails leaves what was there before. Documents and queries are
    streamed, memory follows the labels.

    Args:
        what: `irds:ID`, a BEIR folder, or anything else that holds judgments.
        out: the folder to write; it must not exist, or be empty.
        split: the split of a collection that has several ("*" for all that a BEIR folder has).
        without_documents: leave the documents out, which may be large or not to be had.
        without_queries: leave the queries out, which may not be to be had.
        force: replace a folder that an earlier call has written.
        progress: called with the part and its rows so far.

    Returns:
        What was written; also in the folder's manifest.json.

    Raises:
        UsageError: no judgments there, no such split, or `out` is in use.
        InputError: a part cannot be read or fetched; the message says which file belongs where.
    """
    place = _place(out, force=flag("force", force))
    without: set[Part] = set()
    if flag("without_documents", without_documents):
        without.add("documents")
    if flag("without_queries", without_queries):
        without.add("queries")
    with new_folder(place) as made:
        return _write(what, made, split, progress, without, place)


def _place(out: str | os.PathLike[str], *, force: bool) -> Path:
    """Where the folder goes, if that destroys nothing but an earlier result; raises a UsageError otherwise."""
    place = folder_place(out, force=True)
    if not place.is_dir() or not any(place.iterdir()):
        return place
    ours = None
    with suppress(InputError):
        ours = Manifest.read(place)
    if ours is None:
        raise UsageError(f"the folder {shown(os.fspath(out), 200)} is not empty", hint="name another folder")
    if not force:
        raise UsageError(
            f"the folder {shown(os.fspath(out), 200)} holds a collection already",
            hint="name another folder, or replace it with --force",
        )
    return place


# --------------------------------------------------------------------------------------------------------------- parts


def _write(
    what: Any, folder: Path, split: str | None, progress: Progress | None, without: set[Part], place: Path
) -> Manifest:
    what = what.what if isinstance(what, Input) else at_hand(what)
    reading = Reading(split=split)
    entry, source = identify(what, "judgments", reading)
    if isinstance(source, Source):
        refuse_input(place, source.path)
    reader = entry.read_judgments
    if reader is None:
        raise UsageError(f"{entry.name} has no judgments")
    counts = _Counts()
    # Begun before the other parts: of several things that may be amiss, the labels are named first.
    labels = begun(counts.watched(_distinct(reader(source, reading), reading)))
    parts: tuple[Part, ...] = ("queries", "documents")
    others = {part: Reading(split=split) for part in parts}

    def part(name: Part) -> Iterable[Any] | None:
        return None if name in without else _watched(name, _had(what, name, others[name]), progress)

    collection = Collection(
        judgments=_watched("judgments", labels, progress), queries=part("queries"), documents=part("documents")
    )
    writer = FORMATS.get("collection").write_folder
    rows = writer(collection, folder) if writer is not None else {}
    if not rows.get("judgments"):
        raise InputError("holds no label", path=reading.label)
    manifest = cast("Manifest", Manifest.read(folder))
    manifest.judged_queries = len(counts.queries)
    manifest.grades = dict(counts.grades)
    manifest.notes = [str(note) for one in (reading, *others.values()) for note in one.notes.values()]
    manifest.notes.extend(f"the {part} were left out" for part in parts if part in without)
    _describe(manifest, what, entry.name, reading, split)
    manifest.write(folder)
    return manifest


def _had(what: Any, part: Part, reading: Reading) -> Iterator[Any] | None:
    """A part, where the error of a collection whose part cannot be had says how to do without it."""
    try:
        found = part_of(what, part, reading)
    except (InputError, MissingDependency) as error:
        option = f"--without-{part} (without_{part}=True) leaves them out"
        error.hint = f"{error.hint}; {option}" if error.hint else option
        raise
    return found


def _watched(part: Part, records: Iterable[T] | None, progress: Progress | None) -> Iterable[T] | None:
    if records is None or progress is None:
        return records
    return _told(part, records, progress)


def _told(part: Part, records: Iterable[T], progress: Progress) -> Iterator[T]:
    rows = 0
    for rows, record in enumerate(records, 1):
        yield record
        if rows % _EVERY == 0:
            progress(part, rows)
    progress(part, rows)


class _Counts:
    """The judged queries and the grades of the labels that passed by."""

    def __init__(self) -> None:
        self.queries: set[str] = set()
        self.grades: Counter[int] = Counter()

    def watched(self, labels: Iterable[Judgment]) -> Iterator[Judgment]:
        for label in labels:
            self.queries.add(label.query_id)
            self.grades[label.relevance] += 1
            yield label


def _distinct(labels: Iterable[Judgment], reading: Reading) -> Iterator[Judgment]:
    """The labels without exact repetitions, noted. Labels that contradict each other are all kept, and noted too."""
    seen: dict[Hashable, Judgment] = {}
    for label in labels:
        key = (label.query_id, label.target, label.iteration)
        first = seen.setdefault(key, label)
        if first is not label and first == label:
            reading.note("duplicates", "{n} repeated {judgment|judgments}, equal to an earlier one, collapsed")
            continue
        if first.relevance != label.relevance:
            reading.note(
                "conflicts",
                "{n} {judgment contradicts|judgments contradict} an earlier one of the same document; no score of them can pass",
            )
        yield label


# ------------------------------------------------------------------------------------------------------------ manifest


def _describe(manifest: Manifest, what: Any, name: str, reading: Reading, split: str | None) -> None:
    """Say where the collection comes from, and what ir_datasets documents about it."""
    shown_as = os.fspath(what) if isinstance(what, str | os.PathLike) else reading.label
    manifest.source = {"name": _portable(str(shown_as)), "format": name, "split": split}
    if name != "irds":
        return
    dataset_id = reading.label.removeprefix("irds:")
    facts = catalogue.about(dataset_id)
    manifest.source.update(
        name=reading.label,
        provider="ir_datasets",
        version=facts.version,
        title=facts.title,
        description=facts.description,
    )
    manifest.levels = dict(facts.levels)
    manifest.official_measures = list(facts.measures)
    manifest.bibtex_ids = list(facts.bibtex_ids)
    manifest.licence = facts.licence


def _portable(name: str) -> str:
    """The last part of a path: where it lay on one machine means nothing on another."""
    return name if not os.path.exists(name) else Path(name).resolve().name


def datasets(*words: str) -> list[catalogue.Entry]:
    """The collections that `irds:ID` opens, with the counts of ir_datasets' own metadata; no network is asked.

    Args:
        words: only those with all of them in their id, title or description.
    """
    return catalogue.entries(*words)
