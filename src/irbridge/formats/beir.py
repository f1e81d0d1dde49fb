"""A BEIR folder: corpus.jsonl, queries.jsonl and one TSV of labels per split in qrels/, each of them compressed or not.

Splits on reading: the one asked for; without a wish `test` if there is one, else the only one. The split `*` is all of
them, one after another in the order of their names, each label marked with `extra["split"]` (but where `test` is the only one); a folder is written back
from these marks (`test` where there is none). Labels get the text of their query from queries.jsonl.

BEIR's own loader reads what is written here, with three limits of its own: it needs a corpus.jsonl that is not empty, a
queries.jsonl, and in it every query that has a label. Nothing is made up to please it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from irbridge.atomic import atomic_write
from irbridge.compression import COMPRESSED_SUFFIXES
from irbridge.errors import InputError, UsageError, quoted, shown
from irbridge.formats import FORMATS
from irbridge.formats.base import Collection, Format, Head, Part
from irbridge.formats.beirlines import (
    QRELS_HEADER,
    note_bom,
    qrels_row,
    query_texts,
    read_documents,
    read_queries,
    write_documents,
    write_queries,
)
from irbridge.model import Document, Judgment, Query
from irbridge.reading import ALL_SPLITS, Reading
from irbridge.source import Source

DEFAULT_SPLIT = "test"
#: So many splits are written at a time; a process may hold few files open, and a collection may have thousands of splits.
_OPEN = 64
_SPLIT_NAME = re.compile(r"\w[\w.+-]*")


# ------------------------------------------------------------------------------------------------------------- reading


def _file(folder: Source, *names: str) -> Source | None:
    """The first of `names` in the folder, compressed or not."""
    for name in names:
        for suffix in ("", *COMPRESSED_SUFFIXES):
            path = os.path.join(folder.path, name + suffix)
            if os.path.isfile(path):
                found = Source(path)
                found.watch = folder.watch
                return found
    return None


def _part(folder: Source, name: str, part: Part, reading: Reading) -> Source:
    """The file `name` of the folder, which messages of `reading` are about from here on.

    Raises:
        UsageError: there is none, so the folder does not have the part.
    """
    found = _file(folder, name)
    if found is None:
        raise UsageError(f"{shown(folder.label, 200)} has no {part}: there is no {name} in it")
    reading.label = found.label
    note_bom(found, reading)
    return found


def _splits(folder: Source) -> dict[str, Source]:
    """Split name -> its file, in the order of the names."""
    inside = os.path.join(folder.path, "qrels")
    stems: set[str] = set()
    for name in os.listdir(inside) if os.path.isdir(inside) else ():
        plain = Source(os.path.join(inside, name)).name
        if plain.endswith(".tsv") and not plain.startswith("."):
            stems.add(plain[: -len(".tsv")])
    found = {stem: _file(folder, os.path.join("qrels", stem + ".tsv")) for stem in sorted(stems)}
    return {stem: source for stem, source in found.items() if source is not None}


def _chosen(folder: Source, splits: dict[str, Source], reading: Reading) -> list[str]:
    """The splits to read.

    Raises:
        UsageError: there is none, not the one asked for, or several of which none is the default.
    """
    wish = reading.split
    listed = ", ".join(shown(name, 40) for name in splits)
    if not splits:
        raise UsageError(f"{shown(folder.label, 200)} has no judgments: there is no qrels/*.tsv in it")
    if wish == ALL_SPLITS:
        return list(splits)
    if wish is not None and wish not in splits:
        raise UsageError(
            f"{shown(folder.label, 200)} has no split '{shown(wish)}'", hint=f"its splits: {listed}; or * for all"
        )
    if wish is None and DEFAULT_SPLIT not in splits and len(splits) > 1:
        message = f"{shown(folder.label, 200)} has several splits and none is '{DEFAULT_SPLIT}'"
        raise UsageError(message, hint=f"name one: {listed}; or * for all")
    if wish is None and len(splits) > 1:
        rest = ", ".join(shown(name, 40) for name in splits if name != DEFAULT_SPLIT)
        reading.note("split", f"split {DEFAULT_SPLIT} was taken; there is also {rest} (--split NAME, --split all)")
    return [wish or (DEFAULT_SPLIT if DEFAULT_SPLIT in splits else next(iter(splits)))]


def _read_judgments(folder: Source, reading: Reading) -> Iterator[Judgment]:
    splits = _splits(folder)
    names = _chosen(folder, splits, reading)
    queries = _file(folder, "queries.jsonl")
    texts = query_texts(queries, reading) if queries is not None else {}
    textless: set[str] = set()
    # The rows themselves are another format's business.
    rows = FORMATS.get("beir-qrels").reader("judgments")
    for name in names:
        reading.label = splits[name].label
        note_bom(splits[name], reading)
        # A file alone under the usual name needs no mark to get it back.
        marked = reading.split == ALL_SPLITS and list(splits) != [DEFAULT_SPLIT]
        mark = {"split": name} if marked else {}
        for label in rows(splits[name], reading) if rows is not None else ():
            text = texts.get(label.query_id)
            if text is None and label.query_id not in textless:
                textless.add(label.query_id)
                reading.note(
                    "unknown-queries",
                    "{n} judged {query has|queries have} no text; BEIR's own loader would stop at {it|them}",
                )
            yield label._replace(query=text, extra={**label.extra, **mark}) if mark or text is not None else label


def _read_queries(folder: Source, reading: Reading) -> Iterator[Query]:
    yield from read_queries(_part(folder, "queries.jsonl", "queries", reading), reading)


def _read_documents(folder: Source, reading: Reading) -> Iterator[Document]:
    yield from read_documents(_part(folder, "corpus.jsonl", "documents", reading), reading)


def _sniff(head: Head) -> int:
    if not head.is_dir:
        return 0
    known = {
        name for name in ("corpus.jsonl", "queries.jsonl") if any(entry.startswith(name) for entry in head.entries)
    }
    if "qrels" in head.entries:
        return 90 if known else 60
    return {2: 70, 1: 50}.get(len(known), 0)


# ------------------------------------------------------------------------------------------------------------- writing


def _write_folder(collection: Collection, folder: Path) -> dict[Part, int]:
    """Write what the collection has; a part that is empty leaves no file.

    Raises:
        InputError: an id or a split name that no file can hold.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows: dict[Part, int] = {}
    if collection.documents is not None:
        rows["documents"] = _write(folder / "corpus.jsonl", collection.documents, write_documents)
    if collection.queries is not None:
        rows["queries"] = _write(folder / "queries.jsonl", collection.queries, write_queries)
    if collection.judgments is not None:
        texts: dict[str, str] = {}
        rows["judgments"] = _write_qrels(folder / "qrels", collection.judgments, texts)
        if collection.queries is None and texts:
            own = (Query(query_id, text) for query_id, text in texts.items())
            rows["queries"] = _write(folder / "queries.jsonl", own, write_queries)
    return rows


