"""chonkie: its token, sentence and recursive chunkers, counting characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irbridge.chunking.aligning import from_offsets
from irbridge.chunking.base import Method
from irbridge.chunking.extents import Extent
from irbridge.chunking.libraries import OVERLAP, SIZE, library, release

_DISTRIBUTION = "chonkie"


def _cut(name: str, made: Any) -> Callable[[str], Sequence[Extent]]:
    return from_offsets(name, lambda text: ((piece.start_index, piece.end_index, piece.text) for piece in made(text)))


def _overlapping(chunker: str, name: str) -> Callable[[int, int], Callable[[str], Sequence[Extent]]]:
    def bind(size: int, overlap: int) -> Callable[[str], Sequence[Extent]]:
        kind = getattr(library("chonkie", _DISTRIBUTION), chunker)
        return _cut(name, kind(tokenizer="character", chunk_size=size, chunk_overlap=overlap))

    return bind


def _recursive(size: int) -> Callable[[str], Sequence[Extent]]:
    kind = library("chonkie", _DISTRIBUTION).RecursiveChunker
    return _cut(
        "chonkie-recursive", kind(tokenizer="character", chunk_size=size, min_characters_per_chunk=min(size, 24))
    )


CHUNKER = (
    Method(
        name="chonkie-token",
        summary="chonkie's TokenChunker, a character to a token",
        settings=(SIZE, OVERLAP),
        bind=_overlapping("TokenChunker", "chonkie-token"),
        example="chonkie-token/512/64",
        version=lambda: release(_DISTRIBUTION),
    ),
    Method(
        name="chonkie-sentence",
        summary="chonkie's SentenceChunker, sizes in characters",
        settings=(SIZE, OVERLAP),
        bind=_overlapping("SentenceChunker", "chonkie-sentence"),
        example="chonkie-sentence/512/64",
        version=lambda: release(_DISTRIBUTION),
    ),
    Method(
        name="chonkie-recursive",
        summary="chonkie's RecursiveChunker, sizes in characters",
        settings=(SIZE,),
        bind=_recursive,
        example="chonkie-recursive/512",
        version=lambda: release(_DISTRIBUTION),
    ),
)
