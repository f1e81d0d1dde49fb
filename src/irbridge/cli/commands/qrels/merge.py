"""`irbridge qrels merge`: two changed versions of one set put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import OUTPUT
from irbridge.errors import UsageError, shown

if TYPE_CHECKING:
    from irbridge.judgments.merging import Prefer

PREFERENCES = ("ours", "theirs", "max", "min")


@command(
    "merge",
    short_help="Put two changed versions together.",
    arguments=(
        ("BASE", "The judgments that both versions started from."),
        ("OURS", "One changed version; its order is kept."),
        ("THEIRS", "The other changed version."),
    ),
    exits=(
        (0, "merged and written"),
        (1, "conflicts, and nothing was written"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge qrels merge base.jsonl ours.jsonl theirs.jsonl -o merged.jsonl",
        "irbridge qrels merge a.qrels b.qrels c.qrels --prefer max -o d.qrels",
    ),
)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs")
@option(
    "-o", "--out", "out", required=True, metavar="OUT", section=OUTPUT, help="The file to write; '-': standard output."
)
@option("--to", "target", metavar="FORMAT", section=OUTPUT, help="The format to write. Default: that of OURS.")
@option(
    "--prefer",
    type=click.Choice(PREFERENCES),
    help="Settle conflicts: by a side, or grades by the higher or the lower one.",
)
@click.pass_context
def merge(
    context: click.Context, /, *, base: str, ours: str, theirs: str, out: str, target: str | None, prefer: str | None
) -> int:
    """Merge two changed versions of a set of judgments.

    What one side changed and the other left alone is taken. What both changed in two ways is a conflict: it is listed, and
    nothing is written unless --prefer settles all of them. A grade always comes with the one who gave it.
    """
    from irbridge.convert import convert
    from irbridge.judgments.merging import merge as carried_out
    from irbridge.judgments.qrels_pages import merge_page
    from irbridge.judgments.tables import labels_in
    from irbridge.renderers import Remark

    if [base, ours, theirs].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    told = [labels_in(what) for what in (base, ours, theirs)]
    written_as = target or told[1].source.format.name
    found = carried_out(told[0].labels, told[1].labels, told[2].labels, cast("Prefer | None", prefer))
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    if found.conflicts:
        screen.data_on_stdout = False
        screen.show(merge_page(found, None))
        return 1
    if not found.labels:
        raise UsageError("both sides together removed every label", hint="an empty set is no judgments file")
    try:
        outcome = convert(list(found.labels), written_as, out, part="judgments")
    except UsageError as error:
        error.hint = error.hint or f"--to says another format than {shown(written_as)}"
        raise
    page = merge_page(found, out)
    lost = [Remark("lost", [f"{what}: {counted:,} rows"], "warn") for what, counted in outcome.losses.items()]
    screen.show(page._replace(blocks=(*page.blocks, *lost), data={**page.data, "losses": dict(outcome.losses)}))
    return 0


COMMAND = merge
