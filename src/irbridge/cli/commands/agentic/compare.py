"""`irbridge agentic compare`: two reports held against each other."""

from __future__ import annotations

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.lists import list_option
from irbridge.errors import UsageError


@command(
    "compare",
    short_help="What differs between two reports.",
    arguments=(("ONE", "The folder of a run, or its report.json."), ("OTHER", "Another, or the same with --adapter.")),
    exits=((0, "compared"), (2, "a report cannot be read, or they have nothing in common")),
    examples=(
        "irbridge agentic compare baseline today",
        "irbridge agentic compare baseline baseline --adapter lexical,capsule",
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

    Each difference has a 95% interval over tasks, second minus first. This decides nothing; promotion does.
    """
    from irbridge.agentic.comparing import compare as compared
    from irbridge.agentic.comparing_page import compare_page
    from irbridge.agentic.receipt_files import read_report

    if adapter is not None and len(adapter) > 2:
        raise UsageError("--adapter names one adapter, or one of each report")
    both = None if adapter is None else (adapter[0], adapter[-1])
    screen_of(context).show(compare_page(compared(read_report(one), read_report(other), both)))
    return 0


COMMAND = compare
