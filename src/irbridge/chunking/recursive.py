"""recursive: paragraphs, then lines, then sentences, then words, then characters, packed up to a size."""

from __future__ import annotations

from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import lines, paragraphs
from irbridge.chunking.packing import packed
from irbridge.chunking.sentences import sentences

LEVELS = (paragraphs, lines, sentences)

CHUNKER = Method(
    name="recursive",
    summary="paragraphs, lines, sentences, words packed up to a size",
    settings=(
        Setting("size", "characters in a chunk at most"),
        Setting("overlap", "characters at most that a chunk repeats of the one before", lowest=0, default=0),
    ),
    bind=lambda size, overlap: lambda text: packed(text, size, overlap, LEVELS),
    example="recursive/512/64",
)
