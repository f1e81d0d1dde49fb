"""A collection folder, as `irbridge load` writes it: judgments.jsonl, queries.jsonl, corpus.jsonl, manifest.json.

Judgments are judgments JSONL, queries and documents are lines as in a BEIR folder. A run that comes with the collection
stands in run.trec, or in run.jsonl where it has no scores. Any file may be missing but the one that is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from irbridge.atomic import atomic_write
from irbridge.compression import COMPRESSED_SUFFIXES
from irbridge.errors import UsageError, shown
from irbridge.formats import FORMATS
from irbridge.formats.base import Collection, Format, Head, Part
from irbridge.formats.beirlines import note_bom, read_documents, read_queries, write_documents, write_queries
from irbridge.manifest import NAME as MANIFEST
from irbridge.manifest import Manifest, PartFile
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.reading import Reading
from irbridge.source import Source

# Part -> (file name, format); the parts whose lines are BEIR's have no format of their own.
_JUDGMENTS = (("judgments.jsonl", "judgments"),)
_RUNS = (("run.trec", "trec-run"), ("run.jsonl", "run"))


def _file(folder: Source, part: Part, reading: Reading, *names: str) -> tuple[Source, int]:
    """The first of `names` that the folder has, compressed or not, and its place in `names`.

    Raises:
        UsageError: it has none of them, so it does not have the part.
    """
    for place, name in enumerate(names):
        for suffix in ("", *COMPRESSED_SUFFIXES):
            path = os.path.join(folder.path, name + suffix)
            if os.path.isfile(path):
                found = Source(path)
                found.watch = folder.watch
                reading.label = found.label
                note_bom(found, reading)
                return found, place
    raise UsageError(f"{shown(folder.label, 200)} has no {part}: there is no {' or '.join(names)} in it")


def _read_judgments(folder: Source, reading: Reading) -> Iterator[Judgment]:
    source, _ = _file(folder, "judgments", reading, _JUDGMENTS[0][0])
    reader = FORMATS.get(_JUDGMENTS[0][1]).read_judgments
    if reader is not None:
        yield from reader(source, reading)


def _read_run(folder: Source, reading: Reading) -> Iterator[Ranking]:
    source, place = _file(folder, "run", reading, *(name for name, _ in _RUNS))
    reader = FORMATS.get(_RUNS[place][1]).read_run
    if reader is not None:
        yield from reader(source, reading)


def _read_queries(folder: Source, reading: Reading) -> Iterator[Query]:
    source, _ = _file(folder, "queries", reading, "queries.jsonl")
    yield from read_queries(source, reading)


def _read_documents(folder: Source, reading: Reading) -> Iterator[Document]:
    source, _ = _file(folder, "documents", reading, "corpus.jsonl")
    yield from read_documents(source, reading)


def _sniff(head: Head) -> int:
    if not head.is_dir:
        return 0
    if any(name.startswith("judgments.jsonl") for name in head.entries):
        return 95
    return 75 if MANIFEST in head.entries and "qrels" not in head.entries else 0


def _write_folder(collection: Collection, folder: Path) -> dict[Part, int]:
    """Write what the collection has, and a manifest of it; a part that is empty leaves no file."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = Manifest()
    parts: tuple[tuple[Part, Iterable[Any] | None], ...] = (
        ("judgments", collection.judgments),
        ("queries", collection.queries),
        ("documents", collection.documents),
        ("run", collection.run),
    )
    for part, records in parts:
        first = next(found := iter(records or ()), None)
        if first is None:
            continue
        name, writer = _target(part, first)
        with atomic_write(folder / name) as stream:
            rows = writer(chain([first], found), stream)
        manifest.parts[part] = PartFile.of(folder / name, rows)
    manifest.write(folder)
    return {
        part: manifest.parts[part].rows if part in manifest.parts else 0
        for part, records in parts
        if records is not None
    }


def _target(part: Part, first: Any) -> tuple[str, Any]:
    """The file name and the writer of a part."""
    if part == "queries":
        return "queries.jsonl", write_queries
    if part == "documents":
        return "corpus.jsonl", write_documents
    if part == "judgments":
        name, entry = _JUDGMENTS[0]
        return name, FORMATS.get(entry).write_judgments
    name, entry = _RUNS[0 if first.scores is not None else 1]
    return name, FORMATS.get(entry).write_run


FORMAT = Format(
    name="collection",
    shape="folder",
    summary="collection folder: judgments.jsonl, queries.jsonl, corpus.jsonl, manifest.json",
    sniff=_sniff,
    read_judgments=_read_judgments,
    read_run=_read_run,
    read_queries=_read_queries,
    read_documents=_read_documents,
    write_folder=_write_folder,
    keeps=frozenset(Judgment._fields) - {"query_id", "doc_uri", "relevance", "extra"} | {"scores", "digits", "tag"},
    keeps_unknown=True,
)
