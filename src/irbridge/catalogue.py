"""Public collections by their id, through ir_datasets: listed without a network, read in silence, missing files named.

ir_datasets downloads what it does not have. Where it cannot, its error names a host; ours names the file, and the place
where a copy of it would be found.
"""

from __future__ import annotations

import html
import itertools
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from irbridge.errors import InputError, IrbridgeError, MissingDependency, UnknownName, shown
from irbridge.registry import nearest

T = TypeVar("T")

#: What irbridge calls a part -> what ir_datasets calls it.
ENTITIES: Mapping[str, str] = {"documents": "docs", "queries": "queries", "judgments": "qrels", "run": "scoreddocs"}

_BATCH = 256
_ADVICE = re.compile(r"pip install ([\w.\[\],-]+)")
# What a person should know about the labels, and ir_datasets does not say.
_CAUTIONS = {
    "cranfield": "in the original collection 1 is the best grade, 4 the weakest and -1 of no interest; "
    "ir_datasets describes the levels the other way round",
}


# --------------------------------------------------------------------------------------------------------------- quiet


class _Muffled:
    """Standard error for one thread only: what the others write (a progress bar's timer) still gets through."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() == self._thread or self._stream is None:
            return len(text)
        return int(self._stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep ir_datasets' log lines and progress bars off standard error."""

    def refuse(_: logging.LogRecord) -> bool:
        return False

    logger = logging.getLogger("ir_datasets")
    before = sys.stderr
    logger.addFilter(refuse)
    sys.stderr = _Muffled(before)
    try:
        yield
    finally:
        sys.stderr = before
        logger.removeFilter(refuse)


def library() -> Any:
    """The module ir_datasets, imported late: it takes half a second.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        with _quiet():
            import ir_datasets
    except ImportError as error:
        raise MissingDependency("ir_datasets") from error
    return ir_datasets


# -------------------------------------------------------------------------------------------------------------- lookup


def dataset(dataset_id: str) -> Any:
    """The ir_datasets `Dataset` of that id; nothing is read or fetched.

    Raises:
        UnknownName: with the nearest ids.
    """
    registry = library().registry
    try:
        with _quiet():
            return registry[dataset_id]
    except Exception as error:
        # Ids that are made on demand fail in ways of their own when they are wrong.
        near = nearest(dataset_id, list(registry))
        hint = "irbridge datasets WORD lists the ids"
        raise UnknownName("dataset id of ir_datasets", dataset_id, near, hint=hint) from error


def ids() -> list[str]:
    """All ids, in ir_datasets' order."""
    return list(library().registry)


def below(dataset_id: str, part: str) -> list[str]:
    """The ids that begin with `dataset_id/` and have the part."""
    return [name for name in ids() if name.startswith(dataset_id + "/") and has(name, part)]


def has(dataset_id: str, part: str) -> bool:
    """Whether the collection has the part, which says nothing about its being on this machine."""
    return bool(dataset(dataset_id).has(ENTITIES[part]))


# ---------------------------------------------------------------------------------------------------------------- rows


def rows(dataset_id: str, part: str, iterate: Callable[[], Iterable[T]]) -> Iterator[T]:
    """What `iterate` gives, fetched in small batches so that ir_datasets is quiet only while it works.

    Raises:
        InputError: a file is missing and cannot be fetched, or cannot be read.
        MissingDependency: ir_datasets needs a package for this collection.
    """
    source: Iterator[T] | None = None
    try:
        while True:
            with _explained(dataset_id, part):
                if source is None:
                    source = iter(iterate())
                batch = list(itertools.islice(source, _BATCH))
            yield from batch
            if len(batch) < _BATCH:
                return
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            with _quiet():
                close()


@contextmanager
def _explained(dataset_id: str, part: str) -> Iterator[None]:
    try:
        with _quiet():
            yield
    except IrbridgeError:
        raise
    except Exception as error:
        raise _explanation(error, dataset_id, part) from error


