"""`irbridge agentic compare`: two reports, adapters or agents held against each other."""

from __future__ import annotations

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.lists import list_option
from irbridge.errors import UsageError


@command(
    "compare",
    short_help="What differs between two reports, adapters or agents.",
    arguments=(("ONE", "The folder of a run, a report, or '-'."), ("OTHER", "Another, or the same with --adapter.")),
    exits=((0, "compared"), (2, "a report cannot be read, they have nothing in common, or they are of other tasks")),
    examples=(
        "irbridge agentic compare baseline today",
        "irbridge agentic compare baseline baseline --adapter lexical,capsule",
        "irbridge agentic compare by-fixture-agent by-my-agent --adapter lexical",
    ),
)
@click.argument("one")
@click.argument("other")
@list_option(
    "--adapter",
    metavar="A[,B]",
    help="This adapter; or A of the first and B of the second. Default: each that both have.",
)
@click.pass_context
def compare(context: click.Context, /, *, one: str, other: str, adapter: tuple[str, ...] | None) -> int:
    """Compare two reports on the pairs that both have: the same task, trial, lifecycle, seed and agent.

    Reports of two agents are paired by task and lifecycle, their trials in the order of the seeds. The change is second minus
    first, with a 95% interval over tasks unless all of them say the same; "unclear" is a change whose interval holds 0.
    This decides nothing; promotion (run --baseline A --candidate B) does.
    """
    from irbridge.agentic.comparing import compare as compared
    from irbridge.agentic.comparing_page import compare_page
    from irbridge.agentic.lanes import both as paired
    from irbridge.agentic.receipt_files import named, read_report

    if adapter is not None and len(adapter) > 2:
        raise UsageError("--adapter names one adapter, or one of each report")
    if one == other == "-":
        raise UsageError("ONE and OTHER cannot both come from standard input", hint="save one of them to a file")
    both = None if adapter is None else (adapter[0], adapter[-1])
    reports = [read_report(path) for path in (one, other)]
    for path, report in zip((one, other), reports, strict=True):
        with named(path):
            paired(report.receipts, report.scores)
    screen_of(context).show(compare_page(compared(reports[0], reports[1], both)))
    return 0


COMMAND = compare
