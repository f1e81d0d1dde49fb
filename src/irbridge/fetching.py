"""Reading through ir_datasets in silence, with errors that name the file that is missing and the place for it.

ir_datasets downloads what it does not have. Where it cannot, its error names a host; ours names the file, and where a
copy of it would be found.
"""

from __future__ import annotations

import html
import itertools
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from irbridge.errors import InputError, IrbridgeError, MissingDependency, shown

T = TypeVar("T")

_BATCH = 256
_ADVICE = re.compile(r"pip install ([\w.\[\],-]+)")


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
def quiet() -> Iterator[None]:
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
        with quiet():
            import ir_datasets
    except ImportError as error:
        raise MissingDependency("ir_datasets") from error
    return ir_datasets


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
            with quiet():
                close()


@contextmanager
def _explained(dataset_id: str, part: str) -> Iterator[None]:
    try:
        with quiet():
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
            hint=_damaged(error.__traceback__) or f"look for a damaged file under {_home(dataset_id)}",
        )
    if needed.instructions:
        return InputError(
            f"the {part} are not on this machine, and have to be obtained by hand",
            path=label,
            hint=f"place {needed.path}; ir_datasets says: {shown(needed.instructions, 400)}",
        )
    message = f"the {part} are not on this machine, and {needed.url or 'their source'} {_reason(error)}"
    hint = (
        f"place that file{_unpacked(needed)} at {needed.path}, or try again with a network"
        if needed.path
        else "try again with a network"
    )
    return InputError(message, path=label, hint=hint)


def _unpacked(needed: _Needed) -> str:
    """A file that is kept without the compression that its address has."""
    packed = (needed.url or "").endswith(".gz") and not (needed.path or "").endswith(".gz")
    return ", unpacked," if packed else ""


class _Needed(NamedTuple):
    """The file that ir_datasets could not get at."""

    path: str | None
    url: str | None
    instructions: str | None


def _damaged(traceback: TracebackType | None) -> str | None:
    """What to do about the file that was being read, if it can be told."""
    path = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        found = getattr(owner, "_cache_path", None) or getattr(owner, "_path", None)
        if found is not None and os.path.isfile(str(found)):
            path = str(found)
        traceback = traceback.tb_next
    return None if path is None else f"the file {path} may be damaged or still compressed: replace it"


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
        return _Needed(str(local._path), None, plain(told))  # noqa: SLF001
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
    return _Needed(str(path) if path else None, url, plain(told) if told and url is None else None)


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


def _home(dataset_id: str) -> str:
    return os.path.join(str(library().util.home_path()), dataset_id.split("/", maxsplit=1)[0])


def plain(text: str) -> str:
    """A piece of HTML as one line of text; `<https://...>` is no tag."""
    text = re.sub(r"<(https?:[^>]*)>", r"\1", text)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", text)).split())
