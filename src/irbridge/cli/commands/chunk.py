"""`irbridge chunk`: a collection's documents, cut into chunks with ids that stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, opened
from irbridge.errors import UsageError, shown
from irbridge.wording import counted

if TYPE_CHECKING:
    from irbridge.chunked import Chunked
    from irbridge.chunking import Method
    from irbridge.renderers import Page, Remark, Table


@command(
    "chunk",
    short_help="Cut a collection's documents into chunks.",
    heading="Chunks",
    arguments=(("COLLECTION", "Documents: a file or folder of any format, '-', FORMAT:path, or irds:ID."),),
    exits=((0, "written (or listed)"), (2, "nothing was written; an old file is as it was")),
    examples=(
        "irbridge chunk scifact/ --chunker recursive/512/64 --out corpus.jsonl",
        "irbridge chunk irds:beir/scifact --chunker sentence/3 --out corpus.jsonl.gz",
        "irbridge chunk notes/ --chunker markdown/800 --out corpus.json",
        "irbridge chunk --list",
    ),
)
@click.argument("collection", required=False)
@option(
    "--chunker", metavar="SPEC", section=INPUTS, help="How to cut, such as recursive/512/64; --list shows the others."
)
@option("--list", "listed", is_flag=True, section=INPUTS, help="List the chunkers and their settings, and do no more.")
@option(
    "-o", "--out", metavar="OUT", section=OUTPUT,
    help="The corpus to write: .jsonl is a chunk a line, .json one object; '-' is standard output.",
)  # fmt: skip
@option(
    "--fingerprint", metavar="NAME", section=OUTPUT,
    help="The name of this state of the corpus, which labels will carry. Default: the chunker's.",
)  # fmt: skip
@option(
    "--drop-bad-rows",
    is_flag=True,
    section=INPUTS,
    help="Leave unusable rows out, each listed, instead of refusing the input.",
)
@click.pass_context
def chunk(
    context: click.Context,
    /,
    *,
    collection: str | None,
    chunker: str | None,
    listed: bool,
    out: str | None,
    fingerprint: str | None,
    drop_bad_rows: bool,
) -> None:
    """Cut a collection's documents into chunks and write them as a corpus.

    Every chunk has an id made of its content, and says where it stands in its document: its text is what the document holds there.
    Where a document has a title, its text is the title, one space, and what follows it.
    """
    from irbridge.renderers import Page

    screen = screen_of(context)
    if listed:
        screen.show(_list())
        return
    if not collection:
        raise UsageError(
            "no collection is named", hint="irbridge chunk COLLECTION --chunker recursive/512/64 --out FILE"
        )
    for name, value in (("--chunker", chunker), ("--out", out)):
        if not value:
            raise UsageError(f"{name} is missing", hint="--chunker recursive/512/64 --out corpus.jsonl")
    from irbridge.chunked import chunk_documents
    from irbridge.chunking import chunker as bound

    by = bound(str(chunker))
    screen.data_on_stdout = out == "-"
    documents = opened(screen, str(collection), "documents", drop_bad_rows=drop_bad_rows)
    done = chunk_documents(documents, by, str(out), fingerprint=fingerprint)
    screen.show(Page(tuple(_told(done, str(out))), _as_data(done, str(out))))


def _list() -> Page:
    from irbridge.chunking import CHUNKERS
    from irbridge.renderers import Column, Page, Remark, Table

    columns = (Column("spec", "chunker"), Column("summary", "what it does", flexible=True))
    methods = list(CHUNKERS)
    missing = [_missing(method) for method in methods]
    rows = [
        (method.usage, method.summary if way is None else f"{method.summary}; not installed: {way}")
        for method, way in zip(methods, missing, strict=True)
    ]
    data = [
        {
            "name": method.name,
            "usage": method.usage,
            "example": method.example,
            "summary": method.summary,
            "installed": way is None,
            "settings": [
                {"name": setting.name, "meaning": setting.meaning, "default": setting.default}
                for setting in method.settings
            ],
        }
        for method, way in zip(methods, missing, strict=True)
    ]
    return Page((Table(columns, rows), Remark("next", ["irbridge chunk COLLECTION --chunker SPEC --out FILE"])), data)


def _missing(method: Method) -> str | None:
    """How to install the library that a method wraps, or None where that is there or none is needed."""
    from irbridge.errors import MissingDependency

    try:
        method.stamp()  # of a library's method its release
    except MissingDependency as error:
        return error.hint
    return None


def _as_data(done: Chunked, out: str) -> dict[str, object]:
    from irbridge.cli.dropped import dropped_data

    return {**done.as_dict(), "out": out, "dropped": dropped_data(done.dropped)}


def _told(done: Chunked, out: str) -> Iterator[Remark | Table]:
    from irbridge.cli.dropped import dropped_remarks
    from irbridge.renderers import Remark

    yield Remark(
        "chunks",
        [
            counted(done.documents, "document"),
            counted(done.chunks, "chunk"),
            counted(done.chunk_characters, "character"),
        ],
    )
    yield Remark("chunker", [done.chunker_fingerprint])
    if done.empty:
        ids = ", ".join(shown(each, 30) for each in done.empty_ids) + (", ..." if done.empty > 5 else "")
        what = "each is a chunk without text" if done.chunker_fingerprint.startswith("whole/") else "skipped"
        yield Remark(
            "empty", [counted(done.empty, "document without text", "documents without text"), what, ids], "warn"
        )
    yield from dropped_remarks(done.dropped)
    for note in done.notes:
        yield Remark("note", [note])
    if out != "-":
        yield Remark("wrote", [shown(out, 200)], "good")


COMMAND = chunk
