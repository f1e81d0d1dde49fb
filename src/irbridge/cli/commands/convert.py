"""`irbridge convert`: judgments, runs and collections from one format to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.dropped import dropped_data, dropped_remarks
from irbridge.cli.options import INPUTS, OUTPUT
from irbridge.conventions import ORDERS
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from irbridge.counted import Outcome
    from irbridge.formats import Format, Part
    from irbridge.renderers import Remark, Table

CARE = "What may be lost or left out"


@command(
    "convert",
    short_help="Convert judgments, a run or a collection.",
    heading="Collections",
    arguments=(("SOURCE", "A file or folder of any format, '-', FORMAT:path, or irds:ID."),),
    exits=((0, "converted"), (2, "nothing was written; an old file is as it was")),
    examples=(
        "irbridge convert qrels.txt -o judgments.jsonl",
        "irbridge convert judgments.jsonl --to qrels --sidecar rest.jsonl -o qrels.txt",
        "irbridge convert qrels.txt --to judgments --sidecar rest.jsonl -o j.jsonl",
        "irbridge convert irds:beir/scifact/test --to beir -o scifact",
        "irbridge convert --run hits.jsonl --to trec-run > hits.run",
        "irbridge convert broken.run --to trec-run --drop-bad-rows -o clean.run",
    ),
)
@click.argument("source", required=False)
@option(
    "--to",
    "target",
    metavar="FORMAT",
    section=OUTPUT,
    help="The format to write; irbridge formats lists them. Default: what OUT's suffix stands for.",
)
@option("-o", "--out", metavar="OUT", section=OUTPUT, help="The file or folder to write. Default: standard output.")
@option("--force", is_flag=True, section=OUTPUT, help="Replace a folder that is there already.")
@option("--judgments", metavar="J", section=INPUTS, help="The source, read as judgments.")
@option("--run", metavar="R", section=INPUTS, help="The source, read as a run.")
@option("--qrels", metavar="Q", section=INPUTS, help="The source, read as judgments; the same as --judgments.")
@option(
    "--from", "source_format", metavar="FORMAT", section=INPUTS, help="The source's format, instead of recognising it."
)
@option("--split", metavar="NAME", section=INPUTS, help="One split of a collection. Default: all.")
@option("--strict", is_flag=True, section=CARE, help="Refuse, and write nothing, if anything would be lost.")
@option(
    "--sidecar", metavar="FILE", section=CARE,
    help="Keep what qrels cannot hold in FILE; named again on the way back, it restores the judgments.",
)  # fmt: skip
@option(
    "--drop-bad-rows",
    is_flag=True,
    section=CARE,
    help="Leave unusable rows out, each reported, instead of refusing the input.",
)
@option(
    "--order", type=click.Choice(ORDERS), section=CARE,
    help="Which column rules where a run's ranks contradict its scores.",
)  # fmt: skip
@option(
    "--as-chunk-ids",
    is_flag=True,
    section=CARE,
    help="Document ids that are chunk ids become chunk_id of the judgments.",
)
@option("--allow-infinite", is_flag=True, section=CARE, help="Accept infinite scores.")
@click.pass_context
def convert(
    context: click.Context,
    /,
    *,
    source: str | None,
    target: str | None,
    out: str | None,
    force: bool,
    judgments: str | None,
    run: str | None,
    qrels: str | None,
    source_format: str | None,
    split: str | None,
    strict: bool,
    sidecar: str | None,
    drop_bad_rows: bool,
    order: str | None,
    as_chunk_ids: bool,
    allow_infinite: bool,
) -> None:
    """Convert judgments, a run or a collection to another format.

    Rows in and rows out are counted: labels of judgments, documents of rankings. What the target cannot hold is said and counted too; the rest is converted, unless
    --strict refuses.
    """
    from irbridge.convert import convert as carried_out
    from irbridge.inputs import at_hand

    what, part = _source(source, judgments, run, qrels)
    opened = at_hand(what)
    form = _target(target, out, opened, part, source_format)
    if form.shape == "object":
        raise UsageError(
            f"{form.name} is an object in memory", hint=f"in Python: irbridge.convert({what!r}, {form.name!r}).result"
        )
    if out is None:
        if form.write_folder is not None:
            raise UsageError(f"{form.name} is written to a folder or file of its own", hint="name it with -o")
        out = "-"
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    bar = screen.bar(what)
    outcome = carried_out(
        opened,
        form.name,
        out,
        part=part,
        source_format=source_format,
        split=split,
        strict=strict,
        sidecar=sidecar,
        as_chunk_ids=as_chunk_ids,
        order=order,
        drop_bad_rows=drop_bad_rows,
        allow_infinite=allow_infinite,
        force=force,
        watch=None if bar is None else bar.advance,
    )
    from irbridge.renderers import Page

    screen.show(Page(tuple(_told(outcome, out)), _as_data(outcome, out)))


def _source(source: str | None, judgments: str | None, run: str | None, qrels: str | None) -> tuple[str, Part | None]:
    """The one source and how it is to be read."""
    named: tuple[tuple[str | None, Part | None], ...] = (
        (source, None), (judgments, "judgments"), (run, "run"), (qrels, "judgments"),
    )  # fmt: skip
    given = [(what, part) for what, part in named if what is not None]
    if len(given) != 1:
        found = "none" if not given else str(len(given))
        raise UsageError(
            f"one source is needed, {found} is named",
            hint="irbridge convert SOURCE --to FORMAT, or one of --judgments, --run, --qrels",
        )
    return given[0]


def _target(name: str | None, out: str | None, what: Any, part: Part | None, source_format: str | None) -> Format:
    """The format to write: the one named, else what the suffix of the output stands for."""
    from irbridge.cli.targets import target_by_suffix
    from irbridge.convert import part_of_source
    from irbridge.formats import FORMATS

    if name is not None:
        return FORMATS.get(name)
    if out is None or out == "-":
        raise UsageError("the format to write is not named", hint="name it with --to, or a file with -o FILE")
    return target_by_suffix(out, part or part_of_source(what, source_format))


def _as_data(outcome: Outcome, out: str) -> dict[str, object]:
    return {
        "source": outcome.source,
        "target": outcome.target,
        "out": out,
        "rows_in": dict(outcome.rows_in),
        "rows_out": dict(outcome.rows_out),
        "losses": dict(outcome.losses),
        "notes": list(outcome.notes),
        "dropped": dropped_data(outcome.dropped),
    }


def _told(outcome: Outcome, out: str) -> Iterator[Remark | Table]:
    from irbridge.renderers import Remark, counted

    said: list[str] = []
    for part in dict.fromkeys([*outcome.rows_in, *outcome.rows_out]):
        rows_in, rows_out = outcome.rows_in.get(part), outcome.rows_out.get(part)
        known = [f"{rows:,} {word}" for rows, word in ((rows_in, "in"), (rows_out, "out")) if rows is not None]
        said.append(f"{part} {', '.join(known)}")
    yield Remark("rows", [f"{outcome.source} to {outcome.target}", *said])
    for what, count in outcome.losses.items():
        yield Remark("lost", [f"{what}: {counted(count, 'row')}"], "warn")
    yield from dropped_remarks(outcome.dropped)
    for note in outcome.notes:
        yield Remark("note", [note])
    if out != "-":
        yield Remark("wrote", [out], "good")


COMMAND = convert
