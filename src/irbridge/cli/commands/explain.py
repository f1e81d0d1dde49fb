"""`irbridge explain`: how a published number came about."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, screen_of
from irbridge.cli.dropped import with_dropped
from irbridge.cli.options import judgments_option, opened, rows_options, run_option, split_option, two_inputs
from irbridge.cli.swapped import noticing_swapped
from irbridge.errors import IrbridgeError, UsageError

if TYPE_CHECKING:
    from irbridge.crosscheck.explain import Explanation, Own, Reading
    from irbridge.renderers import Remark

#: How many readings a screen shows; JSON holds all that are kept.
_SHOWN = 5


@command(
    "explain",
    short_help="Find the conventions that give a published number.",
    heading="Measure",
    arguments=(("CLAIM", "A measure and its number, such as ndcg@10=0.4321."),),
    exits=((0, "a convention gives the number"), (1, "none does"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge explain ndcg@10=0.4321 --judgments j.jsonl --run hits.jsonl",
        "irbridge explain 'MRR@10 = 18.4' --judgments qrels.dev.tsv --run bm25.run",
    ),
)
@click.argument("claim", nargs=-1, required=True, metavar="CLAIM")
@judgments_option()
@run_option()
@split_option()
@rows_options()
@click.pass_context
def explain(
    context: click.Context,
    /,
    *,
    claim: tuple[str, ...],
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
    if len(claim) > 1:
        raise _in_pieces(claim)
    two_inputs(judgments, run)
    with noticing_swapped(judgments, run):
        labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
        ranked = opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
    found = searched(claim[0], labels, ranked)
    screen.show(with_dropped(Page(tuple(_told(found)), found.as_dict()), labels, ranked))
    return 0 if found.found else 1


def _in_pieces(words: tuple[str, ...]) -> UsageError:
    """A measure and its number given apart: how they are written as one."""
    from irbridge.crosscheck.claim import read_claim

    whole = ("" if any(sign in word for word in words for sign in "=:") else "=").join(words)
    try:
        read_claim(whole)
    except IrbridgeError:
        whole = "ndcg@10=0.4321"
    return UsageError("a claim is one word of the command line", hint=f"write {shlex.quote(whole)}")


def _told(found: Explanation) -> Iterator[Remark]:
    from irbridge.renderers import Remark, counted

    claim = found.claim
    if not found.found:
        yield Remark(
            claim.printed, [f"no convention or formula that irbridge knows gives it as {claim.measure.asked}"], "bad"
        )
    doubtful = found.chance.likely
    if doubtful:
        yield Remark(claim.printed, list(_chance(found)), "warn")
    first = "may be" if doubtful else f"{claim.printed} is"
    for number, parts in enumerate(_ways(found)):
        yield Remark("or" if number else first, parts, "plain" if number or doubtful else "good")
    more = found.more + max(0, len(found.reproductions) - _SHOWN)
    if more:
        yield Remark("more", [f"{counted(more, 'other way gives', 'other ways give')} it too"])
    if not found.meant:
        yield Remark("irbridge", [_own(found)])
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


def _ways(found: Explanation) -> list[list[str]]:
    """The readings that give the number, with irbridge's own where it is one of them or yet another one."""
    ways = []
    own = found.own if found.meant else None
    for reading in found.reproductions[:_SHOWN]:
        how = [f"irbridge score with {reading.settings}"] if reading.settings else []
        if own is not None and abs(own.value - reading.value) < 1e-12:
            how, own = [*how, _default(own)], None
        ways.append([f"{_number(found, reading.value)} {_called(reading)}", *how])
    return ways if own is None else [[_number(found, own.value), _default(own)], *ways]


def _default(own: Own) -> str:
    return f"what irbridge score -m {shlex.quote(own.measure)} gives ({own.convention})"


def _number(found: Explanation, value: float) -> str:
    """A value with two decimals more than the claim has, so that one can see how near it is."""
    decimals = 4
    while decimals < 12 and 10.0**-decimals > found.claim.tolerance / 5:
        decimals += 1
    return f"{value:.{decimals}f}"


def _own(found: Explanation) -> str:
    """What irbridge says without being told anything, and how far that is from the claim."""
    own = found.own
    if own is None:
        return "irbridge score refuses this run by default"
    side = "above" if own.difference > 0 else "below"
    return f"{_number(found, own.value)} is {_default(own)}, {_number(found, abs(own.difference))} {side} the claim"


def _chance(found: Explanation) -> Iterator[str]:
    """Why a match says nothing, which comes before the match."""
    from irbridge.renderers import counted

    chance, exact = found.chance, _number(found, found.claim.value)
    if chance.closest is not None and _number(found, chance.closest) != exact:
        yield f"no reading gives {exact}; the nearest is {_number(found, chance.closest)}"
    values = f"{chance.values:,} different values" if chance.values > 1 else "with one value"
    yield f"{chance.matching:,} of {counted(chance.tried, 'reading')} round to it, {values}, which may be by chance"
    if chance.beside >= 0.05:
        yield f"any number of so few digits near it is met by {chance.beside:.1f} values on average"
    yield "so how it came about is not known: a number with more decimals would tell more"


def _called(reading: Reading) -> str:
    """The measure and what is done otherwise than trec_eval's formula over all judged queries."""
    return (
        f"{reading.measure}: {reading.words}"
        if reading.deviations
        else f"{reading.measure} as trec_eval -c computes it"
    )


COMMAND = explain
