"""`irbridge project`: labels of spans become labels of chunks, of any chunking."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, judgments_option, opened, split_option
from irbridge.errors import UsageError


@command(
    "project",
    short_help="Labels of spans become labels of chunks.",
    heading="Chunks",
    exits=(
        (0, "every label was projected"),
        (1, "some labels stay as they are; the file is written"),
        (2, "the call or an input cannot be used; nothing was written"),
    ),
    examples=(
        "irbridge project --judgments spans.jsonl --corpus corpus.jsonl -o j.jsonl",
        "irbridge project --judgments s.jsonl --documents docs/ --chunker sentence/3",
        "irbridge project --judgments spans.jsonl --corpus c.jsonl --rule overlap=0.5",
    ),
)
@judgments_option()
@option("--corpus", metavar="C", section=INPUTS, help="The chunks, with start and end: corpus JSON or JSONL.")
@option(
    "--documents",
    metavar="D",
    section=INPUTS,
    help="Or the documents, to be chunked on the way: a BEIR folder, irds:ID.",
)
@option("--chunker", metavar="SPEC", section=INPUTS, help="How to chunk --documents: recursive/512/64.")
@split_option()
@option(
    "--rule", metavar="RULE", default="contains", section=OUTPUT,
    help="Which chunks take a span: contains (the default), or overlap=SHARE, those that hold at least that share of it.",
)  # fmt: skip
@option(
    "-o", "--out", metavar="OUT", default="-", section=OUTPUT,
    help="The judgments JSONL to write. Default: standard output.",
)  # fmt: skip
@click.pass_context
def project(
    context: click.Context,
    /,
    *,
    judgments: str,
    corpus: str | None,
    documents: str | None,
    chunker: str | None,
    split: str | None,
    rule: str,
    out: str,
) -> int:
    """Project labels of spans onto a chunking (spec/spans.md).

    No text is looked for: where a span and a chunk stand says all, as long as both are of one revision of the document.
    Several chunks that hold a span all get its label; of several spans of a query in one chunk the highest relevance counts,
    and the others are kept with it.
    """
    from irbridge.cli.files import check_target
    from irbridge.spans.pages import project_page
    from irbridge.spans.rules import rule_of
    from irbridge.spans.workflow import project as carried_out

    if (corpus is None) == (documents is None) or (documents is None) != (chunker is None):
        raise UsageError(
            "the chunks are named by --corpus, or by --documents and --chunker",
            hint="--documents docs/ --chunker recursive/512/64",
        )
    bound = rule_of(rule)
    if [judgments, corpus, documents].count("-") > 1:
        raise UsageError("only one input can come from standard input", hint="save the others to files")
    if chunker is not None:
        from irbridge.chunking import chunker as known

        known(chunker)
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    check_target(out, inputs=tuple(each for each in (judgments, corpus, documents) if each))
    onto = corpus if documents is None else opened(screen, documents, "documents")
    labels, done = carried_out(opened(screen, judgments, "judgments", split=split), onto, chunker, out, bound)
    screen.show(project_page(labels, done, out))
    return 1 if done.left else 0


COMMAND = project
