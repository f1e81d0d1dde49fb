"""`irbridge explain`: how a published number came about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.options import judgments_option, opened, rows_options, run_option, split_option, two_inputs

if TYPE_CHECKING:
    from irbridge.crosscheck.explain import Explanation, Reading
    from irbridge.renderers import Remark

#: How many readings a screen shows; JSON holds all that are kept.
_SHOWN = 5


@command(
    "explain",
    short_help="Find the conventions that give a published number.",
    arguments=(("CLAIM", "A measure and its number, such as ndcg@10=0.4321."),),
    exits=((0, "a convention gives the number"), (1, "none does"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge explain ndcg@10=0.4321 --judgments j.jsonl --run hits.jsonl",
        "irbridge explain 'MRR@10 = 18.4' --judgments qrels.dev.tsv --run bm25.run",
    ),
)
@click.argument("claim")
@judgments_option()
@run_option()
@split_option()
@rows_options()
@click.pass_context
def explain(
    context: click.Context,
    /,
    *,
    claim: str,
    judgments: str,
    run: str,
    split: str | None,
    drop_bad_rows: bool,
    allow_infinite: bool,
) -> int:
    """Search conventions and formulas for those that give a number which somebody published.

    The number counts as precisely as it is printed. Gains, ties, cutoffs, levels, missing queries and the formulas that
    people confuse are tried, alone and together; the simplest that give the number come first.
    """
    from irbridge.crosscheck.explain import explain as searched
    from irbridge.renderers import Page

    screen = screen_of(context)
    two_inputs(judgments, run)
    labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    ranked = opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
    found = searched(claim, labels, ranked)
    screen.show(Page(tuple(_told(found)), found.as_dict()))
    return 0 if found.found else 1


def _told(found: Explanation) -> Iterator[Remark]:
    from irbridge.renderers import Remark

    claim = found.claim
    if not found.found:
        yield Remark(
            claim.printed, [f"no convention or formula that irbridge knows gives it as {claim.measure.asked}"], "bad"
        )
    for number, reading in enumerate(found.reproductions[:_SHOWN]):
        how = [f"irbridge score with {reading.settings}"] if reading.settings else []
        yield Remark(
            f"{claim.printed} is" if number == 0 else "or", [_called(reading), *how], "good" if number == 0 else "plain"
        )
    more = found.more + max(0, len(found.reproductions) - _SHOWN)
    if more:
        yield Remark("more", [f"{more:,} other ways give it too", "a number with more decimals would tell them apart"])
    if found.nearest:
        yield Remark("nearest", [f"{reading.value:.4f} {reading.words or 'plain'}" for reading in found.nearest])
    reported: dict[str, list[str]] = {}
    for name, value in found.engines.items():
        if value is not None:
            reported.setdefault(f"{value:.4f}", []).append(name)
    if reported:
        yield Remark("engines", [f"{value} by {', '.join(names)}" for value, names in reported.items()])
    refusing = [name for name, value in found.engines.items() if value is None]
    if refusing:
        yield Remark("refused by", refusing)


def _called(reading: Reading) -> str:
    """The measure and what is done otherwise than trec_eval's formula over all judged queries."""
    return (
        f"{reading.measure}: {reading.words}"
        if reading.deviations
        else f"{reading.measure} as trec_eval -c computes it"
    )


COMMAND = explain
