"""`irbridge agentic rescore`: the receipts of a report, scored again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.agentic import MATCHES, fixture_option, gate_of, gate_options, loaded
from irbridge.cli.command import command, option, screen_of
from irbridge.cli.lists import once_option
from irbridge.cli.options import INPUTS, OUTPUT

if TYPE_CHECKING:
    from irbridge.agentic.rescoring import Rescored
    from irbridge.renderers import Page

_SOME = 10


@command(
    "rescore",
    short_help="Score the receipts of a report again.",
    arguments=(("REPORT", "The folder of a run, a report, or '-'."),),
    exits=(
        (0, "scored; the promotion passed, if there is one"),
        (1, "the promotion fails"),
        (2, "an input cannot be used, or a receipt is a failure of the harness"),
    ),
    examples=(
        "irbridge agentic rescore baseline --match covering",
        "irbridge agentic rescore baseline --fixture corrected --out again",
        "irbridge agentic rescore baseline --baseline lexical --candidate capsule",
    ),
)
@click.argument("report")
@fixture_option()
@option(
    "--match", type=click.Choice(MATCHES), section=INPUTS, help="How citations are matched. Default: as in the report."
)
@gate_options()
@once_option("-o", "--out", metavar="DIR", section=OUTPUT, help="Write the report as it is now; as run --out does.")
@click.pass_context
def rescore(
    context: click.Context, /, *, report: str, fixture: str | None, match: Any, out: str | None, **options: Any
) -> int:
    """Score receipts again, without running anything, and say what changes.

    The rule of matching may be another one, the fixture may be corrected, the comparison may be of two other adapters.
    What was observed stays as it was.
    """
    from irbridge.agentic.artifacts import prepared_in, write_artifacts
    from irbridge.agentic.benchmark import exit_code
    from irbridge.agentic.receipt_files import named, read_report
    from irbridge.agentic.rescoring import rescore as again

    gate = gate_of(options)
    with named(report):
        done = again(read_report(report), loaded(fixture), match, gate)
    if out is not None:
        write_artifacts(done.report, out, prepared_in(report))
    screen_of(context).show(_page(done, out))
    return exit_code(done.report)


def _page(done: Rescored, out: str | None) -> Page:
    from irbridge.agentic.page import report_page
    from irbridge.renderers import Column, Page, Remark, Table, counted

    page = report_page(done.report)
    blocks = list(page.blocks)
    if done.changed:
        columns = [
            Column("task", "changed", flexible=True),
            Column("adapter", "adapter"),
            Column("lifecycle", "lifecycle"),
            Column("success", "success"),
            Column("members", "and", flexible=True),
        ]
        rows = [
            (
                each.score.task_id,
                each.score.adapter_id,
                each.score.lifecycle,
                _success(each.members),
                _others(each.members),
            )
            for each in done.changed[:_SOME]
        ]
        blocks.append(Table(columns, rows))
    blocks.append(Remark("changed", [counted(len(done.changed), "score")]))
    blocks += [Remark("note", [note], "warn") for note in done.notes]
    if out is not None:
        blocks.append(Remark("wrote", [out], "good"))
    return Page(
        blocks, {**page.data, "changed": [each.as_dict() for each in done.changed], "notes": done.notes, "out": out}
    )


def _success(members: dict[str, tuple[Any, Any]]) -> str:
    return " -> ".join(str(each) for each in members["success"]) if "success" in members else "as before"


def _others(members: dict[str, tuple[Any, Any]]) -> str:
    return ", ".join(name for name in members if name != "success")


COMMAND = rescore
