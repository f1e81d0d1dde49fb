"""A public collection as a folder of its own: judgments, queries, documents, and a manifest that says what they are."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from irbridge import catalogue
from irbridge.atomic import replace_folder
from irbridge.errors import InputError, MissingDependency, UsageError, shown
from irbridge.formats import FORMATS, Part, identify
from irbridge.formats.base import Collection
from irbridge.inputs import Input, begun, part_of
from irbridge.manifest import Manifest
from irbridge.model import Judgment
from irbridge.reading import Reading

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
        force: replace a folder that an earlier call has written.
        progress: called with the part and its rows so far.

    Returns:
        What was written; also in the folder's manifest.json.

    Raises:
        UsageError: no judgments there, no such split, or `out` is in use.
        InputError: a part cannot be read or fetched; the message says which file belongs where.
    """
    target = Path(out)
    _check_target(target, force=force)
    made = Path(tempfile.mkdtemp(prefix=".irbridge-", dir=target.absolute().parent))
    try:
        manifest = _write(what, made, split, progress, without_documents=without_documents)
        replace_folder(made, target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return manifest


def _check_target(target: Path, *, force: bool) -> None:
    """Raise a UsageError unless the folder can be written without destroying anything but an earlier result."""
    if not target.absolute().parent.is_dir():
        raise UsageError(
            f"the folder {shown(target.parent, 200)} does not exist", hint=f"mkdir -p {shown(target.parent, 200)}"
        )
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise UsageError(f"{shown(target, 200)} is there already and no folder", hint="name another folder")
    if not any(target.iterdir()):
        return
    ours = None
    with suppress(InputError):
        ours = Manifest.read(target)
    if ours is None:
        raise UsageError(f"the folder {shown(target, 200)} is not empty", hint="name another folder")
    if not force:
        raise UsageError(
            f"the folder {shown(target, 200)} holds a collection already",
            hint="name another folder, or replace it with --force",
        )


# --------------------------------------------------------------------------------------------------------------- parts


def _write(
    what: Any, folder: Path, split: str | None, progress: Progress | None, *, without_documents: bool
) -> Manifest:
    what = what.what if isinstance(what, Input) else what
    reading = Reading(split=split)
    entry, source = identify(what, "judgments", reading)
    reader = entry.read_judgments
    if reader is None:
        raise UsageError(f"{entry.name} has no judgments")
    counts = _Counts()
    # Begun before the other parts: of several things that may be amiss, the labels are named first.
    labels = begun(counts.watched(_distinct(reader(source, reading), reading)))
    others = {part: Reading(split=split) for part in ("queries", "documents")}
    collection = Collection(
        judgments=_watched("judgments", labels, progress),
        queries=_watched("queries", part_of(what, "queries", others["queries"]), progress),
        documents=None if without_documents else _watched("documents", _documents(what, others["documents"]), progress),
    )
    writer = FORMATS.get("collection").write_folder
    rows = writer(collection, folder) if writer is not None else {}
    if not rows.get("judgments"):
        raise InputError("holds no judgment", path=reading.label)
    manifest = cast("Manifest", Manifest.read(folder))
    manifest.judged_queries = len(counts.queries)
    manifest.grades = dict(counts.grades)
    manifest.notes = [str(note) for one in (reading, *others.values()) for note in one.notes.values()]
    if without_documents:
        manifest.notes.append("the documents were left out")
    _describe(manifest, what, entry.name, reading, split)
    manifest.write(folder)
    return manifest


def _documents(what: Any, reading: Reading) -> Iterator[Any] | None:
    """The documents, where the error of a collection whose documents cannot be had says how to do without them."""
    try:
        found = part_of(what, "documents", reading)
    except (InputError, MissingDependency) as error:
        option = "--without-documents (without_documents=True) leaves them out"
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
        key = (label.query_id, label.key, label.iteration)
        first = seen.setdefault(key, label)
        if first is not label and first == label:
            reading.note("duplicates", "{n} repeated judgments, equal to an earlier one, collapsed")
            continue
        if first.relevance != label.relevance:
            reading.note(
                "conflicts", "{n} judgments contradict an earlier one of the same document; scoring will refuse them"
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


def datasets(word: str | None = None) -> list[catalogue.Entry]:
    """The collections that `irds:ID` opens, with the counts of ir_datasets' own metadata; no network is asked.

    Args:
        word: only those with it in their id, title or description.
    """
    return catalogue.entries(word)
