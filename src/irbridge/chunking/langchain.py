"""langchain: the recursive and the Markdown splitter of langchain-text-splitters, counting characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irbridge.chunking.aligning import from_pieces
from irbridge.chunking.base import Method
from irbridge.chunking.extents import Extent
from irbridge.chunking.libraries import OVERLAP, SIZE, library, release

_DISTRIBUTION = "langchain-text-splitters"


def _bound(splitter: str, name: str) -> Callable[[int, int], Callable[[str], Sequence[Extent]]]:
    def bind(size: int, overlap: int) -> Callable[[str], Sequence[Extent]]:
        kind = getattr(library("langchain_text_splitters", _DISTRIBUTION), splitter)
        return from_pieces(name, kind(chunk_size=size, chunk_overlap=overlap).split_text, overlap)

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
        ("langchain-recursive", "RecursiveCharacterTextSplitter", "LangChain's RecursiveCharacterTextSplitter"),
        ("langchain-markdown", "MarkdownTextSplitter", "LangChain's MarkdownTextSplitter"),
    )
)