def _write(path: Path, records: Iterable[Any], writer: Any) -> int:
    first = next(found := iter(records), None)
    if first is None:
        return 0
    with atomic_write(path) as stream:
        written: int = writer(chain([first], found), stream)
    return written


def _write_qrels(folder: Path, labels: Iterable[Judgment], texts: dict[str, str]) -> int:
    """One file per split; puts the text of each query into `texts`. Returns the number of rows.

    Rows of the first splits are written as they come. Those of splits beyond that wait in memory, which labels fit into.
    """
    rows = 0
    with ExitStack() as stack:
        streams: dict[str, BinaryIO] = {}
        waiting: dict[str, list[bytes]] = {}
        for label in labels:
            split = _split_of(label)
            if split not in streams and split not in waiting:
                if len(streams) < _OPEN:
                    folder.mkdir(exist_ok=True)
                    streams[split] = stack.enter_context(atomic_write(folder / f"{split}.tsv"))
                    streams[split].write(QRELS_HEADER)
                else:
                    waiting[split] = [QRELS_HEADER]
            if label.query is not None:
                texts.setdefault(label.query_id, label.query)
            row = qrels_row(label)
            if split in streams:
                streams[split].write(row)
            else:
                waiting[split].append(row)
            rows += 1
        for split, own in waiting.items():
            with atomic_write(folder / f"{split}.tsv") as stream:
                stream.writelines(own)
    return rows


def _split_of(label: Judgment) -> str:
    split = label.extra.get("split", DEFAULT_SPLIT)
    if isinstance(split, str) and _SPLIT_NAME.fullmatch(split):
        return split
    raise InputError(
        f"a label's split {quoted(split, 40)} cannot be a file name", hint="letters, digits and . _ - + will do"
    )


FORMAT = Format(
    name="beir",
    shape="folder",
    has_splits=True,
    summary="BEIR folder: corpus.jsonl, queries.jsonl, qrels/*.tsv",
    sniff=_sniff,
    read_judgments=_read_judgments,
    read_queries=_read_queries,
    read_documents=_read_documents,
    write_folder=_write_folder,
    keeps=frozenset({"query", "split"}),
)
