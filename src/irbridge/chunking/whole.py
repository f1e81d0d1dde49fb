"""whole: one chunk per document, what a collection without a chunker is."""

from __future__ import annotations

from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import Extent, trimmed


def whole(text: str) -> list[Extent]:
    """The document without the white space at its ends; nothing of a blank one."""
    found = trimmed(text, 0, len(text))
    return [found] if found else []


CHUNKER = Method(
    name="whole",
    summary="one chunk per document",
    settings=(Setting("documents", "documents in a chunk, always 1", lowest=1, highest=1, default=1),),
    bind=lambda _documents: whole,
    example="whole/1",
)