def _explanation(error: Exception, dataset_id: str, part: str) -> IrbridgeError:
    label = f"irds:{dataset_id}"
    advice = _ADVICE.search(str(error)) if isinstance(error, ImportError) else None
    if advice is not None:
        return MissingDependency(advice[1])
    needed = _needed(error.__traceback__)
    if needed is None:
        return InputError(
            f"ir_datasets cannot read the {part}: {type(error).__name__}: {shown(error, 200)}",
            path=label,
            hint=f"remove its files under {_home(dataset_id)} and fetch them again",
        )
    if needed.instructions:
        return InputError(
            f"the {part} are not on this machine, and have to be obtained by hand",
            path=label,
            hint=f"place {needed.path}; ir_datasets says: {shown(needed.instructions, 400)}",
        )
    message = f"the {part} are not on this machine, and {needed.url or 'their source'} {_reason(error)}"
    hint = (
        f"place that file at {needed.path}, or try again with a network" if needed.path else "try again with a network"
    )
    return InputError(message, path=label, hint=hint)


class _Needed(NamedTuple):
    """The file that ir_datasets could not get at."""

    path: str | None
    url: str | None
    instructions: str | None


def _needed(traceback: TracebackType | None) -> _Needed | None:
    """The missing file, from the download objects that the error passed through; None if nothing is missing."""
    util = library().util
    cache = local = download = request = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        if isinstance(owner, util.Cache):
            cache = owner
        elif isinstance(owner, util.Download):
            download = owner
        elif isinstance(owner, util.LocalDownload) or type(owner).__name__ == "ExpectedFile":
            local = owner
        elif isinstance(owner, util.RequestsDownload):
            request = owner
        traceback = traceback.tb_next
    if download is not None:
        return _of_download(download, cache)
    if local is not None and not os.path.exists(local._path):  # noqa: SLF001 - the only way to its place
        told = getattr(local, "_message", None) or getattr(local, "_instructions", None)
        told = (told or "no way to get it is known").replace("{path}", str(local._path))  # noqa: SLF001
        return _Needed(str(local._path), None, _plain(told))  # noqa: SLF001
    return _Needed(None, request.url, None) if request is not None else None


def _of_download(download: Any, cache: Any) -> _Needed | None:
    path = getattr(download, "_cache_path", None)
    told = None
    url = None
    for mirror in download.mirrors:
        url = url or getattr(mirror, "url", None)
        if hasattr(mirror, "_message"):
            # Either the instructions for a file that nobody may pass on, or the place for a copy of one.
            path = path or mirror._path  # noqa: SLF001
            told = mirror._message  # noqa: SLF001
    if path is None and cache is not None:
        path = cache._path  # noqa: SLF001
    if path is not None and os.path.exists(path):
        return None
    return _Needed(str(path) if path else None, url, _plain(told) if told and url is None else None)


def _reason(error: BaseException) -> str:
    """Why the download failed, in words that follow its address."""
    attempts = error.args[1] if len(error.args) == 2 and isinstance(error.args[1], list) else []
    if attempts:
        error = next((why for mirror, why in attempts if hasattr(mirror, "url")), attempts[-1][1])
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status is not None:
        return f"answers {status}"
    if type(error).__name__ == "HashVerificationError":
        return "has another file now than ir_datasets expects"
    if isinstance(error, OSError):
        return "cannot be reached"
    return f"cannot be fetched ({type(error).__name__}: {shown(error, 120)})"


def _top(dataset_id: str) -> str:
    return dataset_id.split("/", maxsplit=1)[0]


def _home(dataset_id: str) -> str:
    return os.path.join(str(library().util.home_path()), _top(dataset_id))


def _plain(text: str) -> str:
    """A piece of HTML as one line of text; `<https://...>` is no tag."""
    text = re.sub(r"<(https?:[^>]*)>", r"\1", text)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())


# --------------------------------------------------------------------------------------------------------------- facts


@dataclass(frozen=True)
class About:
    """What ir_datasets documents about one id.

    Attributes:
        version: the version of ir_datasets.
        title: the collection's name.
        description: its first paragraph, without markup.
        levels: relevance grade -> its meaning; empty where undocumented.
        measures: official measures in ir_measures' notation, with their relevance thresholds.
        bibtex_ids: what to cite.
        licence: terms of use, or None where ir_datasets states none.
        cautions: what to know before the labels are used.
    """

    version: str
    title: str
    description: str
    levels: Mapping[int, str] = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    bibtex_ids: tuple[str, ...] = ()
    licence: str | None = None
    cautions: tuple[str, ...] = ()


