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
    heading="Collections",
    arguments=(("WORD", "Only collections with all these words in their id, title or description."),),
    exits=((0, "listed"), (1, "none has the words")),
    examples=(
        "irbridge datasets scifact",
        "irbridge datasets beir",
        "irbridge datasets msmarco passage dev",
        "irbridge --json datasets > all.json",
    ),
)
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.pass_context
def datasets(context: click.Context, words: tuple[str, ...]) -> int:
    """List the collections of ir_datasets by id, with how much they hold; no network is asked."""
    from irbridge.load import datasets as listed

    found = listed(*words)
    screen_of(context).show(_page([entry._asdict() for entry in found], words))
    return 0 if found else 1


def _page(entries: list[dict[str, object]], words: tuple[str, ...]) -> Page:
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
        asked = " and ".join(f"'{word}'" for word in words)
        return Page((Remark("none", [f"no collection has {asked} in its id, title or description"], "warn"),), [])
    rows = [tuple(_cell(entry[column.key]) for column in columns) for entry in entries]
    said = [counted(len(entries), "collection"), "irbridge load ID --out DIR loads one"]
    if not words:
        said.insert(1, "irbridge datasets WORD lists fewer")
    data = [{**entry, "contents": list(entry["contents"])} for entry in entries]  # type: ignore[call-overload]
    return Page((Table(columns, rows), Remark("next", said)), data)


def _cell(value: object) -> str | int:
    return value if isinstance(value, str | int) else ""


COMMAND = datasets
