"""`irbridge drift`: which labels are still true, and repair of those that provably are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    from irbridge.conventions import Convention
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

    if fix:
        found = workflow.fixed(labels, live, old)
    elif dry_run:
        found = workflow.tried(labels, live, old)
    else:
        found = workflow.inspected(workflow.read(labels), live, old)
    inputs = {
        "--judgments": judgments,
        "--corpus": corpus,
        "--chunker": chunker,
        "--made-on": made_on,
        "--split": split,
    }
    after = following(found, labels, live, inputs, fix=fix)
    told = _told(found, after, known=old is not None, fix=fix, dry_run=dry_run)
    if runs and scoring is not None:
        told = _measured(told, found, runs, *scoring)
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
    from irbridge.drift.waiting import waiting_table

    repair = found.repair
    bare = 0 if known else sum(each.chunk_id is None and each.status == "VALID" for each in found.drift.findings)
    return Told(
        repair.as_dict() if fix or dry_run else None,
        fix,
        found.journal,
        unproven=repair.unproven,
        bare=bare,
        waiting=waiting_table(found) if repair.needs_review else None,
        left=repair.needs_review,
        next=after,
    )


def _measured(told: Told, found: Inspected, runs: tuple[str, ...], asked: list[Measure], under: Convention) -> Told:
    """What stale labels do to the measures of one run, or to the difference of two."""
    from irbridge.drift.decay import Labels, decayed, moved

    labels = Labels.of(found.labels, found.drift, found.repair)
    if len(runs) == 1:
        return told._replace(readings=decayed(labels, runs[0], asked, under))
    return told._replace(movements=moved(labels, runs[0], runs[1], asked, under))


COMMAND = drift
