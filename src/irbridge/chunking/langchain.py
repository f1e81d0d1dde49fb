"""langchain: the recursive and the Markdown splitter of langchain-text-splitters, counting characters."""

from __future__ import annotations

from irbridge.chunking.libraries import splitter

CHUNKER = tuple(
    splitter(name, f"LangChain's {kind}", "langchain_text_splitters", "langchain-text-splitters", kind)
    for name, kind in (
        ("langchain-recursive", "RecursiveCharacterTextSplitter"),
        ("langchain-markdown", "MarkdownTextSplitter"),
    )
)
