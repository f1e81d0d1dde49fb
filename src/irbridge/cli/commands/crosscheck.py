"""`irbridge crosscheck`: every number held against other engines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.dropped import with_dropped
from irbridge.cli.options import (
    chosen,
    convention_options,
    judgments_option,
    measure_options,
    opened,
    rows_options,
    run_option,
    split_option,
    taken,
    two_inputs,
)
from irbridge.cli.swapped import noticing_swapped

if TYPE_CHECKING:
    from irbridge.crosscheck.result import Comparison, Crosschecked
    from irbridge.renderers import Page, Remark, Table


@command(
    "crosscheck",
    short_help="Check every number against other engines.",
    heading="Measure",
    exits=(
        (0, "every difference is explained, or there is none"),
        (1, "a difference is not explained, or nothing could be compared"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge crosscheck --judgments qrels.txt --run my.run -m 'nDCG@10 AP RR'",
        "irbridge crosscheck --judgments q.txt --run r.txt --ties docid-asc -m RR@10",
        "irbridge crosscheck --judgments q.txt --run r.txt --oracle pytrec_eval",
    ),
)
@judgments_option()
@run_option()
@split_option()
@rows_options()
@measure_options()
@convention_options()
@option(
    "--oracle",
    "oracles",
    metavar="NAME",
    multiple=True,
    section="Oracles",
    help="Ask only this engine; repeats. Default: all that are installed.",
)
@click.pass_context
def crosscheck(
    context: click.Context,
    /,
    *,
    judgments: str,
    run: str,
    split: str | None,
    drop_bad_rows: bool,
    allow_infinite: bool,
    measures: tuple[str, ...],
    k: tuple[int, ...],
    convention: str | None,
    oracles: tuple[str, ...],
    **options: Any,
) -> int:
    """Compute measures natively and with every engine that is installed, query by query.

    The engines are pytrec_eval, ir_measures with its providers, BEIR's evaluation, and a trec_eval on the PATH. Each
    difference is explained by the convention that causes it, proven by computing natively under that convention.
    """
    from irbridge.crosscheck.run import crosscheck as held_against

    screen = screen_of(context)
    two_inputs(judgments, run)
    asked, under = chosen(measures, k, convention, taken(options))
    with noticing_swapped(judgments, run):
        labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
        ranked = opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
    try:
        found = held_against(
            labels, ranked, asked, under, oracles or None, progress=lambda name: screen.status(f"  asking {name} ...")
        )
    finally:
        screen.status("")
    screen.show(with_dropped(_page(found), labels, ranked))
    return 0 if found.ok and found.compared else 1


def _page(found: Crosschecked) -> Page:
    from irbridge.renderers import Page

    return Page(tuple(_blocks(found)), found.as_dict())


def _blocks(found: Crosschecked) -> Iterator[Table | Remark]:
    from irbridge.renderers import Column, Remark, Table

    titles = found.columns()
    rows = [
        (
            measure.asked,
            found.scores.aggregate(number),
            *(_cell(found.cell(measure.asked, column)) for column in titles),
        )
        for number, measure in enumerate(found.scores.measures)
    ]
    yield Table(
        (Column("measure"), Column("irbridge", "irbridge"), *(Column(key, title) for key, title in titles.items())),
        rows,
    )
    yield Remark("key", list(_key(found)))
    for said, bad in _whys(found):
        yield Remark("why", said, "bad" if bad else "plain")
    yield Remark("convention", [found.scores.convention.name, *found.scores.convention.describe().split(" · ")])
    for state in found.oracles:
        why = state.skipped or state.refused
        if why is not None:
            label, _, reason = why.partition(": ")
            yield Remark(label, [f"{state.name}: {reason}", *([state.hint] if state.hint else [])])
    yield from _not_asked(found)
    for note in found.notes:
        yield Remark("note", [note])
    yield _verdict(found)


def _cell(comparisons: list[Comparison]) -> str | None:
    """What one column says of one measure; engines of a column that agree are named once."""
    if not comparisons:
        return None
    said: list[str] = []
    for one in comparisons:
        apart = one.differ + one.ours_only + one.theirs_only
        if one.status == "equal":
            said.append(f"= {one.equal}/{one.compared}")
        elif one.status == "refused":
            # Of several engines in a column those that answered speak; why one was not called stands in --json.
            if _unanswered(comparisons):
                said.append((one.reason or "").partition(": ")[0])
        else:
            what = f"{apart:,} differ" if apart else "mean differs"
            said.append(f"{what} !" if one.status == "unexplained" else what)
    return ", ".join(dict.fromkeys(said))


def _unanswered(comparisons: list[Comparison]) -> bool:
    return all(one.status == "refused" for one in comparisons)


def _key(found: Crosschecked) -> Iterator[str]:
    """What the signs in the table mean; those that are in it."""
    cells = [found.cell(measure.asked, column) for measure in found.scores.measures for column in found.columns()]
    seen = {one.status for cell in cells for one in cell}
    if "equal" in seen:
        yield "= n/n: equal on all n queries"
    if seen & {"explained", "unexplained"}:
        yield "n differ: on so many queries, see why"
    if "unexplained" in seen:
        yield "!: no convention explains it"
    if not all(cells):
        yield "-: that engine has no such measure"
    if any(cell and _unanswered(cell) for cell in cells):
        yield "not called: the reason is below"
    if any(state.skipped for state in found.oracles):
        yield "skipped: not usable on this machine"


def _not_asked(found: Crosschecked) -> Iterator[Remark]:
    """Why cells hold no answer, where the reason is one of the measure and not of the whole engine."""
    from irbridge.renderers import Remark

    whole = {state.name for state in found.oracles if state.refused is not None}
    measures: dict[tuple[str, str], list[str]] = {}
    for measure in found.scores.measures:
        for column in found.columns():
            cell = found.cell(measure.asked, column)
            for one in cell if _unanswered(cell) else []:
                if one.oracle not in whole:
                    measures.setdefault((one.oracle, one.reason or ""), []).append(measure.asked)
    for (oracle, why), names in measures.items():
        label, _, reason = why.partition(": ")
        yield Remark(label, [f"{oracle} on {', '.join(names)}: {reason}"])


def _whys(found: Crosschecked) -> Iterator[tuple[list[str], bool]]:
    """The differences in words; what has the same cause is told together."""
    # (cause, way to recompute it, queries, engine) -> measures; then the same with the same measures -> engines.
    measures: dict[tuple[str, str, int, str], list[str]] = {}
    for one in found.explained:
        if one.explanation is not None:
            engine = one.column + (f" ({one.note})" if one.note else "")
            key = (one.explanation.words, one.explanation.settings, one.explanation.queries, engine)
            measures.setdefault(key, []).append(one.measure)
    engines: dict[tuple[str, str, int, str], list[str]] = {}
    for (words, settings, queries, engine), names in measures.items():
        engines.setdefault((words, settings, queries, ", ".join(names)), []).append(engine)
    for (words, settings, queries, names_), who in engines.items():
        how = f"with {settings}" if settings else "so computed,"
        where = "the one query" if queries == 1 else f"all {queries:,} queries"
        theirs = "its" if len(who) == 1 else "their"
        yield [words, f"{', '.join(who)} on {names_}", f"{how} irbridge gives {theirs} values on {where}"], False
    for one in found.unexplained:
        yield one.why(), True


def _verdict(found: Crosschecked) -> Remark:
    from irbridge.renderers import Remark, counted

    if not found.compared:
        asked = any(one.status == "refused" for one in found.comparisons)
        why = "could be asked for" if asked else "covers"
        return Remark("verdict", [f"nothing was compared: no engine that is here {why} these measures"], "bad")
    if found.unexplained:
        return Remark("verdict", [f"{counted(len(found.unexplained), 'difference')} not explained"], "bad")
    if found.explained:
        return Remark("verdict", ["every difference is explained"], "good")
    return Remark("verdict", ["no difference"], "good")


COMMAND = crosscheck
