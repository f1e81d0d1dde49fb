"""`irbridge load`: a public collection as a folder of judgments, queries and documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT

if TYPE_CHECKING:
    from irbridge.manifest import Manifest
    from irbridge.renderers import Remark


@command(
    "load",
    short_help="Load a public collection as judgments, queries, documents.",
    heading="Collections",
    arguments=(("ID", "An id of ir_datasets (irds: may be left out), a BEIR folder, or other judgments."),),
    exits=((0, "loaded"), (2, "nothing was written")),
    examples=(
        "irbridge load beir/scifact/test --out scifact",
        "irbridge load irds:msmarco-passage/dev/small --without-documents --out dev",
        "irbridge load ./my-beir-folder --split dev --out dev",
    ),
)
@click.argument("collection", metavar="ID")
@option(
    "-o",
    "--out",
    metavar="DIR",
    required=True,
    section=OUTPUT,
    help="The folder to write; it must not exist, or be empty.",
)
@option("--force", is_flag=True, section=OUTPUT, help="Replace a folder that irbridge load has written.")
@option("--without-documents", is_flag=True, section=OUTPUT, help="Leave the documents out.")
@option("--without-queries", is_flag=True, section=OUTPUT, help="Leave the queries out.")
@option("--split", metavar="NAME", section=INPUTS, help="The split of a collection that has several.")
@click.pass_context
def load(
    context: click.Context,
    /,
    *,
    collection: str,
    out: str,
    force: bool,
    without_documents: bool,
    without_queries: bool,
    split: str | None,
) -> None:
    """Load a collection into a folder of its own.

    The folder holds judgments.jsonl, queries.jsonl, corpus.jsonl, and manifest.json: where they come from, their digests,
    what each grade means, the official measures. It stands wherever a command takes judgments.
    """
    from irbridge.load import load_collection
    from irbridge.renderers import Page

    screen = screen_of(context)
    bar = screen.bar(collection, unit="rows")
    manifest = load_collection(
        _named(collection),
        out,
        split=split,
        without_documents=without_documents,
        without_queries=without_queries,
        force=force,
        progress=None if bar is None else bar.reach,
    )
    screen.show(Page(tuple(_told(manifest, out)), {"out": out, **manifest.to_json()}))


def _named(collection: str) -> str:
    """The id with its prefix, unless it is or looks like a path, or names its format already."""
    from irbridge.formats import FORMATS

    prefix = collection.split(":", 1)[0]
    looks_like_a_path = collection.startswith((".", "/", "~")) or os.path.splitext(collection)[1][1:].isalpha()
    if (
        collection == "-"
        or os.path.exists(collection)
        or looks_like_a_path
        or (":" in collection and FORMATS.find(prefix) is not None)
    ):
        return collection
    return f"irds:{collection}"


def _told(manifest: Manifest, out: str) -> Iterator[Remark]:
    from irbridge.renderers import Remark, counted
    from irbridge.wording import shell_word

    names = {"judgments": ("label", "labels"), "queries": ("query", "queries"), "documents": ("document", "documents")}
    rows = [counted(found.rows, *names.get(part, ("row", f"rows of {part}"))) for part, found in manifest.parts.items()]
    judged = manifest.judged_queries
    if judged is not None and judged != getattr(manifest.parts.get("queries"), "rows", None):
        rows.append(f"{counted(judged, 'query', 'queries')} judged")
    source = manifest.source
    provider = f" ({source['provider']} {source['version']})" if "provider" in source else ""
    yield Remark("loaded", [*rows, f"{source['name']}{provider}"])
    grades = [
        f"{grade} {manifest.levels.get(grade, '')}".rstrip() + f": {count:,}"
        for grade, count in sorted(manifest.grades.items())
    ]
    yield Remark("relevance", grades)
    if manifest.official_measures:
        yield Remark("usual measures", [" ".join(manifest.official_measures)])
    if manifest.licence:
        yield Remark("licence", [manifest.licence])
    for note in manifest.notes:
        yield Remark("note", [note], "warn")
    files = [os.path.join(out, found.file) for found in manifest.parts.values()]
    yield Remark("wrote", [*files, os.path.join(out, "manifest.json")], "good")
    asked = " ".join(manifest.official_measures) or "nDCG@10"
    quoted = f"'{asked}'" if any(sign in asked for sign in " ()") else asked
    yield Remark("next", [f"irbridge score --judgments {shell_word(out)} --run YOUR.run -m {quoted}"])


COMMAND = load
