"""Drift from end to end: labels and corpus in, findings and repair out; and the same with the file rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from irbridge.corpora import Corpus
from irbridge.drift import rewriting
from irbridge.drift.classify import classify
from irbridge.drift.findings import Drift
from irbridge.drift.fix import Repair, repaired
from irbridge.drift.releases import looked_up, of_documents
from irbridge.inputs import Input
from irbridge.model import Judgment


class Outcome(NamedTuple):
    """Labels, what became of them, and what repair makes of them.

    Attributes:
        journal: where the way back lies, after a repair that changed the file.
        changes: the rows that repair would change, after a dry run.
    """

    labels: list[Judgment]
    drift: Drift
    repair: Repair
    journal: str | None = None
    changes: Iterator[str] | None = None


def inspected(labels: list[Judgment], corpus: Corpus, made_on: Corpus | None = None) -> Outcome:
    """What became of labels; nothing is written.

    Args:
        labels: judgments.
        corpus: the chunks as they are now.
        made_on: the corpus or documents that the labels were made on, for those that keep no text.

    Raises:
        InputError: a corpus cannot be read.
    """
    known = labels
    untold: tuple[str, ...] = ()
    if made_on is not None:
        known, missing = looked_up(labels, made_on)
        untold = (f"{missing:,} labels have no text in {made_on.label}",) if missing else ()
    found = classify(known, corpus)
    if made_on is not None:
        found = of_documents(found, labels, untold)
    return Outcome(labels, found, repaired(labels, found))


def fixed(source: Input, corpus: Corpus, made_on: Corpus | None = None) -> Outcome:
    """Repair the labels of a judgments file, in the file.

    Raises:
        UsageError: it is no file of judgments JSONL, or somebody else is rewriting it.
        InputError: an input cannot be read or the file not be written; it is as it was then.
    """
    path = rewriting.path_of(source)
    with rewriting.locked(path):
        file = rewriting.opened(source)
        found = inspected(file.labels, corpus, made_on)
        return found._replace(journal=rewriting.replace(file, found.repair.rows))


def tried(source: Input, corpus: Corpus, made_on: Corpus | None = None) -> Outcome:
    """What `fixed` would do, with the rows that it would change.

    Raises:
        IrbridgeError: as `fixed`.
    """
    rewriting.path_of(source)
    file = rewriting.opened(source)
    found = inspected(file.labels, corpus, made_on)
    return found._replace(changes=rewriting.diff(file, found.repair))


def read(source: Input) -> list[Judgment]:
    """All labels of an input."""
    return list(cast("Iterator[Judgment]", iter(source)))
