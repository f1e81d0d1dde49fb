"""`irbridge qrels diff`: what sets two sets of judgments apart."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import split_option


@command(
    "diff",
    short_help="Labels added, removed and regraded.",
    arguments=(("ONE", "Judgments of any format."), ("OTHER", "Judgments of any format, not necessarily the same.")),
    exits=((0, "nothing differs"), (1, "something differs"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge qrels diff old.qrels new.qrels",
        "irbridge qrels diff old.jsonl new.jsonl --fields --json",
        "irbridge qrels diff irds:cord19/trec-covid/round4 round5.txt",
    ),
)
@click.argument("one")
@click.argument("other")
@split_option()
@option("--fields", is_flag=True, help="Compare also the other fields that both formats can hold.")
@click.pass_context
def diff(context: click.Context, /, *, one: str, other: str, split: str | None, fields: bool) -> int:
    """Compare two sets of judgments, label by label.

    A label is a query and a chunk or document; the order of the rows does not matter.
    """
    from irbridge.errors import UsageError
    from irbridge.judgments.difference import diff as carried_out
    from irbridge.judgments.qrels_pages import diff_page

    if one == other == "-":
        raise UsageError("both sets cannot come from standard input", hint="save one of them to a file")
    found = carried_out(one, other, fields=fields, split=split)
    screen_of(context).show(diff_page(found))
    return 0 if found.empty else 1


COMMAND = diff
