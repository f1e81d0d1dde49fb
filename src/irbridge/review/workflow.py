"""Review from end to end: labels and corpus in, a queue out; decisions in, the file with their labels out."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from irbridge.atomic import atomic_write
from irbridge.compression import MAGIC_BYTES, decompressed
from irbridge.corpora import Corpus
from irbridge.drift import journal, rewriting
from irbridge.drift.workflow import read
from irbridge.formats.judgments import read as read_labels
from irbridge.inputs import Input
from irbridge.model import ChunkRow, Judgment
from irbridge.reading import Reading
from irbridge.review.applying import Applied, applied
from irbridge.review.decisions import Decision
from irbridge.review.decisions import read as read_decisions
from irbridge.review.queue import Queue, queue_of
from irbridge.source import Source


class Done(NamedTuple):
    """What applying did.

    Attributes:
        journal: where the way back lies, or None where nothing changed or another file was written.
    """

    applied: Applied
    journal: str | None


def queued(source: Input, corpus: Corpus, made_on: Corpus | None = None) -> Queue:
    """The labels of an input that need a person.

    Raises:
        InputError: an input cannot be read.
    """
    return queue_of(read(source), corpus, made_on, label=source.label)


def apply(
    path: str, source: Input, corpus: Corpus | None = None, out: str | None = None, *, leave_changed: bool = False
) -> Done:
    """Write the labels that decisions make, into the judgments file or into another one.

    Args:
        path: the decisions.
        source: judgments JSONL in a file.
        corpus: what was reviewed; without it the decisions are believed about the chunks that they name.
        out: the file to write instead of the judgments.
        leave_changed: see `applied`.

    Raises:
        UsageError: the judgments are no file of judgments JSONL, or somebody else is rewriting it.
        InputError: an input cannot be read, a decision cannot be applied, or a file not be written; all is as it was then.
    """
    decisions = list(read_decisions(Source(path)))
    target = rewriting.path_of(source)
    with rewriting.locked(target):
        file = rewriting.opened(source)
        chunks = None if corpus is None else chosen_chunks(decisions, corpus)
        fingerprint = None if corpus is None else corpus.corpus_fingerprint
        found = applied(
            file.labels, file.lines, decisions, chunks, fingerprint,
            path=path, leave_changed=leave_changed, earlier=_earlier(target),
        )  # fmt: skip
        rows = [each.label for each in found.placed]
        # One line of the file may have become several rows, which stand where it stood.
        file = file._replace(lines=[each.line for each in found.placed])
        if out is None and not found.decided and not found.removed:
            return Done(found, None)
        if out is None:
            return Done(found, rewriting.replace(file, rows))
        with atomic_write(out) as stream:
            stream.write(rewriting.rendered(file, rows))
        return Done(found, None)


class _Kept(Source):
    """The bytes that a file had before."""

    def __init__(self, path: str, content: bytes) -> None:
        super().__init__(path)
        self._content = content

    def open(self) -> BinaryIO:
        return decompressed(io.BytesIO(self._content), self._content[:MAGIC_BYTES])


def _earlier(path: str) -> Iterator[Judgment]:
    """The labels that a file held before, as far as journals keep them."""
    for content in journal.earlier(os.path.realpath(path)):
        source = _Kept(path, content)
        yield from read_labels(source, Reading(label=source.label))


def chosen_chunks(decisions: Iterable[Decision], corpus: Corpus) -> dict[str, ChunkRow]:
    """The chunks that decisions name, as far as the corpus has them."""
    wanted = {choice.chunk_id for decision in decisions for choice in decision.choices}
    found: dict[str, ChunkRow] = {}
    if wanted:
        for rows in corpus.pieces():
            for row in rows:
                if row.chunk_id in wanted:
                    found.setdefault(row.chunk_id, row)
    return found
