"""`irbridge datasets`: the public collections that can be loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, screen_of

if TYPE_CHECKING:
    from irbridge.renderers import Page


@command(
    "datasets",
    short_help="List the public collections that can be loaded.",
    arguments=(("WORD", "Only collections with this word in their id, title or description."),),
    exits=((0, "listed"), (1, "none has the word")),
    examples=("irbridge datasets scifact", "irbridge datasets beir", "irbridge --json datasets > all.json"),
)
@click.argument("word", required=False)
@click.pass_context
def datasets(context: click.Context, word: str | None) -> int:
    """List the collections of ir_datasets by id, with how much they hold; no network is asked."""
    from irbridge.load import datasets as listed

    found = listed(word)
    screen_of(context).show(_page([entry._asdict() for entry in found], word))
    return 0 if found else 1


def _page(entries: list[dict[str, object]], word: str | None) -> Page:
    from irbridge.renderers import Column, Page, Remark, Table, counted

    columns = (
        Column("id", "id"),
        Column("judgments", "judgments"),
        Column("queries", "queries"),
        Column("documents", "documents"),
        Column("language", "language", optional=True),
        Column("title", "title", flexible=True, optional=True),
    )
    if not entries:
        return Page((Remark("none", [f"no collection has '{word}' in its id, title or description"], "warn"),), [])
    rows = [tuple(_cell(entry[column.key]) for column in columns) for entry in entries]
    said = [counted(len(entries), "collection"), "irbridge load ID --out DIR loads one"]
    if word is None:
        said.insert(1, "irbridge datasets WORD lists fewer")
    data = [{**entry, "contents": list(entry["contents"])} for entry in entries]  # type: ignore[call-overload]
    return Page((Table(columns, rows), Remark("next", said)), data)


def _cell(value: object) -> str | int:
    return value if isinstance(value, str | int) else ""


COMMAND = datasets
