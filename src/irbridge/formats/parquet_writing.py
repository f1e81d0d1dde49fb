"""Records as parquet: one file of labels or of a run, or a folder in the layout of the Hugging Face hub (MTEB's)."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from irbridge.atomic import atomic_write
from irbridge.canonical import dumps
from irbridge.errors import InputError, UsageError, quoted
from irbridge.formats.base import Collection, Part
from irbridge.formats.cells import placed_scores
from irbridge.formats.parquet_files import BATCH_ROWS, REAL, SMALL, TEXT, WHOLE, ParquetFile, Values, Writer, write
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.source import Source

# Fields of a judgment that get a column where a label has them; what concerns chunks is not for research tools.
KEPT = ("query", "labeled_by", "labeled_at", "stratum", "notes")
# The column, JSON, of what a document or a query has beside its text.
FIELDS = "fields"
DEFAULT_SPLIT = "test"
_CORPUS = {"_id": TEXT, "title": TEXT, "text": TEXT}
# What the hub takes for the name of a split.
_SPLIT = re.compile(r"\w+(\.\w+)*", re.ASCII)


def write_judgments(labels: Iterable[Judgment], stream: BinaryIO) -> int:
    """One file with ir_measures' column names; holds the labels while it writes."""
    found = list(labels)
    columns = {"query_id": TEXT, "doc_id": TEXT, "relevance": WHOLE}
    return _write_labels(found, stream, columns, _needed(found, ("split", "iteration", *KEPT)))


def _needed(labels: list[Judgment], fields: Iterable[str]) -> list[str]:
    """The fields that any of the labels has."""
    defaults = {"iteration": "0"}
    return [name for name in fields if any(_cell(label, name) != defaults.get(name) for label in labels)]


def _cell(label: Judgment, name: str) -> Any:
    return label.extra.get("split") if name == "split" else getattr(label, name)


def _write_labels(labels: list[Judgment], stream: BinaryIO, columns: dict[str, str], further: list[str]) -> int:
    """The three `columns`, then those of the `further` fields."""

    def batches() -> Iterator[Values]:
        for start in range(0, len(labels), BATCH_ROWS):
            rows = labels[start : start + BATCH_ROWS]
            core = ([row.query_id for row in rows], [row.key for row in rows], [row.relevance for row in rows])
            yield {
                **dict(zip(columns, core, strict=True)),
                **{name: [_cell(row, name) for row in rows] for name in further},
            }

    return write(stream, {**columns, **dict.fromkeys(further, TEXT)}, batches())


def write_run(run: Iterable[Ranking], stream: BinaryIO) -> int:
    """One file with ir_measures' column names and the run's tag."""

    def batches() -> Iterator[Values]:
        values: Values = {"query_id": [], "doc_id": [], "score": [], "tag": []}
        for ranking in run:
            count = len(ranking.doc_ids)
            values["query_id"].extend([ranking.query_id] * count)
            values["doc_id"].extend(ranking.doc_ids)
            values["score"].extend(placed_scores(ranking.doc_ids, ranking.scores))
            values["tag"].extend([ranking.tag] * count)
            if len(values["tag"]) >= BATCH_ROWS:
                yield values
                values = {name: [] for name in values}
        yield values

    return write(stream, {"query_id": TEXT, "doc_id": TEXT, "score": REAL, "tag": TEXT}, batches())


def write_folder(collection: Collection, folder: Path) -> dict[Part, int]:
    """corpus/, queries/ and default/ with a file per split, and the README.md by which loaders find them.

    Raises:
        UsageError: the collection is a run, which the layout has no place for.
        InputError: an id that cannot be written, or a split name that the hub does not take.
    """
    if collection.run is not None and collection.judgments is None:
        raise UsageError("the folder layout has no place for a run", hint="name a file that ends in .parquet")
    rows: dict[Part, int] = {}
    configs: dict[str, list[str]] = {}
    if collection.documents is not None:
        with _opened(folder, "corpus", "corpus", configs) as stream:
            rows["documents"] = _write_documents(collection.documents, stream)
    if queries := list(collection.queries or ()):
        with _opened(folder, "queries", "queries", configs) as stream:
            rows["queries"] = _write_queries(queries, stream)
    if labels := list(collection.judgments or ()):
        rows["judgments"] = _write_splits(labels, folder, configs)
    with atomic_write(folder / "README.md") as stream:
        stream.write(_card(configs).encode())
    return rows


