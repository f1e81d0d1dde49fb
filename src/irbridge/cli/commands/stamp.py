"""`irbridge stamp`: chunks of your own chunker get content-addressed ids."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import OUTPUT


@command(
    "stamp",
    short_help="Give chunks of your own chunker their ids.",
    heading="Chunks",
    arguments=(("ROWS", "JSON Lines with doc_uri, text, doc_revision and perhaps ordinal; '-': standard input."),),
    exits=((0, "stamped"), (2, "nothing was written; an old file is as it was")),
    examples=(
        "irbridge stamp my-chunks.jsonl --fingerprint my-splitter/512 -o corpus.jsonl",
        "irbridge stamp rows.jsonl --fingerprint mine/1 --revision v7 > corpus.jsonl",
    ),
)
@click.argument("rows")
@option("--fingerprint", metavar="TEXT", required=True, help="Names your chunker and its settings; part of every id.")
@option("--revision", metavar="TEXT", help="The revision of documents whose rows do not say it.")
@option("--corpus-fingerprint", metavar="TEXT", help="The name of this state of the corpus. Default: the chunker's.")
@option(
    "-o", "--out", metavar="OUT", default="-", section=OUTPUT, help="The corpus to write. Default: standard output."
)
@click.pass_context
def stamp(
    context: click.Context,
    /,
    *,
    rows: str,
    fingerprint: str,
    revision: str | None,
    corpus_fingerprint: str | None,
    out: str,
) -> None:
    """Name chunks by what they hold (spec/chunk-id.md), so that labels made on them can be followed by drift.

    The text of each row is taken as it is; rows keep their other members.
    """
    from irbridge.atomic import atomic_write
    from irbridge.cli.files import check_target
    from irbridge.formats import FORMATS
    from irbridge.reading import Reading
    from irbridge.renderers import Page, Remark, counted
    from irbridge.source import Source
    from irbridge.stamping import stamped

    screen = screen_of(context)
    check_target(out, inputs=(rows,))
    screen.data_on_stdout = out == "-"
    source = Source(rows)
    bar = screen.bar(rows, source.size)
    source.watch = None if bar is None else bar.advance
    reading = Reading(label=source.label)
    about = {"corpus_fingerprint": corpus_fingerprint or fingerprint, "chunker_fingerprint": fingerprint}
    entry = FORMATS.get("corpus" if Source(out).name.lower().endswith(".json") else "corpus-jsonl")
    if entry.write_chunks is not None:
        with atomic_write(out) as stream:
            entry.write_chunks(stamped(source, reading, fingerprint, revision), stream, about)
    data = {"chunks": reading.rows, **about, "out": out}
    if out != "-" or screen.json:
        screen.show(Page((Remark("stamped", [counted(reading.rows, "chunk"), out]),), data))


COMMAND = stamp
