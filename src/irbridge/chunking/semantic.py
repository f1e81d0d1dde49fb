"""semantic: the Rust library semantic-text-splitter, for plain text and for Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irbridge.chunking.aligning import from_offsets
from irbridge.chunking.base import Method
from irbridge.chunking.extents import Extent
from irbridge.chunking.libraries import OVERLAP, SIZE, library, release

_DISTRIBUTION = "semantic-text-splitter"


def _bound(splitter: str, name: str) -> Callable[[int, int], Callable[[str], Sequence[Extent]]]:
    def bind(size: int, overlap: int) -> Callable[[str], Sequence[Extent]]:
        made: Any = getattr(library("semantic_text_splitter", _DISTRIBUTION, "chunk"), splitter)(size, overlap=overlap)
        return from_offsets(
            name, lambda text: ((start, start + len(piece), piece) for start, piece in made.chunk_indices(text))
        )

    return bind


CHUNKER = tuple(
    Method(
        name=name,
        summary=summary,
        settings=(SIZE, OVERLAP),
        bind=_bound(splitter, name),
        example=f"{name}/512/64",
        version=lambda: release(_DISTRIBUTION),
        extra="chunk",
    )
    for name, splitter, summary in (
        ("semantic", "TextSplitter", "semantic-text-splitter's TextSplitter, sizes in characters"),
        ("semantic-markdown", "MarkdownSplitter", "semantic-text-splitter's MarkdownSplitter, sizes in characters"),
    )
)
