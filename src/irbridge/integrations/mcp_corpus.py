"""A corpus for the MCP server, of whatever irbridge can open: every source with a URI, its lines and its hash."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from types import MappingProxyType

from irbridge.agentic.evidence import Source, sha256
from irbridge.agentic.snapshot import CorpusSnapshot
from irbridge.errors import InputError, UsageError, shown
from irbridge.formats.text_folder import files_below

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def of_fixture(folder: str | os.PathLike[str], scheme: str = "corpus") -> CorpusSnapshot:
    """A materialized corpus: each folder in `folder` is a collection, each file below it a source.

    Raises:
        InputError: no such folder, nothing in it, or a file that is no UTF-8.
    """
    sources = [
        _source(scheme, name, path, os.path.join(os.fspath(folder), name, *path.split("/")))
        for name in _subfolders(folder)
        for path in files_below(os.path.join(os.fspath(folder), name), ("",)).paths
    ]
    return _snapshot(sources, os.fspath(folder))


def of_corpus(what: str, *, only: Iterable[str] | None = None, scheme: str = "corpus") -> CorpusSnapshot:
    """Documents or chunks as one collection: a BEIR folder, a corpus file, `irds:ID`, a folder of Markdown or text files.

    A document's text is its title and text with a space between; its path is its id. All of it is held in memory.

    Args:
        what: the corpus.
        only: ids of the documents that are wanted; None for all.
        scheme: of the URIs.

    Raises:
        IrbridgeError: there is no such corpus, it holds nothing, or it cannot be read.
    """
    name = _collection(what)
    sources = [_of_text(scheme, name, path, text) for path, text in _texts(what)]
    wanted = None if only is None else set(only)
    return _snapshot([source for source in sources if wanted is None or source.path in wanted], what)


def of_judgments(what: str, scheme: str = "corpus") -> CorpusSnapshot:
    """The collection that judgments belong to: its documents where they are beside the labels, else the labelled texts.

    Raises:
        UsageError: the labels have no texts, and no documents lie beside them.
    """
    try:
        return of_corpus(what, scheme=scheme)
    except (InputError, UsageError):
        texts = _labelled(what)
    if not texts:
        raise UsageError(
            f"{shown(what, 200)} holds labels and no texts", hint="name the documents too: --corpus FOLDER"
        )
    name = _collection(what)
    return _snapshot([_of_text(scheme, name, path, text) for path, text in sorted(texts.items())], what)


def judged_ids(what: str) -> set[str]:
    """The ids that judgments name, of documents and of chunks."""
    from irbridge.inputs import Input

    return {each for label in Input(what, "judgments") for each in (label.doc_uri, label.key)}


def _labelled(what: str) -> dict[str, str]:
    from irbridge.inputs import Input

    return {label.key: label.chunk_text for label in Input(what, "judgments") if label.chunk_text}


def _texts(what: str) -> Iterator[tuple[str, str]]:
    from irbridge.corpora import corpus_of, document_text
    from irbridge.inputs import Input

    corpus = corpus_of(what)
    if corpus.assumed:
        # All of a document, its blank edges too: by them its lines are counted.
        yield from ((document.doc_id, document_text(document)) for document in Input(what, "documents"))
        return
    yield from ((chunk.chunk_id, chunk.text or "") for chunk in corpus)


def _subfolders(folder: str | os.PathLike[str]) -> list[str]:
    try:
        with os.scandir(folder) as found:
            names = sorted(each.name for each in found if each.is_dir(follow_symlinks=False))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=os.fspath(folder)) from error
    for name in names:
        if _NAME.fullmatch(name) is None:
            raise InputError(f"'{shown(name)}' cannot be the name of a collection", path=os.fspath(folder))
    return names


def _source(scheme: str, collection: str, path: str, place: str) -> Source:
    import hashlib

    try:
        with open(place, "rb") as stream:
            data = stream.read()
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: {error.reason} at byte {error.start}", path=place) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=place) from error
    return Source(f"{scheme}://{collection}/{path}", collection, path, text, hashlib.sha256(data).hexdigest())


def _of_text(scheme: str, collection: str, path: str, text: str) -> Source:
    return Source(f"{scheme}://{collection}/{path}", collection, path, text, sha256(text))


def _snapshot(sources: list[Source], label: str) -> CorpusSnapshot:
    if not sources:
        raise InputError("holds nothing to serve", path=label, hint="name a folder with texts in it")
    seen: set[str] = set()
    for source in sources:
        if source.uri in seen:
            raise InputError(f"'{shown(source.path)}' stands twice", path=label)
        seen.add(source.uri)
    owners = {source.collection: "corpus" for source in sources}
    return CorpusSnapshot(tuple(sorted(sources, key=lambda source: source.uri)), MappingProxyType(owners))


def _collection(what: str) -> str:
    """A name of the characters that a collection's may have, from the last part of a path or id."""
    last = re.split(r"[\\/:]", what.rstrip("\\/"))[-1]
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", last).strip("-._")[:64]
    return plain or "corpus"
