"""`irbridge measures`: what can be computed, and what exactly a name means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.options import MEASURES
from irbridge.cli.own_measures import measures_from_option

if TYPE_CHECKING:
    from irbridge.measures.base import Family
    from irbridge.renderers import Page, Remark


@command(
    "measures",
    short_help="List the measures, or explain one.",
    heading="Measure",
    arguments=(("NAME", "A measure's name in any dialect, with or without a cutoff."),),
    examples=(
        "irbridge measures",
        "irbridge measures nDCG@10",
        "irbridge measures ndcg_cut",
        "irbridge --json measures",
    ),
)
@click.argument("name", required=False)
@measures_from_option(MEASURES)
@click.pass_context
def measures(context: click.Context, name: str | None) -> None:
    """List the measures, or explain one: formula, range, convention, source, what other tools call it."""
    screen_of(context).show(_list() if name is None else _detail(name))


def _as_data(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "summary": family.summary,
        "formula": family.formula,
        "range": family.range,
        "convention": family.convention,
        "source": family.source,
        "traps": list(family.traps),
        "takes": sorted(family.takes),
        "options": dict(family.options),
        "bounds_over_unjudged": family.extremes is not None,
        "names": {
            "ir_measures": [family.name, *family.aliases],
            "trec_eval": list(family.trec_eval),
            "spec": [] if family.spec is None else [family.spec],
        },
        "elsewhere": dict(family.elsewhere),
        "origin": family.origin,
    }


def _list() -> Page:
    from irbridge.measures import FAMILIES
    from irbridge.renderers import Column, Page, Remark, Table

    families = sorted(FAMILIES, key=lambda family: family.name.lower())
    rows = [(family.name, ", ".join(family.trec_eval), family.spec or "", family.summary) for family in families]
    columns = (
        Column("measure", "measure"),
        Column("trec_eval", "trec_eval", flexible=True),
        Column("spec", "spec"),
        Column("summary", "what it is", flexible=True),
    )
    remarks = [
        *(Remark("own", [f"{family.name}: {family.origin}"]) for family in families if family.origin),
        Remark(
            "names",
            [
                "nDCG@10, RR(rel=2)@10 as in ir_measures",
                "ndcg_cut_10, P.5,10 as in trec_eval",
                "ndcg@10 as in the spec",
            ],
        ),
        Remark(
            "budgets",
            [
                "nDCG@2000tok and P@8000chars look at what fits into so many tokens or characters",
                "every measure with a cutoff takes one",
                "lengths come from --corpus C, or --lengths FILE",
            ],
        ),
        Remark("next", ["irbridge measures NAME explains one"]),
        *(Remark("broken", [f"{origin}: {why}"], "bad") for origin, why in FAMILIES.broken.items()),
    ]
    return Page((Table(columns, rows), *remarks), [_as_data(family) for family in families])


def _detail(name: str) -> Page:
    from irbridge.measures.names import family_named
    from irbridge.renderers import Page

    family = family_named(name)
    return Page(tuple(_told(family)), _as_data(family))


def _told(family: Family) -> Iterator[Remark]:
    from irbridge.measures.base import spelled
    from irbridge.renderers import Remark

    yield Remark(family.name, [family.summary])
    yield Remark("formula", [family.formula])
    yield Remark("range", [family.range])
    takes = [
        "cutoff (@k, needed)" if family.needs_cutoff and each == "cutoff" else each for each in sorted(family.takes)
    ]
    takes += [
        f"{option} (@x)" if option == family.at else f"{option}={spelled(default)}"
        for option, default in family.options.items()
    ]
    if takes:
        yield Remark("takes", takes)
    if "cutoff" in family.takes and family.at is None:
        yield Remark("budget", [f"{family.name}@2000tok, {family.name}@8000chars, with --corpus or --lengths"])
    if family.total:
        yield Remark("aggregate", ["the sum over queries"])
    elif family.mean is not None:
        yield Remark("aggregate", ["not the arithmetic mean: see the formula"])
    if family.extremes is not None:
        yield Remark("unjudged", ["--unjudged worst, best and bounds are exact"])
    if family.convention:
        yield Remark("convention", [family.convention])
    for tool, called in family.elsewhere.items():
        yield Remark(f"in {tool}", [called])
    yield Remark("source", [family.source])
    if family.origin:
        yield Remark("comes from", [family.origin])
    for trap in family.traps:
        yield Remark("trap", [trap], "warn")


COMMAND = measures
