"""`irbridge overlap`: how alike two runs are, without labels."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.numbers import Number
from irbridge.cli.options import INPUTS, KNOBS, OUTPUT, Whole, opened
from irbridge.conventions import CHOICES
from irbridge.errors import UsageError


@command(
    "overlap",
    short_help="How alike the rankings of two runs are.",
    heading="Measure",
    arguments=(("RUN_A", "A run of any format, or '-'."), ("RUN_B", "The run to hold against it.")),
    exits=((0, "compared"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge overlap before.run after.run",
        "irbridge overlap a.run b.run --at 5,20 --p 0.95 --json",
        "irbridge overlap before.run after.run --moved moved.csv",
    ),
)
@click.argument("run_a")
@click.argument("run_b")
@option("--at", metavar="K,K,...", section=INPUTS, default="1,10,100", help="Depths of the overlap. Default: 1,10,100.")
@option(
    "--p", type=Number(0, 1), metavar="P", default=0.9, section=INPUTS,
    help="RBO's persistence: with 0.9, the default, the first 10 ranks weigh 86%.",
)  # fmt: skip
@option("--allow-infinite", is_flag=True, section=INPUTS, help="Accept infinite scores.")
@option("--depth", type=Whole(min=1), metavar="N", section=KNOBS, help="Look at the top N of each ranking only.")
@option(
    "--ties", type=click.Choice(CHOICES["ties"]), default="docid-desc", section=KNOBS, help="The order of equal scores."
)
@option("--per-query", metavar="FILE", section=OUTPUT, help="Write a row for each query as .jsonl, .csv or .tsv.")
@option(
    "--moved", metavar="FILE", section=OUTPUT,
    help="Write a row for each document: its rank in either run, and how far it rose.",
)  # fmt: skip
@click.pass_context
def overlap(
    context: click.Context,
    /,
    *,
    run_a: str,
    run_b: str,
    at: str,
    p: float,
    allow_infinite: bool,
    depth: int | None,
    ties: str,
    per_query: str | None,
    moved: str | None,
) -> int:
    """Hold one run against another: rank-biased overlap, shared documents by depth, and which documents moved.

    Rankings are put in order as scoring would, equal scores by document id (--ties); RBO itself knows no ties.
    """
    from irbridge.arguments import whole_number
    from irbridge.cli.files import check_target, write
    from irbridge.comparison.overlapping import overlap_of
    from irbridge.comparison.run_pages import moved_page, overlap_page, overlap_per_query_page
    from irbridge.renderers import for_file

    if run_a == run_b == "-":
        raise UsageError("standard input can be one of the inputs only", hint="save the other to a file")
    if per_query is not None and per_query == moved:
        raise UsageError("--per-query and --moved name the same file", hint="name two")
    try:
        depths = [whole_number(part) for part in at.split(",")]
    except ValueError:
        raise UsageError("--at is a list of whole numbers", hint="such as --at 1,5,10") from None
    writers = [(path, for_file(path)) for path in (per_query, moved) if path is not None]
    for path, _ in writers:
        check_target(path, inputs=(run_a, run_b))
    screen = screen_of(context)
    one = opened(screen, run_a, "run", allow_infinite=allow_infinite)
    other = opened(screen, run_b, "run", allow_infinite=allow_infinite)
    found = overlap_of(one, other, p=p, k=depths, depth=depth, ties=ties)
    for path, renderer in writers:
        write(path, renderer, overlap_per_query_page(found) if path == per_query else moved_page(found))
    screen.show(overlap_page(found))
    return 0


COMMAND = overlap