def about(dataset_id: str) -> About:
    """What ir_datasets says about the id.

    Raises:
        UnknownName: there is no such id.
    """
    found = dataset(dataset_id)
    top = _top(dataset_id)
    with _quiet():
        said = _documentation(found)
        general = _general(top)
        levels = found.qrels_defs() if found.has("qrels") else {}
    return About(
        version=str(library().__version__),
        title=_title(said, general, dataset_id),
        description=_paragraph(said.get("desc", "")),
        levels={int(grade): _plain(str(text)) for grade, text in sorted(levels.items())},
        measures=tuple(said.get("official_measures", ())),
        bibtex_ids=tuple(said.get("bibtex_ids", ())),
        licence=_licence(top, said, general),
        cautions=cautions(dataset_id),
    )


def cautions(dataset_id: str) -> tuple[str, ...]:
    """What to know before the labels are used."""
    found = dataset(dataset_id)
    deprecation = _plain(str(found.deprecated())) if hasattr(found, "deprecated") else None
    return tuple(filter(None, [_CAUTIONS.get(dataset_id), deprecation]))


def _documentation(found: Any) -> dict[str, Any]:
    return dict(found.documentation()) if hasattr(found, "documentation") else {}


def _general(top: str) -> dict[str, Any]:
    """What is said about a whole family of ids; families that somebody registered on his own have nobody to say it."""
    return _documentation(dataset(top)) if top in set(ids()) else {}


def _title(said: Mapping[str, Any], general: Mapping[str, Any], dataset_id: str) -> str:
    return _plain(str(said.get("pretty_name") or general.get("pretty_name") or dataset_id))


def _paragraph(markup: str) -> str:
    """The first paragraph that says something."""
    pieces = re.split(r"</?p>|<ul>|<h\d>", markup)
    return next((text for text in map(_plain, pieces) if text), "")


def _licence(top: str, said: Mapping[str, Any], general: Mapping[str, Any]) -> str | None:
    """The agreement that ir_datasets shows before a download, else what its description says about a licence."""
    module = sys.modules.get(f"ir_datasets.datasets.{top.replace('-', '_')}")
    agreement = getattr(module, "DUA", None)
    if agreement:
        return _plain(str(agreement))
    for text in (said.get("desc", ""), general.get("desc", "")):
        for sentence in re.split(r"(?<=\.)\s+(?=[A-Z])", _plain(str(text))):
            if re.search(r"licen[cs]e|terms of use", sentence, re.IGNORECASE):
                return sentence
    return None


class Entry(NamedTuple):
    """One line of the catalogue; counts are those of ir_datasets' own metadata, None where the id has no such part.

    Attributes:
        contents: the parts that it has.
        language: of the documents (ISO 639-1), or None where it is mixed or unknown.
    """

    id: str
    documents: int | None
    queries: int | None
    judgments: int | None
    contents: tuple[str, ...]
    language: str | None
    title: str


def entries(word: str | None = None) -> list[Entry]:
    """The catalogue, or what of it has `word` in its id, title or description; letter case does not matter."""
    found = []
    with _quiet():
        families: dict[str, dict[str, Any]] = {}
        for dataset_id in ids():
            one = dataset(dataset_id)
            top = _top(dataset_id)
            if top not in families:
                families[top] = _general(top)
            said = _documentation(one)
            title = _title(said, families[top], dataset_id)
            if word is None or word.lower() in f"{dataset_id} {title} {said.get('desc', '')}".lower():
                found.append(_entry(dataset_id, one, title))
    return found


def _entry(dataset_id: str, one: Any, title: str) -> Entry:
    counts = {
        part: getattr(one, f"{entity}_metadata")().get("count") if one.has(entity) else None
        for part, entity in ENTITIES.items()
    }
    contents = tuple(part for part, entity in ENTITIES.items() if one.has(entity))
    language = one.docs_lang() if one.has("docs") else None
    return Entry(dataset_id, counts["documents"], counts["queries"], counts["judgments"], contents, language, title)
