"""A scoring as a person sees it: the table of measures, and below it what one has to know to trust the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irbridge.renderers.base import Cell, Column, Page, Remark, Table, Tone
from irbridge.report import Report, spread, worst_stratum
from irbridge.scores import Scores
from irbridge.unmatched import none_judged
from irbridge.verdict import base_verdict
from irbridge.wording import counted, some

#: How many measures the table of strata shows beside each other; the report holds all.
_STRATA_MEASURES = 4
TONES: dict[str, Tone] = {"PASS": "good", "FAIL": "bad", "INDETERMINATE": "warn"}


def score_page(report: Report) -> Page:
    """The screen of a report; its data are the report's JSON."""
    return Page(tuple(_blocks(report)), report)


def per_query_page(scores: Scores) -> Page:
    """Rows {query_id, measure, value}, by query, then measure, with worst and best where asked for; unrounded."""
    columns = (Column("query_id", "query"), Column("measure", "measure"), Column("value", "value"))
    if not scores.bounds:
        return Page((Table(columns, scores.per_query()),))
    return Page((Table((*columns, Column("worst", "worst"), Column("best", "best")), _with_bounds(scores)),))


def _with_bounds(scores: Scores) -> Iterator[tuple[Cell, ...]]:
    """The rows with the worst and the best of each query, where they are known."""
    per_query, nothing = len(scores.measures), (None, None)
    for place, row in enumerate(scores.per_query()):
        query, number = divmod(place, per_query)
        both = scores.bounds.get(number)
        yield (*row, *(nothing if both is None else (float(both[0][query]), float(both[1][query]))))


def runs_page(named: Sequence[tuple[str, Report, Page]]) -> Page:
    """Several runs on the same labels: one table of measures by run, and what else there is to say of each run by its name.

    Args:
        named: of each run its name, its report and its page, whose data stand in a list.
    """
    said: list[Table | Remark] = [_by_run(named), *_shared(named[0][2])]
    for name, _, page in named:
        for block in page.blocks[1:]:
            if isinstance(block, Table):
                said.append(block._replace(title=f"{name}: {block.title}" if block.title else name))
            elif block.label not in _SHARED:
                said.append(block._replace(parts=[f"{name}: {block.parts[0]}", *block.parts[1:]]))
    return Page(said, _Several([page.data for _, _, page in named]))


_SHARED = ("convention", "gain")


def _shared(page: Page) -> Iterator[Remark]:
    return (block for block in page.blocks if isinstance(block, Remark) and block.label in _SHARED)


def _by_run(named: Sequence[tuple[str, Report, Page]]) -> Table:
    """The mean of each measure, run under run."""
    measures = named[0][1].scores.measures
    bounded = any(report.scores.bounds for _, report, _ in named)
    rows: list[tuple[Cell, ...]] = []
    for number, measure in enumerate(measures):
        for name, report, _ in named:
            scores = report.scores
            found = spread(scores, number)
            both = (scores.bound(number) or (None, None)) if bounded else ()
            low, high = _ends(scores, number, found)
            rows.append((measure.asked, name, scores.aggregate(number), *both, low, high, scores.values.shape[1]))
    columns = [
        Column("measure"),
        Column("run", "run", flexible=True, path=True),
        Column("value", "mean" if not all(measure.family.total for measure in measures) else "sum"),
        *([Column("worst", "worst"), Column("best", "best")] if bounded else []),
        Column("low", "95% interval", span=2),
        Column("high"),
        Column("n", "n"),
    ]
    return Table(columns, rows)


class _Several:
    """The data of several pages."""

    def __init__(self, data: Sequence[Any]) -> None:
        self._data = data

    def as_dict(self) -> list[Any]:
        return [each.as_dict() if hasattr(each, "as_dict") else each for each in self._data]


def runs_per_query_page(named: Sequence[tuple[str, Scores]]) -> Page:
    """Rows {run, query_id, measure, value}, run after run, otherwise as `per_query_page` has them."""
    tables = [(name, per_query_page(scores).table()) for name, scores in named]
    columns = (Column("run", "run"), *tables[0][1].columns)
    return Page((Table(columns, ((name, *row) for name, table in tables for row in table.rows)),))


