"""A corpus of chunks, whatever it comes from: a corpus file, or documents that are chunked on the way.

A collection of documents without a chunker gives one chunk a document (`whole/1`), so that document-level labels have
something to be held against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from irbridge.errors import InputError, UsageError, shown
from irbridge.formats import identify
from irbridge.formats.base import Sieve
from irbridge.identity import chunk_id, text_sha
from irbridge.inputs import Input, at_hand, begun
from irbridge.model import Chunk, ChunkRow, Document
from irbridge.piped import Pipe
from irbridge.reading import Reading
from irbridge.source import Source

if TYPE_CHECKING:
    from irbridge.chunking import Chunker

WHOLE = "whole/1"
_PIECE = 1024


def document_text(document: Document) -> str:
    """The text that a document's chunks are cut from: title and text with a space between, as ir_datasets' default text."""
    return f"{document.title} {document.text}" if document.title else document.text


class Corpus:
    """Chunks that can be iterated as often as their source can be read.

    Attributes:
        label: what messages call it.
        reading: what was noticed the last time it was read.
        chunker: what cuts the documents, or None where the source holds chunks.
        assumed: nobody said how to cut the documents, so each is one chunk.
    """

    def __init__(
        self,
        label: str,
        read: Callable[[], Iterator[Chunk]],
        reading: Reading,
        chunker: Chunker | None = None,
        source: Any = None,
        scan: Callable[[Sieve | None], Iterator[Sequence[ChunkRow]]] | None = None,
    ) -> None:
        self.label = label
        self.reading = reading
        self.chunker = chunker
        self.source = source
        self._read = read
        self._scan = scan
        self.assumed = False
        self._begun: Iterator[Chunk] | None = None

    def __iter__(self) -> Iterator[Chunk]:
        if self._begun is not None:
            found, self._begun = self._begun, None
            return found
        return self._read()

    def pieces(self, sieve: Sieve | None = None) -> Iterator[Sequence[ChunkRow]]:
        """The chunks many at a time, without their unknown members: the fast way for who looks at all of them.

        Args:
            sieve: names the places in the source whose chunks are wanted; others come as well where the source cannot tell.
        """
        if self._scan is not None:
            self._begun = None
            yield from self._scan(sieve)
            return
        chunks = iter(self)
        while piece := list(islice(chunks, _PIECE)):
            yield piece

    @property
    def size(self) -> int | None:
        """Bytes on disk, where the corpus is one file."""
        return self.source.size if isinstance(self.source, Source) else None

    def watch(self, progress: Callable[[int], None] | None) -> None:
        """Have `progress` called with the bytes of each piece that is read."""
        if isinstance(self.source, Source):
            self.source.watch = progress

    @property
    def corpus_fingerprint(self) -> str | None:
        """The name of this state of the corpus, an empty one being none; of documents chunked on the way the chunker's."""
        return self._said("corpus_fingerprint") or None

    @property
    def chunker_fingerprint(self) -> str | None:
        """The chunker and its settings."""
        return self._said("chunker_fingerprint")

    def _said(self, name: str) -> str | None:
        if self.chunker is not None:
            return self.chunker.fingerprint
        # A file says it before its first chunk.
        if name not in self.reading.about and self._begun is None:
            self._begun = begun(self._read())
        found = self.reading.about.get(name)
        return found if isinstance(found, str) else None


def corpus_of(what: Any, by: str | Chunker | None = None, *, name: str | None = None) -> Corpus:
    """A corpus of chunks.

    Args:
        what: a `Corpus`; chunks (a list of `Chunk`); a corpus file; or documents in anything that `irbridge.load` takes (a BEIR folder,
            `irds:ID`, a corpus.jsonl, ...).
        by: a chunker (`recursive/512/64`) for documents; without one each document is one chunk.
        name: the format's name, where sniffing is not to decide.

    Raises:
        UsageError: chunks were to be chunked, or the input has neither chunks nor documents.
        IrbridgeError: there is no such input, or its format is not recognised.
    """
    what = at_hand(what)
    bound = _chunker(by) if isinstance(by, str) else by
    found = _of_chunks(what, name)
    if found is not None:
        if bound is not None:
            raise UsageError(
                f"{shown(found.label, 200)} holds chunks already", hint="leave the chunker out, or name the documents"
            )
        return found
    used = bound or _chunker(WHOLE)
    documents = Input(what, "documents", name=name)
    found = Corpus(documents.label, lambda: cut(documents, used), documents.reading, used, documents.source)
    found.assumed = bound is None
    return found


def _chunker(spec: str) -> Chunker:
    from irbridge.chunking import chunker  # chunkers take long to load, and chunks need none

    return chunker(spec)


def _of_chunks(what: Any, name: str | None) -> Corpus | None:
    """The corpus that `what` is, or None where it is to be read as documents."""
    if isinstance(what, Corpus):
        return what
    reading = Reading()
    name = what.format_name or name if isinstance(what, Pipe) else name
    try:
        entry, source = identify(what, "chunks", reading, name=name)
    except (UsageError, InputError):
        # No chunks: whether it holds documents, and if not why, is said by whoever reads it as such.
        return None
    reader, scanner = entry.reader("chunks"), entry.scan_chunks
    if reader is None:
        return None
    label = "corpus" if reading.label == "chunks" else reading.label
    scan = None if scanner is None else lambda sieve: scanner(source, reading.restarted(), sieve)
    return Corpus(label, lambda: reader(source, reading.restarted()), reading, None, source, scan)


def cut(documents: Iterable[Document], by: Chunker) -> Iterator[Chunk]:
    """The chunks of documents, one document after the other; of blank ones only `whole/1` makes a chunk."""
    from irbridge.chunking.cutting import chunks

    for document in documents:
        text = document_text(document)
        cut = chunks(document.doc_id, text, by)
        first = next(cut, None)
        if first is not None:
            yield first
            yield from cut
        elif by.fingerprint == WHOLE:
            # A document without text is there all the same, and labels of it are not labels of nothing.
            sha = text_sha(text)
            own = chunk_id(document.doc_id, sha, 0, text, by.fingerprint)
            yield Chunk(own, document.doc_id, sha, 0, "", text_sha(""), 0, 0)
