"""What to do after a drift: whole commands, none of which would be refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irbridge.cli.labels import call_of
from irbridge.errors import UsageError
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
    repairs = f"repairs {counted(repair.reanchored, 'label')}" if repair.reanchored and not fix else ""
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
    call = call_of(given)
    if repairs:
        commands.append((f"irbridge drift {call} --fix", repairs))
    if fix and found.journal is not None:
        undo = call_of({"--judgments": given["--judgments"]})
        commands.append((f"irbridge drift {undo} --undo", "takes it back"))
    if needing:
        commands.append((f"irbridge review {call} --html queue.html", needing))
    return commands


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