def _blocks(report: Report) -> Iterator[Table | Remark]:
    scores = report.scores
    if scores.coverage.scored:
        yield _measures(scores)
    else:
        yield Remark("", [report.verdict.reasons[0]], "bad")
    if report.strata:
        yield _strata(report)
    if report.verdict.gates:
        yield gate_table(report.verdict.gates)
    yield Remark("convention", [scores.convention.name, *scores.convention.describe().split(" · ")])
    yield Remark("coverage", list(_coverage(report)))
    yield from _budgets(report)
    yield from _queries(report)
    yield from _gain(report)
    yield from _hints(report)
    for note in report.notes:
        yield Remark("note", [note])
    yield from _verdict(report)


def _measures(scores: Scores) -> Table:
    gains = any(measure.gain is not None for measure in scores.measures)
    rows: list[tuple[Cell, ...]] = []
    intervals = False
    for number, measure in enumerate(scores.measures):
        value = scores.aggregate(number)
        found = spread(scores, number)
        low, high = _ends(scores, number, found)
        intervals = intervals or found is not None
        total = measure.family.total and value is not None and value.is_integer()
        name: list[Cell] = [measure.asked]
        if gains:
            name.append("" if measure.gain is None else str(measure.gain))
        both: tuple[Cell, ...] = (scores.bound(number) or (None, None)) if scores.bounds else ()
        numbers = [int(each) if total and isinstance(each, float) else each for each in (value, *both)]
        rows.append((*name, *numbers, low, high, scores.values.shape[1]))
    columns = [
        Column("measure"),
        *([Column("gain", "gain")] if gains else []),
        Column("mean", "mean" if not all(measure.family.total for measure in scores.measures) else "sum"),
        *([Column("worst", "worst"), Column("best", "best")] if scores.bounds else []),
        Column("low", "95% interval", span=2),
        Column("high"),
        Column("n", "n"),
    ]
    if not intervals:
        rows = [(*row[:-3], row[-1]) for row in rows]
        columns = [*columns[:-3], columns[-1]]
    return Table(columns, rows)


def _ends(scores: Scores, number: int, found: tuple[float, tuple[float, float]] | None) -> tuple[Cell, Cell]:
    """The ends of an interval, nowhere that the mean cannot be; empty where there is none."""
    mean = scores.aggregate(number)
    if found is None or mean is None:
        return "", ""
    return scores.measures[number].family.possible(mean, *found[1])


def _strata(report: Report) -> Table:
    """Each stratum's scores, the worst of the first measure marked."""
    shown_measures = report.scores.measures[:_STRATA_MEASURES]
    worst = worst_stratum(report.strata, 0)
    several = sum(bool(scores.coverage.scored) for scores in report.strata.values()) > 1
    rows: list[tuple[Cell, ...]] = []
    for name, scores in report.strata.items():
        values = [scores.aggregate(number) for number in range(len(shown_measures))]
        rows.append(
            (
                name,
                *values,
                scores.coverage.scored,
                f"worst {shown_measures[0].asked}" if name == worst and several else "",
            )
        )
    columns = [
        Column("stratum", "stratum", flexible=True),
        *(Column(measure.asked, measure.asked) for measure in shown_measures),
        Column("n", "n"),
        Column("mark"),
    ]
    return Table(columns, rows)


def gate_table(gates: Sequence[Mapping[str, Any]]) -> Table:
    """Each gate with its status in words, and the numbers that it was decided by."""
    rows: list[tuple[Cell, ...]] = [
        (gate["expression"], gate["status"], gate.get("observed"), gate.get("baseline", "")) for gate in gates
    ]
    columns = [Column("gate", "gate", flexible=True), Column("status", "status"), Column("observed", "observed")]
    if any(row[3] != "" for row in rows):
        return Table([*columns, Column("baseline", "baseline")], rows)
    return Table(columns, [row[:3] for row in rows])


def _budgets(report: Report) -> Iterator[Remark]:
    """What budgets were counted in, and how many documents fit into each."""
    judged = report.judged
    if judged.hits.depths:
        said = [
            f"{mean:.1f} documents fit into {budget}"
            for budget, mean in ((budget, depth.mean()) for budget, depth in judged.hits.depths.items())
        ]
        yield Remark("budget", [*judged.lengths.values(), *said])


