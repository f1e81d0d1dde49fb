"""A collection's documents as a corpus file of chunks: read, cut and written one document at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, cast

from irbridge.atomic import atomic_write, refuse_input
from irbridge.chunking import Chunker, chunker
from irbridge.corpora import cut, document_text
from irbridge.errors import InputError, UsageError, shown
from irbridge.formats import FORMATS, Format
from irbridge.inputs import Input, opened
from irbridge.model import Chunk, Document
from irbridge.source import Source

_NAMED = 5


@dataclass
class Chunked:
    """What became of a collection.

    Attributes:
        source: what the documents were read from.
        target: the format that was written.
        chunker_fingerprint, corpus_fingerprint: as in the corpus.
        documents, chunks: how many.
        characters: code points of all documents; `chunk_characters` of all chunks, overlaps counted as often as they stand there.
        empty: documents without text; `empty_ids` are the first few. Only `whole/1` makes a chunk of one.
        notes: what was noticed while reading.
        dropped: rows that were left out.
    """

    source: str
    target: str
    chunker_fingerprint: str
    corpus_fingerprint: str
    documents: int = 0
    chunks: int = 0
    characters: int = 0
    chunk_characters: int = 0
    empty: int = 0
    empty_ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    dropped: list[InputError] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The fields, ready for JSON; without the rows that were dropped, which have a form of their own."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "dropped"}


def chunk_documents(
    what: Any,
    by: str | Chunker,
    out: str | os.PathLike[str],
    *,
    fingerprint: str | None = None,
) -> Chunked:
    """Cut a collection's documents into chunks and write them as a corpus.

    Args:
        what: documents, in anything that `irbridge.load` takes; or an `Input` of them.
        by: a chunker, such as `recursive/512/64`.
        out: a file: `.json` is one object, `.jsonl` a chunk a line, both with a compression suffix or without; `-` is
            standard output, a chunk a line.
        fingerprint: the name of this state of the corpus; None for the chunker's.

    Raises:
        UsageError: `out` cannot be written, or has another suffix.
        InputError: the documents cannot be read.
    """
    bound = chunker(by) if isinstance(by, str) else by
    target = _target(os.fspath(out))
    documents = opened(what, "documents")
    _refuse_own(documents, out)
    found = Chunked(
        documents.format.name, target.name, bound.fingerprint, bound.fingerprint if fingerprint is None else fingerprint
    )
    about = {"corpus_fingerprint": found.corpus_fingerprint, "chunker_fingerprint": found.chunker_fingerprint}
    write = target.write_chunks
    if write is None:  # cannot be: `_target` chose it for having one
        raise UsageError(f"{target.name} cannot hold chunks")
    try:
        with atomic_write(out) as stream:
            found.chunks = write(_measured(cut(_counted(documents, found), bound), found), stream, about)
    except InputError as error:
        if error.path is None:
            # Whoever names chunks knows what is wrong with a text, not where that was read.
            error.path, error.line = documents.label, documents.reading.line or None
        raise
    found.notes = [str(note) for note in documents.reading.notes.values()]
    found.dropped = list(documents.reading.dropped)
    return found


def _target(out: str) -> Format:
    """The format of a corpus file by its suffix."""
    able = [entry for entry in FORMATS if entry.write_chunks is not None]
    if out == "-":
        return FORMATS.get("corpus-jsonl")
    name = Source(out).name.lower()
    for entry in able:
        if entry.suffix and name.endswith((entry.suffix, *entry.more_suffixes)):
            return entry
    suffixes = " or ".join(sorted(entry.suffix for entry in able))
    raise UsageError(
        f"the suffix of '{shown(out)}' is none of a corpus of chunks", hint=f"name a file that ends with {suffixes}"
    )


def _refuse_own(documents: Input, out: str | os.PathLike[str]) -> None:
    """Refuse to write over the documents."""
    if os.fspath(out) == "-" or not isinstance(documents.source, Source) or documents.source.path == "-":
        return
    target = os.path.realpath(out)
    if target == os.path.realpath(documents.source.path):
        raise UsageError(
            f"{shown(os.fspath(out), 200)} is the input, which would be gone", hint="write to another file"
        )
    refuse_input(target, documents.source.path)


def _counted(documents: Input, found: Chunked) -> Iterator[Document]:
    for document in cast("Iterable[Document]", documents):
        text = document_text(document)
        found.documents += 1
        found.characters += len(text)
        if not text or text.isspace():
            found.empty += 1
            if len(found.empty_ids) < _NAMED:
                found.empty_ids.append(document.doc_id)
        yield document


def _measured(chunks: Iterable[Chunk], found: Chunked) -> Iterator[Chunk]:
    for chunk in chunks:
        found.chunk_characters += len(chunk.text or "")
        yield chunk
