"""`irbridge drift`: which labels are still true, and repair of those that provably are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.drift_gates import drift_gate_options, drift_gates
from irbridge.cli.drift_next import following
from irbridge.cli.labels import opened_corpus, undone
from irbridge.cli.options import (
    INPUTS,
    chosen,
    chunker_option,
    convention_options,
    corpus_option,
    judgments_option,
    measure_options,
    opened,
    split_option,
    taken,
)
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from irbridge.conventions import Convention
    from irbridge.corpora import Corpus
    from irbridge.drift.decay import Movement, Reading
    from irbridge.drift.findings import Status
    from irbridge.drift.page import Told
    from irbridge.drift.workflow import Inspected
    from irbridge.measures.base import Measure

REPAIR = "Repair"


@command(
    "drift",
    short_help="Which labels still match a corpus, and provable repairs.",
    heading="Labels",
    exits=(
        (0, "every label is valid (or was undone), or every gate passed"),
        (1, "a label does not match the corpus as it stands, repaired or not; with gates: one of them did not pass"),
        (2, "the call or an input cannot be used, and nothing was written; or what was done cannot be printed"),
    ),
    examples=(
        "irbridge drift --judgments judgments.jsonl --corpus corpus.jsonl",
        "irbridge drift --judgments judgments.jsonl --corpus corpus.jsonl --fix",
        "irbridge drift --judgments judgments.jsonl --undo",
        "irbridge drift --judgments j.jsonl --corpus docs/ --chunker recursive/512/64",
        "irbridge drift --judgments j.jsonl --corpus c --run old.run --run new.run",
        "irbridge drift --judgments old/ --corpus new/ --made-on old/",
        "irbridge drift --judgments j.jsonl --corpus c --gate drift:stale_rate:0.05",
    ),
)
@judgments_option()
@corpus_option()
@chunker_option()
@option(
    "--made-on", metavar="OLD", section=INPUTS,
    help="The corpus or documents that the labels were made on: gives labels that keep no text their text, and compares two releases.",
)  # fmt: skip
@split_option()
@option(
    "--fix",
    is_flag=True,
    section=REPAIR,
    help="Move the labels whose text is provably in one chunk; a journal is left for --undo.",
)
@option("--dry-run", is_flag=True, section=REPAIR, help="Show what --fix would change, row by row, and change nothing.")
@option("--undo", is_flag=True, section=REPAIR, help="Give the file its bytes of before the last --fix.")
@option(
    "--run", "runs", metavar="R", multiple=True, section="Effect on a measure",
    help="A run on this corpus: what stale labels do to its score. Given twice, the first made before the corpus changed: how much of "
    "the movement is label decay.",
)  # fmt: skip
@measure_options()
@convention_options()
@drift_gate_options()
@click.pass_context
def drift(
    context: click.Context,
    /,
    *,
    judgments: str,
    corpus: str | None,
    chunker: str | None,
    made_on: str | None,
    split: str | None,
    fix: bool,
    dry_run: bool,
    undo: bool,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    k: tuple[int, ...],
    convention: str | None,
    **options: Any,
) -> int:
    """Hold labels against a corpus that was chunked anew, and say what became of each.

    valid, re-anchorable, merged, split or orphaned, as the specification has it. For an orphaned label whose text is still
    there in another form, irbridge says where; no label is ever moved on such evidence without a person.
    """
    screen = screen_of(context)
    _check(corpus, runs, fix=fix, dry_run=dry_run, undo=undo)
    gates = drift_gates(options, undo=undo)
    if undo:
        return undone(screen, judgments, "the repair")
    knobs = taken(options)
    scoring = None
    if runs or measures or k or convention is not None or any(value is not None for value in knobs.values()):
        # Measures take longer to load than many labels take to look up.
        scoring = chosen(measures, k, convention, knobs)
    labels = opened(screen, judgments, "judgments", split=split)
    live = opened_corpus(screen, str(corpus), chunker)
    old = None if made_on is None else opened_corpus(screen, made_on)
    from irbridge.drift import workflow
    from irbridge.drift.page import drift_page

    measured = _Measured()

    def look(found: Inspected) -> None:
        nonlocal measured
        if runs and scoring is not None:
            measured = _measured(found, live, runs, *scoring)

    if fix:
        found = workflow.fixed(labels, live, old, look)
    else:
        found = workflow.tried(labels, live, old) if dry_run else workflow.inspected(workflow.read(labels), live, old)
        look(found)
    taken_split = labels.reading.notes.get("split")
    if taken_split is not None:
        from irbridge.formats.beir import DEFAULT_SPLIT

        # Whatever follows is to be of the same labels.
        split = DEFAULT_SPLIT
        found = _with_notes(found, [str(taken_split)])
    inputs = {
        "--judgments": judgments,
        "--corpus": corpus,
        "--chunker": chunker,
        "--made-on": made_on,
        "--split": split,
    }
    after = following(found, labels, live, inputs, fix=fix)
    told = _told(found, after, known=old is not None, fix=fix, dry_run=dry_run)
    told = told._replace(readings=measured.readings, movements=measured.movements)
    found = _with_notes(found, measured.doubts)
    if found.changes is not None and not screen.json:
        for line in found.changes:
            click.echo(line)
        screen.data_on_stdout = True
    page, fine = gates.held(drift_page(found.drift, told), found.drift.summary.as_dict(), fine=found.drift.all_valid)
    screen.show(page)
    return 0 if fine else 1


def _check(corpus: str | None, runs: tuple[str, ...], *, fix: bool, dry_run: bool, undo: bool) -> None:
    if fix and dry_run:
        raise UsageError("--fix and --dry-run exclude each other", hint="--dry-run first, then --fix")
    if undo and (fix or dry_run or runs):
        raise UsageError("--undo goes alone", hint="undo first, then look again")
    if not undo and corpus is None:
        raise UsageError("--corpus is missing: labels are held against it", hint="--corpus corpus.jsonl")
    if len(runs) > 2:
        raise UsageError("--run is given at most twice: a run of before and one of after")


def _told(found: Inspected, after: list[tuple[str, ...]], *, known: bool, fix: bool, dry_run: bool) -> Told:
    """What the screen says beside the findings; `known`: the texts of documents were looked up."""
    from irbridge.drift.page import Told
    from irbridge.drift.spans import span_of
    from irbridge.drift.waiting import waiting_table

    repair = found.repair
    chunkless = [
        label
        for label, each in zip(found.known or found.labels, found.drift.findings, strict=True)
        if label.chunk_id is None and each.status == "VALID"
    ]
    placed = sum(span_of(label) is not None for label in chunkless)
    return Told(
        repair.as_dict() if fix or dry_run else None,
        fix,
        found.journal,
        stays=_stays(found),
        unproven=repair.unproven,
        bare=0 if known else len(chunkless) - placed,
        placed=placed,
        waiting=waiting_table(found) if repair.needs_review else None,
        left=repair.needs_review,
        next=after,
    )


def _stays(found: Inspected) -> dict[Status, int]:
    """How many labels of a status that repair can move it leaves to a person."""
    from irbridge.drift.findings import REPAIRABLE

    findings, summary = found.drift.findings, found.drift.summary
    moved = [findings[number].status for number in found.repair.moved]
    return {status: getattr(summary, status.lower()) - moved.count(status) for status in REPAIRABLE}


class _Measured(NamedTuple):
    """What stale labels do to the measures of one run, or to the difference of two; and whether the runs are of this corpus."""

    readings: Sequence[Reading] = ()
    movements: Sequence[Movement] = ()
    doubts: Sequence[str] = ()


def _measured(
    found: Inspected, corpus: Corpus, runs: tuple[str, ...], asked: list[Measure], under: Convention
) -> _Measured:
    from irbridge.drift.decay import Labels, decayed, moved
    from irbridge.drift.run_ids import doubts
    from irbridge.inputs import Input

    labels = Labels.of(found.labels, found.drift, found.repair)
    given = [Input(run, "run") for run in runs]
    told = tuple(doubts(found.labels, given, corpus))
    if len(given) == 1:
        return _Measured(readings=decayed(labels, given[0], asked, under), doubts=told)
    return _Measured(movements=moved(labels, given[0], given[1], asked, under), doubts=told)


def _with_notes(found: Inspected, notes: Iterable[str]) -> Inspected:
    from dataclasses import replace

    return found._replace(drift=replace(found.drift, notes=(*found.drift.notes, *notes)))


COMMAND = drift