def _verdict(report: Report) -> Iterator[Remark]:
    """Reasons, the verdict and the way out; a PASS that nobody asked for goes without saying."""
    verdict = report.verdict
    # What has a line of its own above is not said twice.
    above = set(base_verdict(report.scores).reasons)
    for reason in verdict.reasons:
        if reason not in above:
            yield Remark("note" if verdict.status == "PASS" else "why", [reason], "warn")
    if verdict.status != "PASS" or verdict.gates:
        yield Remark("verdict", [verdict.status], TONES[verdict.status])
    if verdict.advice:
        yield Remark("next", [verdict.advice[0]])


def _coverage(report: Report) -> Iterator[str]:
    coverage = report.scores.coverage
    yield f"{coverage.answered:,} of {counted(coverage.judged, 'judged query', 'judged queries')} answered"
    if coverage.scored != coverage.judged:
        yield f"{coverage.scored:,} scored"
    if coverage.extra:
        yield f"{counted(coverage.extra, 'query', 'queries')} of the run without judgments ignored"
    if coverage.judged_at_10 is not None:
        yield f"{coverage.judged_at_10:.1%} of the top 10 judged"


def _queries(report: Report) -> Iterator[Remark]:
    """The queries that one has to look after, by kind."""
    convention, coverage = report.scores.convention, report.scores.coverage
    without = set(coverage.no_positives) if convention.no_positives == "exclude" else set()
    missing = [query_id for query_id in coverage.missing if query_id not in without]
    if missing:
        fate = "skipped" if convention.missing == "skip" else "counted as 0"
        which = f"{counted(len(missing), 'judged query', 'judged queries')} without an answer, {fate}"
        yield Remark("missing", [f"{which}: {some(missing)}"], "warn")
    if coverage.no_positives:
        fate = "left out" if convention.no_positives == "exclude" else "0 for binary measures"
        which = f"{counted(len(coverage.no_positives), 'query', 'queries')} without a label at relevance >= {convention.rel}"
        yield Remark("no positives", [f"{which}, {fate}: {some(coverage.no_positives)}"], "warn")
    if coverage.repeated:
        which = counted(len(coverage.repeated), "query", "queries")
        counts = "last" if convention.duplicates == "last" else "first"
        yield Remark(
            "repeated",
            [f"{which} with a document twice in the ranking, the {counts} counts: {some(coverage.repeated)}"],
            "warn",
        )
    if coverage.contradicting:
        which = counted(len(coverage.contradicting), "query", "queries")
        yield Remark(
            "ranks",
            [
                f"in {which} the rank column contradicts the scores: {some(coverage.contradicting)}",
                "scores ruled, as in trec_eval",
                "irbridge convert --order rank makes the ranks rule",
            ],
            "warn",
        )


def _gain(report: Report) -> Iterator[Remark]:
    """With graded labels an nDCG is one number per gain: say which one this is."""
    grades = sorted(grade for grade in set(report.judged.hits.qrels.grades.tolist()) if grade > 0)
    asked: dict[str, list[str]] = {}
    for measure in report.scores.measures:
        if measure.gain is not None:
            asked.setdefault(str(measure.gain), []).append(measure.asked)
    if len(grades) < 2 or not asked or not report.scores.coverage.scored:
        return
    spelled = {"linear": "linear (the grade)", "exponential": "exponential (2^grade - 1)"}
    said = [f"labels are graded ({some([str(grade) for grade in grades])})"]
    said += [f"{some(names, 3)}: {spelled.get(gain, gain)}" for gain, names in asked.items()]
    if any("rel" in measure.family.takes and measure.rel == 1 for measure in report.scores.measures):
        said.append("binary measures count grades from 1 (--rel sets another level)")
    if len(asked) > 1:
        said.append("values of different gains cannot be compared")
    yield Remark("gain", said, "warn" if len(asked) > 1 else "plain")


def _hints(report: Report) -> Iterator[Remark]:
    said = none_judged(report.scores.coverage, report.judged)
    if said:
        yield Remark("hint", said, "bad")
