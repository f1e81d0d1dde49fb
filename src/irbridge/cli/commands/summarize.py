"""`irbridge summarize`: the mean of repeated measurements, and how sure it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, screen_of
from irbridge.errors import UsageError, shown

if TYPE_CHECKING:
    from irbridge.renderers import Page
    from irbridge.stats.interval import Measurement


@command(
    "summarize",
    short_help="Mean and 95% interval of repeated measurements.",
    heading="Measure",
    arguments=(("SAMPLE", "Numbers: one measure, measured again and again."),),
    exits=((0, "summarized"), (2, "no sample, or one that is no finite number")),
    examples=("irbridge summarize 0.8 1.0 0.6 0.9 0.7", "irbridge summarize --json -- -0.1 0.2"),
)
@click.argument("sample", nargs=-1, required=True)
@click.pass_context
def summarize(context: click.Context, sample: tuple[str, ...]) -> None:
    """Summarize samples of a measure that is not deterministic, such as one that a language model judges.

    Sample standard deviation and Student-t interval of the mean, not clamped; of a single sample there is no interval.
    """
    from irbridge.stats.interval import summarize as summarized

    found = summarized([_number(each) for each in sample])
    screen_of(context).show(_page(found))


def _number(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or not text.isascii() or "_" in text:
        raise UsageError(f"'{shown(text, 40)}' is not a finite number", hint="write it like 0.82")
    return found


def _page(found: Measurement) -> Page:
    from irbridge.renderers import Column, Page, Table

    columns = [Column("value", "mean"), Column("n", "n")]
    row: list[float | int] = [found.value, found.n]
    if found.stdev is not None:
        columns.append(Column("stdev", "stdev"))
        row.append(found.stdev)
    if found.ci is not None:
        columns += [Column("low", "95% interval", span=2), Column("high", "")]
        row += list(found.ci)
    return Page((Table(tuple(columns), [tuple(row)]),), found.as_dict())


COMMAND = summarize
