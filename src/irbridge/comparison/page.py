"""A comparison as a person sees it: means, each difference with what it comes to, and why nothing can be told where it cannot."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.comparison.label_sets import LabelSets
from irbridge.comparison.result import Comparison, Difference
from irbridge.errors import shown
from irbridge.evaluate import top_grade
from irbridge.renderers.base import Cell, Column, Page, Remark, Table
from irbridge.stats.power import POWER
from irbridge.unmatched import none_judged
from irbridge.wording import counted

#: As many of what cannot be told are explained on a screen; JSON holds all.
_EXPLAINED = 10
MARK = "†"


def comparison_page(found: Comparison) -> Page:
    """The screen of a comparison; its data are its JSON."""
    return Page((_means(found), *_below(found)), found)


def paper_page(found: Comparison) -> Page:
    """The same for a paper: one row for each system, differences from the baseline that are told marked."""
    marked = {(each.system, each.measure): each.verdict.status in {"better", "worse"} for each in found.differences}
    measures = found.systems.measures
    rows: list[tuple[Cell, ...]] = []
    for system, name in enumerate(found.systems.names):
        cells: list[Cell] = [name]
        for number in range(len(measures)):
            value, *both = ("-" if each is None else f"{each:.4f}" for each in _values(found, system, number))
            cells += [value + MARK if marked.get((system, number)) else value, *both]
        rows.append(tuple(cells))
    asked = (column for measure in measures for column in _value_columns(found, measure.asked))
    columns = [Column("system", "system"), *asked]
    said = [Remark(MARK, [f"differs from {_baseline(found)}", *_method(found)])] if any(marked.values()) else []
    return Page((Table(columns, rows), *said, *_below(found)), found)


def rows_page(found: Comparison) -> Page:
    """Rows for programs: one for each difference; without a baseline one for each system and measure."""
    rows = list(found.rows())
    if found.baseline is None:
        rows = [
            {
                "measure": measure.asked,
                "system": name,
                **dict(zip(("mean", "unjudged_worst", "unjudged_best"), _values(found, system, number), strict=False)),
            }
            for number, measure in enumerate(found.systems.measures)
            for system, name in enumerate(found.systems.names)
        ]
    return Page(
        (Table([Column(key) for key in (rows[0] if rows else {})], [tuple(row.values()) for row in rows]),), found
    )


def compared_per_query_page(found: Comparison) -> Page:
    """Rows {system, query_id, measure, value}; unrounded."""
    columns = [Column(key) for key in ("system", "query_id", "measure", "value")]
    return Page((Table(columns, found.per_query()),))


def _below(found: Comparison) -> Iterator[Table | Remark]:
    """What stands below the means."""
    yield from _differences(found)
    yield from _label_sets(found.label_sets)
    yield from _remarks(found)


def p_text(p: float | None) -> str:
    """A p value as a screen shows it."""
    return "-" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _baseline(found: Comparison) -> str:
    return "" if found.baseline is None else found.systems.names[found.baseline]


def _means(found: Comparison) -> Table:
    rows = [
        (
            name,
            *(cell for number in range(len(found.systems.measures)) for cell in _values(found, system, number)),
            "baseline" if system == found.baseline else "",
        )
        for system, name in enumerate(found.systems.names)
    ]
    columns = [
        Column("system", "system", flexible=True, path=True),
        *(column for measure in found.systems.measures for column in _value_columns(found, measure.asked)),
        Column("mark"),
    ]
    if found.baseline is None:
        return Table(columns[:-1], [row[:-1] for row in rows])
    return Table(columns, rows)


def _values(found: Comparison, system: int, measure: int) -> tuple[float | None, ...]:
    """A mean, and where asked for its worst and its best over unjudged documents."""
    value = found.systems.aggregate(system, measure)
    return (value, *(found.systems.bound(system, measure) or (None, None))) if found.bounded else (value,)


def _value_columns(found: Comparison, asked: str) -> list[Column]:
    columns = [Column(asked, asked)]
    return [*columns, Column(f"{asked} worst", "worst"), Column(f"{asked} best", "best")] if found.bounded else columns


def _differences(found: Comparison) -> Iterator[Table]:
    for number, measure in enumerate(found.systems.measures):
        own = [each for each in found.differences if each.measure == number]
        if own:
            title = f"{measure.asked}, against {_baseline(found)}"
            yield Table(_columns(found), [_row(found, each) for each in own], title)


def _columns(found: Comparison) -> list[Column]:
    corrected = "" if found.plan.correction.name == "none" else f", {found.plan.correction.name}"
    return [
        Column("system", "system", flexible=True, path=True),
        Column("difference", "change"),
        Column("low", f"{100 * (1 - found.plan.alpha):.4g}% interval", span=2),
        Column("high"),
        Column("record", "w/t/l", optional=True),
        *(Column(f"p {test.name}", f"p {test.name}{corrected}") for test in found.plan.tests),
        Column("g_z", "g", decimals=2, optional=True),
        Column("detectable", "could show", optional=True),
        Column("verdict", "verdict"),
        *([Column("unjudged_certain", "certain")] if found.bounded else []),
    ]


def _row(found: Comparison, of: Difference) -> tuple[Cell, ...]:
    family = found.systems.measures[of.measure].family
    low, high = (None, None) if of.interval is None else family.possible(of.mean, *of.interval[:2], least=-1)
    return (
        found.systems.names[of.system],
        of.mean,
        low,
        high,
        "/".join(map(str, of.record)),
        *(p_text(of.adjusted[test.name]) for test in found.plan.tests),
        None if of.effect is None else of.effect.g_z,
        of.detectable,
        of.verdict.status,
        *([_certainty(of)] if found.bounded else []),
    )


def _certainty(of: Difference) -> str:
    return "-" if of.unjudged is None else of.certain or "open"


def _label_sets(found: LabelSets | None) -> Iterator[Table]:
    if found is not None:
        rows: list[tuple[Cell, ...]] = [(each.measure, each.tau, each.tau_ap, each.swaps) for each in found.agreements]
        columns = [
            Column("measure", "measure"),
            Column("tau", "tau"),
            Column("tau_ap", "tau-ap"),
            Column("swaps", "swaps"),
        ]
        yield Table(columns, rows, f"order of the systems under {shown(found.label, 60)}")


def _method(found: Comparison) -> Iterator[str]:
    plan = found.plan
    family = len(found.differences)
    yield ", ".join(test.name for test in plan.tests) + (" test" if len(plan.tests) == 1 else " tests")
    if plan.correction.name != "none":
        yield f"{plan.correction.name} over {counted(family, 'comparison')}"
    yield f"level {plan.alpha:g}"
    if plan.margin is not None:
        yield f"margin {plan.margin:g}"
    yield f"seed {plan.seed}"


def _remarks(found: Comparison) -> Iterator[Remark]:
    systems, plan = found.systems, found.plan
    said = [counted(len(systems.query_ids), "query", "queries")]
    if found.clusters is not None:
        said.append(f"{counted(found.clusters, 'cluster')} by {plan.cluster_by}")
    if systems.left_out:
        said.append(f"{systems.left_out:,} left out: they do not count for every system")
    yield Remark("compared", [*said, *(_method(found) if found.differences else ())])
    yield from _none_judged(found)
    yield from _unresolvable(found)
    yield from _unjudged(found)
    yield from _budgets(found)
    same = [each for each in found.differences if each.verdict.status == "same"]
    for each in same[:_EXPLAINED]:
        yield Remark("same", [f"{_named(found, each)}: {each.verdict.why}"])
    if found.clusters == len(systems.query_ids):
        yield Remark("note", ["every query is a cluster of its own; nothing is clustered"], "warn")
    methods = {each.interval.method for each in found.differences if each.interval is not None}
    if methods:
        spelled = {"t": "Student's t", "bca": "BCa bootstrap", "wider": "the wider of Student's t and BCa bootstrap"}
        yield Remark("interval", [f"{' or '.join(spelled[each] for each in sorted(methods))}, not corrected"])
    yield Remark("convention", [systems.convention.name, *systems.convention.describe().split(" · ")])
    for name, scores in zip(systems.names, systems.scores, strict=True):
        if scores.coverage.missing:
            fate = "skipped" if systems.convention.missing == "skip" else "counted as 0"
            number = counted(len(scores.coverage.missing), "judged query", "judged queries")
            yield Remark("missing", [f"{shown(name, 40)}: {number} without an answer, {fate}"], "warn")
    if found.label_sets is not None and len(systems.names) < 5:
        yield Remark(
            "note", [f"the order of {len(systems.names)} systems says little about two sets of labels"], "warn"
        )
    for note in systems.notes:
        yield Remark("note", [note])


def _none_judged(found: Comparison) -> Iterator[Remark]:
    """Systems of which no document is judged: what stands beside them compares nothing."""
    systems = found.systems
    for name, scores, judged in zip(systems.names, systems.scores, systems.judged, strict=True):
        said = none_judged(scores.coverage, judged)
        if said:
            yield Remark("hint", [f"{shown(name, 40)}: {said[0]}", *said[1:]], "bad")


def _unjudged(found: Comparison) -> Iterator[Remark]:
    """What worst and best are over, and which measures have none."""
    systems = found.systems
    if systems.convention.unjudged in {"worst", "best"} and len(systems.names) > 1:
        said = [
            f"at the {systems.convention.unjudged} for each run by itself: a document may have one grade in one and another in the other",
            "--unjudged bounds says what a difference can be",
        ]
        yield Remark("unjudged", said, "warn")
    if not found.bounded:
        return
    top = top_grade(systems.judged[0].hits, systems.convention)
    said = [
        f"worst and best over all grades up to {top} of the documents without a label that any of the runs returned"
    ]
    if found.differences:
        said.append("certain: better or worse on these queries whatever they are; open: they may turn it")
        said.append("the verdict is about other queries")
    yield Remark("unjudged", said)
    known = [each for each in found.differences if each.unjudged is not None]
    for each in known[:_EXPLAINED]:
        least, most = each.unjudged or (0.0, 0.0)
        label = "open" if each.certain is None else "certain"
        yield Remark(label, [f"{_named(found, each)}: the change is at least {least:.4f} and at most {most:.4f}"])
    if len(known) > _EXPLAINED:
        yield Remark("certain", [f"and {len(known) - _EXPLAINED:,} more; --json holds all"])
    without = [measure.asked for number, measure in enumerate(systems.measures) if systems.bound(0, number) is None]
    if without:
        yield Remark("unjudged", [f"no worst and best between runs is known: {', '.join(without)}"], "warn")


def _budgets(found: Comparison) -> Iterator[Remark]:
    """What was counted, and how many documents of each system fit."""
    systems = found.systems
    if systems.fit(0):
        said = [
            f"{shown(name, 40)}: {mean:.1f} documents fit into {budget}"
            for system, name in enumerate(systems.names)
            for budget, mean in systems.fit(system).items()
        ]
        yield Remark("budget", [*systems.judged[0].lengths.values(), *said])


def _named(found: Comparison, of: Difference) -> str:
    return f"{shown(found.systems.names[of.system], 40)} by {found.systems.measures[of.measure].asked}"


def _unresolvable(found: Comparison) -> Iterator[Remark]:
    """What cannot be told, and why: said in words, because a p above the level is no proof of equality."""
    open_ones = [each for each in found.differences if each.verdict.status == "unresolvable"]
    for each in open_ones[:_EXPLAINED]:
        yield Remark("cannot tell", [f"{_named(found, each)}: {each.verdict.why}"], "warn")
    if len(open_ones) > _EXPLAINED:
        yield Remark("cannot tell", [f"and {len(open_ones) - _EXPLAINED:,} more; --json holds all"], "warn")
    if any(each.detectable is not None for each in found.differences):
        yield Remark("could show", [f"the smallest true difference found with power {POWER:g} by a paired t test"])
