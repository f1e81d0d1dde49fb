"""Drift from end to end: labels and corpus in, findings and repair out; and the same with the file rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from irbridge.corpora import Corpus
from irbridge.drift.classify import classify
from irbridge.drift.findings import Drift
from irbridge.drift.fix import Repair, repaired
from irbridge.drift.glances import chunks_called
from irbridge.drift.releases import looked_up, of_given, without_text
from irbridge.errors import UsageError, shown
from irbridge.identity import is_chunk_id, text_sha
from irbridge.inputs import Input
from irbridge.model import Judgment
from irbridge.wording import counted

_COUNTS = ("valid", "re_anchorable", "merged", "split", "orphaned")


class Inspected(NamedTuple):
    """Labels, what became of them, and what repair makes of them.

    Attributes:
        journal: where the way back lies, after a repair that changed the file.
        changes: the rows that repair would change, after a dry run.
        known: the labels with the texts that they were made on; empty where nobody was asked for those.
    """

    labels: list[Judgment]
    drift: Drift
    repair: Repair
    journal: str | None = None
    changes: Iterator[str] | None = None
    known: Sequence[Judgment] = ()

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{name} {number}" for name, number in self.drift.summary.as_dict().items() if name in _COUNTS
        )
        return f"Inspected({counts}; {self.repair.reanchored} can be moved, {self.repair.needs_review} need a person)"


def inspected(labels: list[Judgment], corpus: Corpus, made_on: Corpus | None = None) -> Inspected:
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
        untold = (without_text(missing, labels, made_on),) if missing else ()
    found = classify(known, corpus)
    if made_on is not None:
        found = of_given(found, labels, known, untold)
    found = replace(found, notes=(*found.notes, *_doubts(labels, found, corpus)))
    return Inspected(labels, found, repaired(labels, found), known=known)


def _doubts(labels: list[Judgment], found: Drift, corpus: Corpus) -> Iterator[str]:
    """What speaks for another call than this one."""
    if _is_too_coarse(labels, corpus):
        yield f"the labels are of chunks, and {shown(corpus.label, 60)} is documents, taken whole: --chunker SPEC cuts them"
    called = called_like_chunks(labels, found)
    if called:
        yield (
            f"{counted(called, 'document is called like a chunk', 'documents are called like chunks')}: "
            "irbridge convert LABELS --to judgments --as-chunk-ids makes labels of chunks of them"
        )


def called_like_chunks(labels: Sequence[Judgment], found: Drift) -> int:
    """How many labels that are not valid have a chunk's id for their document, as qrels have one column for both."""
    return sum(
        label.chunk_id is None and each.status != "VALID" and is_chunk_id(label.doc_uri)
        for label, each in zip(labels, found.findings, strict=True)
    )


def _is_too_coarse(labels: list[Judgment], corpus: Corpus) -> bool:
    return corpus.assumed and any(label.chunk_id is not None for label in labels)


def _checked(found: Inspected, corpus: Corpus) -> Inspected:
    """Refuse to move labels of chunks to whole documents that nobody asked for.

    Raises:
        UsageError: as it says.
    """
    if _is_too_coarse(found.labels, corpus):
        raise UsageError(
            f"the labels are of chunks, and {shown(corpus.label, 60)} is documents",
            hint="--chunker SPEC says how they are cut; --chunker whole, that each is one chunk",
        )
    return found


def _proven(found: Inspected, corpus: Corpus) -> Inspected:
    """The same, with all labels left where they are that would move to a chunk whose digest is not that of its text.

    Findings believe what chunks say of themselves, as the specification has it. Before a label is rewritten the few chunks
    that it depends on are looked at once more.
    """
    findings = found.drift.findings
    wanted = {number: str(findings[number].reanchor_to) for number in found.repair.moved}
    untrue = {
        chunk.chunk_id for chunk in chunks_called(frozenset(wanted.values()), corpus.pieces())
        if chunk.text_sha and chunk.text is not None and chunk.text_sha != text_sha(chunk.text)
    }  # fmt: skip
    refused = [number for number, chunk_id in wanted.items() if chunk_id in untrue]
    if not refused:
        return found
    first = shown(wanted[refused[0]], 60)
    note = (
        f"{counted(len(refused), 'label')} would move to a chunk whose text_sha is not that of its text ({first}"
        f"{', ...' if len(untrue) > 1 else ''}), and {'stays' if len(refused) == 1 else 'stay'}: write the corpus anew"
    )
    drift = replace(found.drift, notes=(*found.drift.notes, note))
    return found._replace(drift=drift, repair=repaired(found.labels, drift, refused))


def fixed(
    source: Input, corpus: Corpus, made_on: Corpus | None = None, look: Callable[[Inspected], None] | None = None
) -> Inspected:
    """Repair the labels of a judgments file, in the file.

    Args:
        source: the file.
        corpus: the chunks as they are now.
        made_on: as for `inspected`.
        look: is shown what will be done before it is; nothing is, if it raises.

    Raises:
        UsageError: it is no file of judgments JSONL, or somebody else is rewriting it.
        InputError: an input cannot be read or the file not be written; it is as it was then.
    """
    from irbridge.drift import rewriting

    path = rewriting.path_of(source)
    with rewriting.locked(path):
        file = rewriting.opened(source)
        found = _proven(_checked(inspected(file.labels, corpus, made_on), corpus), corpus)
        if look is not None:
            look(found)
        return found._replace(journal=rewriting.replace(file, found.repair.rows))


def tried(source: Input, corpus: Corpus, made_on: Corpus | None = None) -> Inspected:
    """What `fixed` would do, with the rows that it would change.

    Raises:
        IrbridgeError: as `fixed`.
    """
    from irbridge.drift import rewriting

    rewriting.path_of(source)
    file = rewriting.opened(source)
    found = _proven(_checked(inspected(file.labels, corpus, made_on), corpus), corpus)
    return found._replace(changes=rewriting.diff(file, found.repair))


def read(source: Input) -> list[Judgment]:
    """All labels of an input."""
    return list(cast("Iterator[Judgment]", iter(source)))
