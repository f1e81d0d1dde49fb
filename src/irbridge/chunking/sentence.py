"""sentence: so many sentences to a chunk."""

from __future__ import annotations

from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import Extent, paragraphs, trimmed, units
from irbridge.chunking.sentences import sentences


def all_sentences(text: str) -> list[Extent]:
    """Every sentence of a text, trimmed; the end of a paragraph ends one too."""
    whole = trimmed(text, 0, len(text))
    if whole is None:
        return []
    return [
        sentence
        for start, end in units(text, *whole, paragraphs(text, *whole))
        for sentence in units(text, start, end, sentences(text, start, end))
    ]


def grouped(text: str, count: int, overlap: int) -> list[Extent]:
    """Chunks of `count` sentences, of which the first `overlap` are the last of the chunk before."""
    found = all_sentences(text)
    starts = range(0, max(len(found) - overlap, min(len(found), 1)), count - overlap)
    return [(found[first][0], found[min(first + count, len(found)) - 1][1]) for first in starts]


CHUNKER = Method(
    name="sentence",
    summary="a number of sentences to a chunk, however long they are",
    settings=(
        Setting("sentences", "sentences in a chunk"),
        Setting("overlap", "sentences that a chunk repeats of the one before", lowest=0, default=0),
    ),
    bind=lambda count, overlap: lambda text: grouped(text, count, overlap),
    example="sentence/3",
)
