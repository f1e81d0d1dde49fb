"""`irbridge qrels merge`: two changed versions of one set put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import OUTPUT
from irbridge.errors import UsageError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irbridge.judgments.merging import Merged, Prefer
    from irbridge.judgments.tables import Told
    from irbridge.model import Judgment

PREFERENCES = ("ours", "theirs", "max", "min")


@command(
    "merge",
    short_help="Put two changed versions together.",
    arguments=(
        ("BASE", "What both versions started from; left out, the two sets are put together as they are."),
        ("OURS", "One changed version; its order is kept."),
        ("THEIRS", "The other changed version."),
    ),
    exits=(
        (0, "merged and written"),
        (1, "conflicts, or no label is left, and nothing was written"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge qrels merge base.jsonl ours.jsonl theirs.jsonl -o merged.jsonl",
        "irbridge qrels merge ana.jsonl ben.jsonl -o both.jsonl",
        "irbridge qrels merge a.qrels b.qrels c.qrels --prefer max -o d.qrels",
    ),
)
@click.argument("base")
@click.argument("ours")
@click.argument("theirs", required=False)
@option(
    "-o", "--out", "out", required=True, metavar="OUT", section=OUTPUT, help="The file to write; '-': standard output."
)
@option(
    "--to",
    "target",
    metavar="FORMAT",
    section=OUTPUT,
    help="The format to write. Default: by the suffix of OUT, else that of OURS.",
)
@option(
    "--prefer",
    type=click.Choice(PREFERENCES),
    help="Settle conflicts: by a side, or grades by the higher or the lower one.",
)
@click.pass_context
def merge(
    context: click.Context,
    /,
    *,
    base: str,
    ours: str,
    theirs: str | None,
    out: str,
    target: str | None,
    prefer: str | None,
) -> int:
    """Merge two changed versions of a set of judgments.

    What one side changed and the other left alone is taken. What both changed in two ways is a conflict: it is listed, and
    nothing is written unless --prefer settles all of them. A grade always comes with the one who gave it. Without BASE nothing
    counts as removed: what only one side has is taken, and of two equal grades ours.
    """
    from irbridge.judgments.merging import filled
    from irbridge.judgments.merging import merge as carried_out
    from irbridge.judgments.qrels_pages import merge_page
    from irbridge.judgments.tables import labels_in
    from irbridge.renderers import Remark

    if [base, ours, theirs].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    *start, our, their = [labels_in(what) for what in (base, ours, theirs) if what is not None]
    origin = start[0].labels if start else None
    our_labels, their_labels = (
        filled(told.labels, origin or {}, told.source.format.keeps, keeps_unknown=told.source.format.keeps_unknown)
        for told in (our, their)
    )
    found = carried_out(origin, our_labels, their_labels, cast("Prefer | None", prefer))
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    if found.conflicts:
        screen.data_on_stdout = False
        screen.show(merge_page(found, None, prefer))
        return 1
    if not found.labels:
        screen.data_on_stdout = False
        screen.show(merge_page(found, None))
        return 1
    losses = _written(found, our, their, out, target)
    page = merge_page(found, out)
    read = [told for told in (*start, our, their) if told.source.reading.notes]
    notes = [f"{told.name}: {note}" for told in read for note in told.source.reading.notes.values()]
    lost = [Remark("lost", [f"{what}: {number:,}"], "warn") for what, number in losses.items()]
    said = [Remark("note", [note], "warn") for note in notes]
    data = {**page.data, "losses": losses, "notes": notes}
    screen.show(page._replace(blocks=(*page.blocks, *lost, *said), data=data))
    return 0


def _written(found: Merged, ours: Told, theirs: Told, out: str, target: str | None) -> dict[str, int]:
    """Write what was merged; returns what is lost, with counts. Comments of ours stay where they are."""
    from irbridge.convert import convert

    name = target or _format_of(out, ours)
    comments = {told.name: _comments(told) for told in (ours, theirs)}
    if name == "judgments":
        from irbridge.atomic import atomic_write
        from irbridge.judgments.tables import place_of
        from irbridge.labelfile import write_labels

        kept = comments.pop(ours.name)
        with atomic_write(out) as stream:
            write_labels(
                _lines(found.labels, [ours.lines.get(place_of(label), 0) for label in found.labels]), kept, stream
            )
        losses: dict[str, int] = {}
    else:
        try:
            losses = dict(convert(list(found.labels), name, out, part="judgments").losses)
        except UsageError as error:
            error.hint = error.hint or f"--to says another format than {shown(name)}"
            raise
    losses.update({f"comments of {shown(each, 60)}": len(lines) for each, lines in comments.items() if lines})
    return losses


def _lines(labels: Sequence[Judgment], known: list[int]) -> Iterator[tuple[int, Judgment]]:
    """(line, label); one that ours does not have stands where the one before it stands."""
    line = 0
    for label, own in zip(labels, known, strict=True):
        line = max(line, own)
        yield line, label


def _format_of(out: str, ours: Told) -> str:
    from irbridge.cli.targets import target_by_suffix

    own = ours.source.format
    if out == "-":
        return own.name
    try:
        return target_by_suffix(out, "judgments").name
    except UsageError:
        if own.write_judgments is None:
            raise
        return own.name


def _comments(told: Told) -> list[tuple[int, str]]:
    """The comments of a judgments file that can be read again."""
    from irbridge.labelfile import comments_of

    source = told.source
    return comments_of(source.source) if source.format.name == "judgments" and source.size is not None else []


COMMAND = merge
