"""From a document to its chunks, each with the identity that labels hold on to."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.chunking.base import Chunker
from irbridge.errors import InputError, shown
from irbridge.identity import chunk_id, text_sha
from irbridge.model import Chunk


def chunks(doc_uri: str, text: str, chunker: Chunker, doc_revision: str | None = None) -> Iterator[Chunk]:
    """The chunks of one document, in the order of its text; none of a blank one.

    A chunk's text is text[start:end] of the document, taken from there and from nowhere else: what a library returned is
    held against the document before (`irbridge.chunking.aligning`) and then no longer used.

    Args:
        doc_uri: the document's name.
        text: the whole document.
        chunker: as `irbridge.chunking.chunker` gives it.
        doc_revision: the source's version of the document; without one, `text_sha` of the text.

    Raises:
        InputError: the text holds a lone surrogate, or a chunker's library changed it beyond recognition.
    """
    try:
        revision = text_sha(text) if doc_revision is None else doc_revision
        for ordinal, (start, end) in enumerate(chunker.spans(text)):
            body = text[start:end]
            own = chunk_id(doc_uri, revision, ordinal, body, chunker.fingerprint)
            yield Chunk(own, doc_uri, revision, ordinal, body, text_sha(body), start, end)
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(f"document {shown(doc_uri)}: {error.message}", text=error.text, hint=error.hint) from error
