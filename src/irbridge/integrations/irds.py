"""A collection of one's own as an ir_datasets `Dataset`, for every tool that takes one.

Nothing is written beside the source files. What `docs_store` needs on disk lies in a temporary folder of its own.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

from irbridge import catalogue
from irbridge.errors import InputError, UsageError, shown
from irbridge.fetching import library
from irbridge.inputs import part_of, repeatable
from irbridge.manifest import Manifest
from irbridge.model import Document, Judgment, Query, Ranking
from irbridge.qrels import unique
from irbridge.reading import Reading

Records = Callable[[], Iterator[Any]]

# Names that `to_irds` registered; these it may register anew.
_OURS: set[str] = set()


class Doc(NamedTuple):
    """A document as ir_datasets hands it out; `metadata` is what else the source had."""

    doc_id: str
    text: str
    title: str
    metadata: dict[str, Any]

    def default_text(self) -> str:
        """Title and text, or the text alone where there is no title."""
        return f"{self.title} {self.text}" if self.title else self.text


def to_irds(what: Any, name: str | None = "local/collection", *, run: Any = None, split: str | None = None) -> Any:
    """Make an ir_datasets `Dataset` of a collection and register it, so that `ir_datasets.load(name)` finds it.

    Records are read anew on each iteration and streamed. Labels are keyed by chunk id where they have one, else by
    document; repeated equal labels are collapsed. A document's `default_text()` is its title and text.

    Args:
        what: a collection or BEIR folder, a judgments file, or anything else that holds judgments, queries or documents.
        name: the id to register; a name that an earlier call registered is given to the new dataset. None: not registered.
        run: a run that becomes the dataset's scoreddocs; without one, the collection's own if it has one.
        split: the split of a collection that has several ("*" for all).

    Returns:
        The `Dataset`: docs, queries, qrels and scoreddocs, as far as the collection has them.

    Raises:
        UsageError: the name is an ir_datasets collection, or nothing is there to make a dataset of.
        InputError: a part cannot be read.
    """
    irds = library()
    if name is not None and name not in _OURS and name in set(catalogue.ids()):
        raise UsageError(f"'{shown(name)}' is taken by another collection", hint="name it local/SOMETHING")
    parts = _Parts(what, run, split)
    formats = irds.formats
    made: list[Any] = []
    if parts.has("documents"):
        made.append(_component(_Docs, formats.BaseDocs)(parts.documents))
    if parts.has("queries") or parts.texts:
        made.append(_component(_Queries, formats.BaseQueries)(parts.queries))
    if parts.has("judgments"):
        made.append(_component(_Qrels, formats.BaseQrels)(parts.judgments, parts.levels))
    if parts.has("run"):
        made.append(_component(_ScoredDocs, formats.BaseScoredDocs)(parts.rankings))
    if not made:
        raise UsageError("holds neither judgments nor queries nor documents", hint="name a collection or BEIR folder")
    found = irds.Dataset(*made)
    if name is None:
        return found
    if name in _OURS:
        # ir_datasets has no way to take a name back.
        irds.registry._registered.pop(name, None)  # noqa: SLF001
    irds.registry.register(name, found)
    _OURS.add(name)
    return irds.registry[name]


class _Parts:
    """The parts of the input, each to be read again and again."""

    def __init__(self, what: Any, run: Any, split: str | None) -> None:
        self._what = repeatable(what)
        self._run = repeatable(run)
        self._split = split
        self._present: dict[str, bool] = {}

    def _records(self, part: Any) -> Iterator[Any] | None:
        what = self._run if part == "run" and self._run is not None else self._what
        return part_of(what, part, Reading(split=self._split))

    def has(self, part: str) -> bool:
        if part not in self._present:
            records = self._records(part)
            if part == "run" and self._run is not None and records is None:
                raise UsageError("the run given is none", hint="a TREC run, run JSONL, a dict of dicts, ...")
            self._present[part] = records is not None
        return self._present[part]

    def documents(self) -> Iterator[Any]:
        for document in cast("Iterable[Document]", self._records("documents") or ()):
            yield Doc(document.doc_id, document.text, document.title or "", dict(document.fields))

    def queries(self) -> Iterator[Any]:
        generic = library().formats.GenericQuery
        if self.has("queries"):
            for query in cast("Iterable[Query]", self._records("queries") or ()):
                yield generic(query.query_id, query.text)
            return
        for query_id, text in self.texts.items():
            yield generic(query_id, text)

    def judgments(self) -> Iterator[Any]:
        qrel = library().formats.TrecQrel
        reading = Reading(split=self._split)
        labels = cast("Iterable[Judgment]", part_of(self._what, "judgments", reading) or ())
        for label in unique(labels, reading):
            yield qrel(label.query_id, label.key, label.relevance, label.iteration)

    def rankings(self) -> Iterator[Any]:
        row = library().formats.GenericScoredDoc
        for ranking in cast("Iterable[Ranking]", self._records("run") or ()):
            # A list without scores gets falling ones.
            scores = ranking.scores if ranking.scores is not None else range(len(ranking.doc_ids), 0, -1)
            for doc_id, score in zip(ranking.doc_ids, scores, strict=True):
                yield row(ranking.query_id, doc_id, float(score))

    @cached_property
    def texts(self) -> dict[str, str]:
        """The query texts that the labels carry."""
        found: dict[str, str] = {}
        for label in cast("Iterable[Judgment]", self._records("judgments") or ()):
            if label.query is not None:
                found.setdefault(label.query_id, label.query)
        return found

    @cached_property
    def levels(self) -> dict[int, str]:
        """The meaning of the grades, where the folder's manifest or ir_datasets has it."""
        what = self._what
        if isinstance(what, str | os.PathLike) and os.path.isdir(what):
            try:
                manifest = Manifest.read(what)
            except InputError:
                manifest = None
            return dict(manifest.levels) if manifest is not None else {}
        return {}