def _write_splits(labels: list[Judgment], folder: Path, configs: dict[str, list[str]]) -> int:
    columns = {"query-id": TEXT, "corpus-id": TEXT, "score": SMALL}
    # Loaders want the same columns in every split. The text of a query is in queries/.
    further = _needed(labels, ("iteration", *KEPT[1:]))
    by_split: dict[str, list[Judgment]] = {}
    for label in labels:
        by_split.setdefault(_split_of(label), []).append(label)
    rows = 0
    for split, own in by_split.items():
        with _opened(folder, "default", split, configs) as stream:
            rows += _write_labels(own, stream, columns, further)
    return rows


def _opened(folder: Path, config: str, split: str, configs: dict[str, list[str]]) -> AbstractContextManager[BinaryIO]:
    (folder / config).mkdir(parents=True, exist_ok=True)
    configs.setdefault(config, []).append(split)
    return atomic_write(folder / config / f"{split}-00000-of-00001.parquet")


def _split_of(label: Judgment) -> str:
    split = label.extra.get("split", DEFAULT_SPLIT)
    if isinstance(split, str) and _SPLIT.fullmatch(split):
        return split
    raise InputError(
        f"a label's split {quoted(split, 40)} is no name that the hub takes",
        hint="letters, digits, _ and . will do",
    )


def _card(configs: dict[str, list[str]]) -> str:
    """The front matter that tells loaders which files are which."""
    lines = ["---", "configs:"]
    for config in ("default", "corpus", "queries"):
        if config in configs:
            lines += [f"- config_name: {config}", "  data_files:"]
            for split in configs[config]:
                lines += [f"  - split: {split}", f"    path: {config}/{split}-*.parquet"]
    return "\n".join([*lines, "---", ""])


def _write_queries(queries: list[Query], stream: BinaryIO) -> int:
    with_fields = any(query.fields for query in queries)
    columns = {"_id": TEXT, "text": TEXT, **({FIELDS: TEXT} if with_fields else {})}

    def batches() -> Iterator[Values]:
        for start in range(0, len(queries), BATCH_ROWS):
            rows = queries[start : start + BATCH_ROWS]
            values = {"_id": [row.query_id for row in rows], "text": [row.text for row in rows]}
            yield {**values, FIELDS: [_packed(row.fields) for row in rows]} if with_fields else values

    return write(stream, columns, batches())


def _packed(fields: Mapping[str, Any]) -> str | None:
    return dumps(dict(fields)) if fields else None


def _write_documents(documents: Iterable[Document], stream: BinaryIO) -> int:
    """Stream the corpus. The column for further fields is there only if a document has any.

    Which is known at the end: the documents before the first that has some wait in a temporary file without the column.
    """
    rest = iter(documents)
    batches = iter(lambda: list(islice(rest, BATCH_ROWS)), [])
    late: list[Document] = []
    with tempfile.TemporaryFile() as spool:
        with closing(Writer(spool, _CORPUS)) as writer:
            for batch in batches:
                if any(document.fields for document in batch):
                    late = batch
                    break
                writer.add(_document_values(batch))
        spool.seek(0)
        if not late:
            shutil.copyfileobj(spool, stream)
            return writer.rows
        with closing(Writer(stream, {**_CORPUS, FIELDS: TEXT})) as full:
            if writer.rows:
                with closing(ParquetFile(Source("corpus"), spool)) as waiting:
                    for _, values in waiting.batches(list(_CORPUS)):
                        full.add({**values, FIELDS: [None] * len(values["_id"])})
            for batch in chain([late], batches):
                full.add({**_document_values(batch), FIELDS: [_packed(document.fields) for document in batch]})
            return full.rows


def _document_values(batch: list[Document]) -> Values:
    return {
        "_id": [document.doc_id for document in batch],
        "title": [document.title for document in batch],
        "text": [document.text for document in batch],
    }
