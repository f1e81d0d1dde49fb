"""fixed: windows of so many characters, wherever they fall."""

from __future__ import annotations

from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import Extent, settled


def windows(text: str, size: int, overlap: int) -> list[Extent]:
    """Windows [k * (size - overlap), + size), trimmed; a window that adds nothing to the one before is left out."""
    starts = range(0, max(len(text) - overlap, 1), size - overlap)
    return settled(text, ((start, min(start + size, len(text))) for start in starts))


CHUNKER = Method(
    name="fixed",
    summary="windows of a fixed number of characters, cut wherever they end",
    settings=(
        Setting("size", "characters in a window"),
        Setting("overlap", "characters that a window shares with the one before", lowest=0, default=0),
    ),
    bind=lambda size, overlap: lambda text: windows(text, size, overlap),
    example="fixed/512/64",
)
