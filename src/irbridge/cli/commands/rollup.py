"""`irbridge rollup`: a run over chunks becomes a run over documents."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, opened
from irbridge.errors import UsageError


@command(
    "rollup",
    short_help="A run over chunks becomes a run over documents.",
    heading="Chunks",
    arguments=(("RUN", "A run over chunks: a file of any format, or '-'."),),
    exits=((0, "written"), (2, "nothing was written; an old file is as it was")),
    examples=(
        "irbridge rollup chunks.run --corpus corpus.jsonl -o documents.run.jsonl",
        "irbridge rollup chunks.run --corpus corpus.jsonl --by mean/3 --to trec-run",
        "irbridge rollup hits.jsonl --corpus corpus.jsonl --by first --drop-unknown",
    ),
)
@click.argument("run")
@option(
    "--corpus",
    metavar="C",
    required=True,
    section=INPUTS,
    help="The chunks that the run was made on: corpus JSON or JSONL.",
)
@option(
    "--by", metavar="WAY", default="max", section=OUTPUT,
    help="How a document gets its score: max (the default) or sum of its chunks' scores, mean/K of the best K of them, or "
    "first: the place of its best chunk, all that a run without scores has.",
)  # fmt: skip
@option("--drop-unknown", is_flag=True, section=INPUTS, help="Leave out rows of chunks that are not in C, counted.")
@option("--allow-infinite", is_flag=True, section=INPUTS, help="Accept infinite scores.")
@option(
    "--to", "target", metavar="FORMAT", section=OUTPUT,
    help="The format to write. Default: what OUT's suffix stands for, on standard output that of RUN.",
)  # fmt: skip
@option("-o", "--out", metavar="OUT", default="-", section=OUTPUT, help="The run to write. Default: standard output.")
@click.pass_context
def rollup(
    context: click.Context,
    /,
    *,
    run: str,
    corpus: str,
    by: str,
    drop_unknown: bool,
    allow_infinite: bool,
    target: str | None,
    out: str,
) -> None:
    """Make a run over documents of a run over chunks, to score it on labels of documents (spec/spans.md).

    Documents of equal score stand in the order of their best chunks; a chunk that stands in a ranking twice counts once.
    """
    from irbridge.cli.files import check_target
    from irbridge.cli.targets import target_by_suffix
    from irbridge.formats import FORMATS
    from irbridge.runfile import write_run
    from irbridge.spans.pages import rollup_page
    from irbridge.spans.rolling import rolled_up, way_of

    way = way_of(by)
    if run == corpus == "-":
        raise UsageError("only one input can come from standard input", hint="save the other to a file")
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    check_target(out, inputs=(run, corpus))
    source = opened(screen, run, "run", allow_infinite=allow_infinite)
    form = FORMATS.get(target) if target else source.format if out == "-" else target_by_suffix(out, "run")
    found = rolled_up(source, corpus, way, drop_unknown=drop_unknown)
    losses = write_run(found, form, out)
    screen.show(rollup_page(found, losses, form.name, out))


COMMAND = rollup
