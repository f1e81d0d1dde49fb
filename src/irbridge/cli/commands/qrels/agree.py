"""`irbridge qrels agree`: how far annotators agree beyond chance."""

from __future__ import annotations

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.options import split_option


@command(
    "agree",
    short_help="How far annotators agree beyond chance.",
    arguments=(("JUDGMENTS", "One file whose labels say labeled_by, or a file for each annotator."),),
    exits=((0, "measured"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge qrels agree ana.qrels ben.qrels",
        "irbridge qrels agree judgments.jsonl --json",
    ),
)
@click.argument("judgments", nargs=-1, required=True)
@split_option()
@click.pass_context
def agree(context: click.Context, /, *, judgments: tuple[str, ...], split: str | None) -> int:
    """Measure the agreement of annotators.

    Of every two: the share of equal grades, Cohen's kappa, and kappa weighted by the distance of the grades or its square.
    Of all together: Krippendorff's alpha for grades that are names, ranks or numbers. Where only one grade was given
    nobody can tell agreement from chance, and no number is given.
    """
    from irbridge.errors import UsageError
    from irbridge.judgments.agreement import agree as carried_out
    from irbridge.judgments.qrels_pages import agree_page

    if judgments.count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    screen_of(context).show(agree_page(carried_out(judgments, split=split)))
    return 0


COMMAND = agree
