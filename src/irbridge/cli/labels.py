"""What the commands share that hold labels against a corpus and rewrite them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from irbridge.errors import InputError, shown
from irbridge.wording import shell_word

if TYPE_CHECKING:
    from irbridge.cli.screen import Screen
    from irbridge.corpora import Corpus


def opened_corpus(screen: Screen, what: str, chunker: str | None = None) -> Corpus:
    """A corpus, watched by a progress bar."""
    from irbridge.corpora import corpus_of

    try:
        found = corpus_of(what, chunker)
    except InputError as error:
        if _holds_nameless_chunks(error):
            stamping = f"irbridge stamp {shell_word(what)} --fingerprint NAME --revision V -o corpus.jsonl"
            error.hint = f"{stamping} gives chunks of your own chunker their ids"
        raise
    bar = screen.bar(found.label, found.size)
    found.watch(None if bar is None else bar.advance)
    return found


def _holds_nameless_chunks(error: InputError) -> bool:
    """Whether the first line of what is in no known format is a chunk that has no id yet."""
    first = error.text or ""
    return first.startswith("{") and '"doc_uri"' in first and '"text"' in first and '"chunk_id"' not in first


def call_of(given: Mapping[str, str | None]) -> str:
    """Options as a shell takes them; those that were not given are left out."""
    return " ".join(f"{name} {shell_word(value)}" for name, value in given.items() if value is not None)


def undone(screen: Screen, path: str, before: str) -> int:
    """Give a file the bytes that it had, and say so; `before` says before what."""
    from irbridge.drift.rewriting import undo
    from irbridge.renderers import Page, Remark

    size = undo(path)
    said = [shown(path, 200), f"{size:,} bytes as before {before}"]
    screen.show(Page((Remark("undone", said, "good"),), {"undone": path}))
    return 0
