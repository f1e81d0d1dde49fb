"""What to do after a drift: whole commands, none of which would be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.cli.labels import call_of
from irbridge.errors import UsageError
from irbridge.piped import Pipe
from irbridge.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from irbridge.corpora import Corpus
    from irbridge.drift.workflow import Inspected
    from irbridge.inputs import Input

_OLD = "OLD: the corpus that the labels were made on"


def following(
    found: Inspected, labels: Input, corpus: Corpus, given: Mapping[str, str | None], *, fix: bool
) -> list[tuple[str, ...]]:
    """Commands, and what each does.

    Args:
        found: what became of the labels.
        labels: where they come from.
        corpus: what they were held against.
        given: the options of this call that name inputs.
        fix: they were repaired.
    """
    from irbridge.drift.workflow import called_like_chunks

    repair = found.repair
    moving = repair.reanchored - _unmoved(found, given)
    repairs = f"repairs {counted(moving, 'label')}" if moving and not fix else ""
    needing = f"{counted(repair.needs_review, 'label needs', 'labels need')} a person" if repair.needs_review else ""
    if corpus.assumed and any(label.chunk_id is not None for label in found.labels):
        return []  # a note says that the documents have to be chunked first
    then = [f"then {what}" for what in (repairs and f"--fix {repairs}", needing and f"review: {needing}") if what]
    if not fix and called_like_chunks(found.labels, found.drift):
        return list(_as_chunks(given, then))
    commands: list[tuple[str, ...]] = []
    if found.drift.untold and given["--made-on"] is None:
        untold = counted(found.drift.untold, "label keeps", "labels keep")
        commands.append((f"irbridge drift {call_of({**given, '--made-on': 'OLD'})}", f"{untold} no text", _OLD))
    if (repairs or needing) and not _is_writable(labels):
        return [*commands, (_made_writable(labels, given), *then)]
    if fix and found.journal is not None:
        undo = call_of({"--judgments": given["--judgments"]})
        commands.append((f"irbridge drift {undo} --undo", "takes it back"))
    if then and isinstance(corpus.source, Pipe):
        return [*commands, ("save the corpus to a file, and name that", *then)]
    call = call_of(given)
    if repairs:
        commands.append((f"irbridge drift {call} --fix", repairs))
    if needing:
        commands.append((f"irbridge review {call} --html queue.html", needing))
    again = _is_writable(labels) and not isinstance(corpus.source, Pipe)
    if again and not repairs and (fix or needing or repair.reanchored) and _are_of_documents(found, given):
        after = call_of({**given, "--made-on": None})
        when = (
            "once these are decided, the labels are of this release"
            if needing
            else "the labels are of this release now"
        )
        commands.append((f"irbridge drift {after}", f"{when}: no --made-on any more"))
    return commands


def _are_of_documents(found: Inspected, given: Mapping[str, str | None]) -> bool:
    """Whether labels of documents were looked up in the release that they were made on: of which they are, they do not say."""
    return given["--made-on"] is not None and any(label.chunk_id is None for label in found.labels)


def _unmoved(found: Inspected, given: Mapping[str, str | None]) -> int:
    """How many labels repair leaves as they are: of documents that hold more than they did."""
    if not _are_of_documents(found, given):
        return 0
    rows = found.repair.rows
    return sum(rows[number] == found.labels[number] for number in found.repair.moved)


def _as_chunks(given: Mapping[str, str | None], then: list[str]) -> Iterator[tuple[str, ...]]:
    """What makes labels of chunks of those that have a chunk's id for their document, and tells of them."""
    call = call_of({"--judgments": given["--judgments"], "--split": given["--split"]})
    convert = f"irbridge convert {call} --to judgments --as-chunk-ids -o OUT.jsonl"
    if given["--made-on"] is not None:
        yield (convert, *then)
        return
    yield convert, "makes labels of chunks of them"
    made = {**given, "--judgments": "OUT.jsonl", "--made-on": "OLD", "--split": None}
    yield f"irbridge drift {call_of(made)}", _OLD


def _is_writable(labels: Input) -> bool:
    """Whether repair and review can write into what the labels came from."""
    from irbridge.drift.rewriting import path_of

    try:
        path_of(labels)
    except UsageError:
        return False
    return True


def _made_writable(labels: Input, given: Mapping[str, str | None]) -> str:
    if labels.format.name == "judgments":
        return "save the labels to a file, and name that"
    call = call_of({"--judgments": given["--judgments"], "--split": given["--split"]})
    return f"irbridge convert {call} --to judgments -o OUT.jsonl"