# ---------------------------------------------------------------------------------------------------------- components


def _component(own: type, base: type) -> Callable[..., Any]:
    """`own` on top of ir_datasets' base class, which is not there to inherit from before ir_datasets is imported."""
    return type(own.__name__.lstrip("_"), (own, base), {})


class _Sliceable:
    """Records in order, of which a range or one can be had by position, as ir_datasets' own iterators offer."""

    def __init__(self, records: Records, positions: range | None = None) -> None:
        self._records = records
        self._positions = positions
        self._running: Iterator[Any] | None = None

    def _begun(self) -> Iterator[Any]:
        if self._positions is None:
            return self._records()
        return itertools.islice(self._records(), self._positions.start, self._positions.stop, self._positions.step)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._running is None:
            self._running = self._begun()
        return next(self._running)

    def __getitem__(self, key: int | slice) -> Any:
        positions = self._positions
        if positions is None:
            positions = range(sum(1 for _ in self._records()))
        if isinstance(key, slice):
            chosen = positions[key]
            if chosen.step < 0:
                raise ValueError("the step must be positive")
            return _Sliceable(self._records, chosen)
        return next(itertools.islice(self._records(), positions[key], None))


class _Docs:
    """Documents, with a store to look them up."""

    def __init__(self, records: Records) -> None:
        self._own_records = records
        self._own_folder: str | None = None
        self._own_count: int | None = None

    def docs_iter(self) -> _Sliceable:
        return _Sliceable(self._own_records)

    def docs_cls(self) -> type:
        return Doc

    def docs_count(self) -> int:
        if self._own_count is None:
            self._own_count = sum(1 for _ in self._own_records())
        return self._own_count

    def docs_store(self, field: str = "doc_id", **options: Any) -> Any:
        """ir_datasets' own store, in a temporary folder that goes with this object."""
        if self._own_folder is None:
            self._own_folder = tempfile.mkdtemp(prefix="irbridge-docs-")
            weakref.finalize(self, shutil.rmtree, self._own_folder, ignore_errors=True)
        from ir_datasets.indices import PickleLz4FullStore

        return PickleLz4FullStore(
            path=os.path.join(self._own_folder, "docs.pklz4"),
            init_iter_fn=self._own_records,
            data_cls=Doc,
            lookup_field=field,
            index_fields=["doc_id"],
            **options,
        )


class _Queries:
    """Queries as ir_datasets' `GenericQuery`."""

    def __init__(self, records: Records) -> None:
        self._own_records = records

    def queries_iter(self) -> Iterator[Any]:
        return self._own_records()

    def queries_count(self) -> int:
        return sum(1 for _ in self._own_records())


class _Qrels:
    """Labels as ir_datasets' `TrecQrel`."""

    def __init__(self, records: Records, levels: Mapping[int, str]) -> None:
        self._own_records = records
        self._own_levels = dict(levels)

    def qrels_iter(self) -> Iterator[Any]:
        return self._own_records()

    def qrels_count(self) -> int:
        return sum(1 for _ in self._own_records())

    def qrels_defs(self) -> dict[int, str]:
        return dict(self._own_levels)

    def qrels_cls(self) -> Any:
        return library().formats.TrecQrel


class _ScoredDocs:
    """A run as ir_datasets' `GenericScoredDoc`."""

    def __init__(self, records: Records) -> None:
        self._own_records = records

    def scoreddocs_iter(self) -> Iterator[Any]:
        return self._own_records()

    def scoreddocs_count(self) -> int:
        return sum(1 for _ in self._own_records())
