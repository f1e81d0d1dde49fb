"""`irbridge anchor`: document labels become labels of the place that they quote, where that is certain."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, judgments_option, opened, split_option
from irbridge.errors import UsageError

TARGETS = ("span", "chunk")


@command(
    "anchor",
    short_help="Document labels become span or chunk labels, if sound.",
    heading="Chunks",
    exits=(
        (0, "every label was anchored"),
        (1, "some labels stay as they are; the file is written"),
        (2, "the call or an input cannot be used; nothing was written"),
    ),
    examples=(
        "irbridge anchor --judgments j.jsonl --documents docs/ -o spans.jsonl",
        "irbridge anchor --judgments j.jsonl --documents docs/ --quote-field evidence",
        "irbridge anchor --judgments j.jsonl --documents d/ --to chunk --corpus c.jsonl",
    ),
)
@judgments_option()
@option(
    "--documents", metavar="D", required=True, section=INPUTS,
    help="The documents that the labels are about: a BEIR folder, irds:ID, a folder of Markdown or text files.",
)  # fmt: skip
@split_option()
@option(
    "--quote-field", "quote_fields", metavar="NAME", multiple=True, section=INPUTS,
    help="A field of the labels that quotes the document: a text, or a list of texts. Default: chunk_text.",
)  # fmt: skip
@option(
    "--to", type=click.Choice(TARGETS), default="span", section=OUTPUT,
    help="What labels become: of a span (the default), or of the chunks that hold it whole.",
)  # fmt: skip
@option("--corpus", metavar="C", section=INPUTS, help="The chunks for --to chunk, with start and end: corpus JSON(L).")
@option(
    "--chunker",
    metavar="SPEC",
    section=INPUTS,
    help="Or chunk --documents on the way for --to chunk: recursive/512/64.",
)
@option(
    "-o", "--out", metavar="OUT", default="-", section=OUTPUT,
    help="The judgments JSONL to write. Default: standard output.",
)  # fmt: skip
@click.pass_context
def anchor(
    context: click.Context,
    /,
    *,
    judgments: str,
    documents: str,
    split: str | None,
    quote_fields: tuple[str, ...],
    to: str,
    corpus: str | None,
    chunker: str | None,
    out: str,
) -> int:
    """Anchor labels at the text that they are about (spec/spans.md).

    A label is anchored by a span that it has already, or by quotes that stand in its document exactly once; white space
    and Unicode's spelling of a character do not matter. Every other label stays as it is and is listed with the reason.
    """
    from irbridge.cli.files import check_target
    from irbridge.spans.pages import anchor_page
    from irbridge.spans.workflow import anchor as carried_out

    to_chunks = to == "chunk"
    if to_chunks != (corpus is not None or chunker is not None) or (corpus is not None and chunker is not None):
        raise UsageError(
            "--to chunk takes either --corpus or --chunker, and nothing else takes them",
            hint="--to chunk --chunker recursive/512/64",
        )
    if [judgments, documents, corpus].count("-") > 1:
        raise UsageError("only one input can come from standard input", hint="save the others to files")
    if chunker is not None:
        from irbridge.chunking import chunker as bound

        bound(chunker)
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    check_target(out, inputs=(judgments, documents, *([corpus] if corpus else [])))
    done = carried_out(
        opened(screen, judgments, "judgments", split=split), opened(screen, documents, "documents"), out,
        quote_fields=quote_fields, onto=corpus, by=chunker, to_chunks=to_chunks,
    )  # fmt: skip
    screen.show(anchor_page(done, out))
    return 1 if done.spans.left or (done.chunks is not None and done.chunks.left) else 0


COMMAND = anchor
