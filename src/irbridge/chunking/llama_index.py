"""llama-index: the sentence and the token splitter of llama-index-core, a character to a token."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irbridge.chunking.aligning import from_pieces
from irbridge.chunking.base import Method
from irbridge.chunking.extents import Extent
from irbridge.chunking.libraries import OVERLAP, SIZE, library, release

_DISTRIBUTION = "llama-index-core"


def _bound(splitter: str, name: str) -> Callable[[int, int], Callable[[str], Sequence[Extent]]]:
    def bind(size: int, overlap: int) -> Callable[[str], Sequence[Extent]]:
        kind = getattr(library("llama_index.core.node_parser", _DISTRIBUTION), splitter)
        # `list` as the tokenizer: it counts characters, and no vocabulary has to be downloaded.
        return from_pieces(name, kind(chunk_size=size, chunk_overlap=overlap, tokenizer=list).split_text, overlap)

    return bind


CHUNKER = tuple(
    Method(
        name=name,
        summary=summary,
        settings=(SIZE, OVERLAP),
        bind=_bound(splitter, name),
        example=f"{name}/512/64",
        version=lambda: release(_DISTRIBUTION),
    )
    for name, splitter, summary in (
        ("llama-index-sentence", "SentenceSplitter", "LlamaIndex's SentenceSplitter, sizes in characters"),
        ("llama-index-token", "TokenTextSplitter", "LlamaIndex's TokenTextSplitter, sizes in characters"),
    )
)
