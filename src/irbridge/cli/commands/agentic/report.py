"""`irbridge agentic report`: the page of a report."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of


@command(
    "report",
    short_help="Show a report.",
    arguments=(("DIR", "The folder of a run, a report, or '-'."),),
    exits=((0, "shown"), (2, "there is no report, or it cannot be read")),
    examples=("irbridge agentic report baseline", "irbridge agentic report baseline --all"),
)
@click.argument("folder", metavar="DIR")
@option("--all", "whole", is_flag=True, help="List every failure, not the first few.")
@click.pass_context
def report(context: click.Context, /, *, folder: str, whole: bool) -> int:
    """Show what a run came to: one row for each adapter and lifecycle, what failed and why, and the promotion."""
    from irbridge.agentic.page import report_page
    from irbridge.agentic.receipt_files import named, read_report

    with named(folder):
        page = report_page(read_report(folder), whole=whole)
    screen_of(context).show(page)
    return 0


COMMAND = report
