"""`irbridge qrels pool`: what to judge next."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, Whole


@command(
    "pool",
    short_help="What to judge next, of several runs.",
    arguments=(("RUNS", "Runs of any format."),),
    exits=((0, "the pool was made"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge qrels pool a.run b.run --depth 20 -o todo.jsonl",
        "irbridge qrels pool a.run b.run --judgments now.qrels -o todo.tsv",
    ),
)
@click.argument("runs", nargs=-1, required=True)
@option(
    "--judgments",
    "--qrels",
    "judgments",
    metavar="J",
    section=INPUTS,
    help="Judgments whose labels need not be made again.",
)
@option(
    "--depth", type=Whole(min=1), default=10, metavar="K", help="How many documents of each ranking count. Default: 10."
)
@option(
    "-o",
    "--out",
    "out",
    metavar="OUT",
    section=OUTPUT,
    help="Write the documents to judge as .jsonl or .tsv ('-': JSONL).",
)
@click.pass_context
def pool(
    context: click.Context, /, *, runs: tuple[str, ...], judgments: str | None, depth: int, out: str | None
) -> int:
    """Make the pool of runs: every document that one of them has among its first K and that nobody has judged.

    Within a query the documents stand in the order of their ids, which tells the annotator nothing of what the runs think.
    """
    from irbridge.cli.files import check_target
    from irbridge.errors import UsageError
    from irbridge.judgments.pool_files import write_pool
    from irbridge.judgments.pooling import pool as carried_out
    from irbridge.judgments.qrels_pages import pool_page

    if [*runs, judgments].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    check_target(out, inputs=(*runs, *([] if judgments is None else [judgments])))
    found = carried_out(runs, depth, judgments)
    screen = screen_of(context)
    if out is not None:
        screen.data_on_stdout = out == "-"
        write_pool(found, out)
    screen.show(pool_page(found, out))
    return 0


COMMAND = pool
