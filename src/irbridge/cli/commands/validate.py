"""`irbridge validate`: is a set of judgments sound?"""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.labels import call_of
from irbridge.cli.options import INPUTS, chunker_option, corpus_option, judgments_option, split_option
from irbridge.errors import UsageError


@command(
    "validate",
    short_help="Check judgments before trusting a number.",
    heading="Labels",
    exits=(
        (0, "no error; warnings may have been printed"),
        (1, "at least one error"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge validate --judgments judgments.jsonl",
        "irbridge validate --judgments j.jsonl --corpus c.jsonl --queries q.jsonl",
        "irbridge validate --judgments scifact --corpus scifact --queries scifact",
        "irbridge validate --judgments qrels.txt --json",
    ),
)
@judgments_option()
@split_option()
@corpus_option()
@chunker_option()
@option("--queries", metavar="Q", section=INPUTS, help="The collection's queries, to hold the labels against.")
@click.pass_context
def validate(
    context: click.Context,
    /,
    *,
    judgments: str,
    split: str | None,
    corpus: str | None,
    chunker: str | None,
    queries: str | None,
) -> int:
    """Check a set of judgments for what makes its numbers wrong.

    Labels that contradict each other, ids that are none, thin strata; with --corpus and --queries also ids that dangle,
    unjudged copies of judged documents, and queries that were copied out of the corpus. Every row is read, whatever is
    wrong with the others.
    """
    from irbridge.judgments import CHECKS
    from irbridge.judgments.validate_page import validate_page
    from irbridge.judgments.validation import validate as carried_out

    screen = screen_of(context)
    if [judgments, corpus, queries].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    if chunker is not None and corpus is None:
        raise UsageError("--chunker says how to chunk a corpus, and no --corpus is named")
    bar = screen.bar(judgments)
    found = carried_out(
        judgments,
        corpus=corpus,
        queries=queries,
        chunker=chunker,
        checks=CHECKS,
        split=split,
        progress=None if bar is None else bar.advance,
    )
    inputs = {"--judgments": judgments, "--split": split, "--corpus": corpus or "C", "--chunker": chunker}
    screen.show(validate_page(found, call_of(inputs)))
    return 0 if found.ok else 1


COMMAND = validate
