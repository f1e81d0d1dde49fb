"""llama-index: the sentence and the token splitter of llama-index-core, a character to a token."""

from __future__ import annotations

from irbridge.chunking.libraries import splitter

CHUNKER = tuple(
    # `list` as the tokenizer: it counts characters, and no vocabulary has to be downloaded.
    splitter(
        name, f"LlamaIndex's {kind}, sizes in characters", "llama_index.core.node_parser", "llama-index-core", kind,
        tokenizer=list,
    )
    for name, kind in (("llama-index-sentence", "SentenceSplitter"), ("llama-index-token", "TokenTextSplitter"))
)  # fmt: skip
