"""`irbridge formats`: what can be read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, get_args

import click

from irbridge.cli.command import command, screen_of

if TYPE_CHECKING:
    from irbridge.formats import Format, Part
    from irbridge.renderers import Page


@command(
    "formats",
    short_help="List the formats, or explain one.",
    heading="Collections",
    arguments=(("NAME", "A format's name."),),
    examples=("irbridge formats", "irbridge formats trec-qrels", "irbridge --json formats"),
)
@click.argument("name", required=False)
@click.pass_context
def formats(context: click.Context, name: str | None) -> None:
    """List the formats that are read and written, or explain one.

    Inputs are recognised by their content. Where that does not do, FORMAT:path names the format.
    """
    screen_of(context).show(_list() if name is None else _detail(name))


def _reads(entry: Format) -> list[str]:
    from irbridge.formats import Part

    return [part for part in get_args(Part) if entry.reader(part) is not None]


def _writes(entry: Format) -> list[str]:
    if entry.to_object is not None:
        return ["an object in memory"]
    parts = (("judgments", entry.write_judgments), ("run", entry.write_run), ("folder", entry.write_folder))
    return [part for part, writer in parts if writer is not None]


def _access(entry: Format, part: Part) -> str:
    """`r` for read, `w` for written; a folder is written with all that the format can read."""
    writer = (
        {"judgments": entry.write_judgments, "run": entry.write_run}.get(part) or entry.write_folder or entry.to_object
    )
    read = entry.reader(part) is not None
    return ("r" if read else "") + ("w" if read and writer is not None else "")


def _as_data(entry: Format) -> dict[str, Any]:
    return {
        "name": entry.name,
        "aliases": list(entry.aliases),
        "shape": entry.shape,
        "summary": entry.summary,
        "reads": _reads(entry),
        "writes": _writes(entry),
        "keeps": sorted(entry.keeps),
        "keeps_unknown": entry.keeps_unknown,
        "suffix": entry.suffix or None,
        "endings": list(entry.endings),
        "required": list(entry.required),
        "example": entry.example or None,
        "extra": entry.extra,
    }


def _list() -> Page:
    from irbridge.formats import FORMATS, Part
    from irbridge.renderers import Column, Page, Remark, Table

    entries = sorted(FORMATS, key=lambda entry: (entry.shape == "object", entry.name))
    rows = [(entry.name, *(_access(entry, part) for part in get_args(Part)), entry.summary) for entry in entries]
    columns = (
        Column("format", "format"),
        *(Column(part, part) for part in get_args(Part)),
        Column("summary", "what it is", flexible=True),
    )
    remarks = [
        Remark("key", ["r read", "w written", "the last ones are objects in memory, for Python"]),
        Remark("next", ["irbridge formats NAME explains one", "irbridge convert SOURCE --to FORMAT writes one"]),
        *(Remark("broken", [f"{origin}: {why}"], "bad") for origin, why in FORMATS.broken.items()),
    ]
    return Page((Table(columns, rows), *remarks), [_as_data(entry) for entry in entries])


def _detail(name: str) -> Page:
    from irbridge.formats import FORMATS
    from irbridge.renderers import Page, Remark

    entry = FORMATS.get(name)
    said = [
        (entry.name, [entry.summary]),
        ("aliases", list(entry.aliases)),
        ("shape", [cast("str", entry.shape)]),
        ("reads", _reads(entry)),
        ("writes", _writes(entry)),
        ("keeps", [*sorted(entry.keeps), *(["unknown fields"] if entry.keeps_unknown else [])]),
        ("suffix", [entry.suffix] if entry.suffix else []),
        ("files", list(entry.endings)),
        ("required", list(entry.required)),
        ("example", [entry.example] if entry.example else []),
        ("needs", [f"pip install 'irbridge[{entry.extra}]'"] if entry.extra else []),
    ]
    return Page(tuple(Remark(label, parts) for label, parts in said if parts), _as_data(entry))


COMMAND = formats
