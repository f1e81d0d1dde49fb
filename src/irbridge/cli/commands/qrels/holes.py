"""`irbridge qrels holes`: unjudged documents among the first of each ranking."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import Whole, judgments_option, split_option


@command(
    "holes",
    short_help="Unjudged documents in the top of each ranking.",
    arguments=(("RUNS", "Runs of any format."),),
    exits=((0, "looked for"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge qrels holes a.run b.run --judgments now.qrels",
        "irbridge qrels holes a.run --judgments judgments.jsonl -k 20 --json",
    ),
)
@click.argument("runs", nargs=-1, required=True)
@judgments_option()
@split_option()
@option(
    "-k",
    "--top",
    "k",
    type=Whole(min=1),
    default=10,
    metavar="K",
    help="How many documents of each ranking count. Default: 10.",
)
@click.pass_context
def holes(context: click.Context, /, *, runs: tuple[str, ...], judgments: str, split: str | None, k: int) -> int:
    """Look for what the labels do not know: unjudged documents among the first K of each ranking.

    Measures take them for not relevant. A run with more of them than another was not measured with the same care.
    """
    from irbridge.errors import UsageError
    from irbridge.inputs import qrels_of
    from irbridge.judgments.holes import holes as carried_out
    from irbridge.judgments.qrels_pages import holes_page

    if [*runs, judgments].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    screen_of(context).show(holes_page(carried_out(qrels_of(judgments, split=split), runs, k)))
    return 0


COMMAND = holes
