"""A report as people read it: one row for each adapter and lifecycle, what failed and why, and what the gate decided.

But for the reason why a lane or a trial could not be set up nothing on the page is an observation, so it is the same
wherever the report was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irbridge.agentic.lanes import Fault, Lane, Reason, faults, lanes, reasons
from irbridge.agentic.promotion import PromotionGateResult
from irbridge.agentic.records import plain
from irbridge.agentic.report import BenchmarkReport
from irbridge.agentic.trajectory import TaskScore, TrajectoryReceipt
from irbridge.errors import shown
from irbridge.renderers import RENDERERS, Cell, Column, Look, Page, Remark, Table, counted
from irbridge.renderers.markdown import escaped

_SOME = 10
_LANE = (
    Column("adapter", "adapter", flexible=True),
    Column("lifecycle", "lifecycle"),
    Column("success", "success"),
    Column("scored", "scored"),
    Column("agent_calls", "calls"),
    Column("model_visible_bytes", "bytes"),
    Column("linkage", "linkage"),
    Column("excluded", "excluded"),
)
#: Whether the threshold is met beyond what so many tasks could show by chance.
_VERDICTS = {"yes": "yes", "no": "no", "cannot_tell": "cannot tell"}
_FAULT = (
    Column("task", "failed", flexible=True),
    Column("adapter", "adapter"),
    Column("lifecycle", "lifecycle"),
    Column("why", "why", flexible=True),
)


def report_page(report: BenchmarkReport, *, whole: bool = False) -> Page:
    """The screen of a report. Its data are the report without the receipts, which stand in its files, and the lanes.

    Args:
        report: the report.
        whole: list every failure, not the first few.
    """
    rows = lanes(report.receipts, report.scores)
    wrong = faults(report.receipts, report.scores)
    # Why an adapter could not be prepared is told of its preparation; its receipts have the code.
    ready = {each.adapter_id for each in report.preparations if each.config_fingerprint is not None}
    why = reasons(each for each in report.receipts if each.canonical.adapter_id in ready)
    data = {name: value for name, value in plain(report).items() if name != "receipts"}
    data["lanes"] = [lane_data(lane) for lane in rows]
    data["failures"] = [each._asdict() for each in wrong]
    data["reasons"] = [each._asdict() for each in why]
    blocks = [
        _about(report),
        lane_table(rows),
        *_faults(wrong, whole=whole),
        *map(_because, why),
        *promotion_blocks(report.promotion),
        Remark("fingerprint", [report.canonical_fingerprint]),
    ]
    return Page(blocks, data)


def scores_page(receipts: Sequence[TrajectoryReceipt], scores: Sequence[TaskScore], match: str) -> Page:
    """The screen of a scoring."""
    rows, wrong = lanes(receipts, scores), faults(receipts, scores)
    scored = sum(each.scored for each in scores)
    said = [f"{counted(len(scores), 'receipt')}", f"{scored:,} scored", f"citations match {match}"]
    data = {
        "match": match,
        "lanes": [lane_data(lane) for lane in rows],
        "failures": [each._asdict() for each in wrong],
        "scores": plain(list(scores)),
    }
    return Page([lane_table(rows), *_faults(wrong, whole=False), Remark("receipts", said)], data)


def report_markdown(report: BenchmarkReport) -> str:
    """The page as a file: with every failure, the method and the limits."""
    of = report.environment
    head = f"# Agentic retrieval: fixture {escaped(of.fixture_version)}, agent {of.agent_id}\n\n"
    body = "".join(RENDERERS.get("markdown").render(report_page(report, whole=True), Look()))
    said = [("Method", report.methodology), ("Limits", report.limitations)]
    tail = "".join(f"\n## {title}\n\n" + "".join(f"- {escaped(each)}\n" for each in lines) for title, lines in said)
    return head + body + tail


def lane_data(lane: Lane) -> dict[str, Any]:
    """A lane as JSON values."""
    return {**lane._asdict(), "linkage": lane.linkage}


def lane_table(rows: Sequence[Lane]) -> Table:
    """One row for each adapter and lifecycle."""
    return Table(
        _LANE,
        [
            (
                lane.adapter, lane.lifecycle, lane.success, lane.scored, lane.agent_calls, lane.model_visible_bytes,
                lane.linkage, lane.attempted - lane.scored,
            )
            for lane in rows
        ],
    )  # fmt: skip


def _about(report: BenchmarkReport) -> Remark:
    of = report.environment
    said = [
        f"fixture {shown(of.fixture_version)}",
        counted(len(of.schedule.tasks), "task"),
        f"agent {of.agent_id}",
        f"{report.attempted_pairs:,} attempted, {report.scored_pairs:,} scored",
        f"citations match {of.match}",
    ]
    if not of.schedule.complete:
        said.append("filtered")
    return Remark("run", said)


def _faults(wrong: Sequence[Fault], *, whole: bool) -> Iterator[Table | Remark]:
    """What failed alike in several lifecycles and trials stands in one row."""
    together: dict[tuple[str, str, str], dict[str, None]] = {}
    for each in wrong:
        why = ("excluded: " if each.excluded else "") + ", ".join(each.codes)
        together.setdefault((each.task_id, each.adapter, why), {})[each.lifecycle] = None
    rows = [(task, adapter, ", ".join(states), why) for (task, adapter, why), states in together.items()]
    if rows:
        yield Table(_FAULT, rows if whole else rows[:_SOME])
    if not whole and len(rows) > _SOME:
        yield Remark("more", [f"{counted(len(rows) - _SOME, 'row')} more", "report.md and --json have all"])


def _because(why: Reason) -> Remark:
    said = f"{why.pairs:,} x {why.code}" + (f": {shown(why.said, 240)}" if why.said else "")
    return Remark("because", [said, *([why.cause] if why.cause else [])], "bad")


def promotion_blocks(promotion: PromotionGateResult | None) -> Iterator[Table | Remark]:
    """What the gate decided, with its numbers; nothing where none was asked for."""
    if promotion is None:
        return
    numbers, asked, drawn = promotion.metrics, promotion.thresholds, promotion.intervals
    rates = numbers.candidate_success_rate, numbers.baseline_success_rate
    gain = None if rates[0] is None or rates[1] is None else rates[0] - rates[1]
    rows: list[tuple[Cell, ...]] = [
        (name, value, limit, interval.low, interval.high, _VERDICTS[interval.verdict])
        for name, value, limit, interval in (
            ("success, gain", gain, "0", drawn.success_difference),
            ("calls, saved", numbers.agent_call_reduction, asked.agent_call_reduction, drawn.agent_call_reduction),
            (
                "bytes, saved",
                numbers.context_byte_reduction,
                asked.context_byte_reduction,
                drawn.context_byte_reduction,
            ),
            ("linkage", numbers.claim_linkage_rate, asked.claim_linkage, drawn.claim_linkage_rate),
        )
    ]
    columns = [
        Column("metric", f"{promotion.candidate} for {promotion.baseline}", flexible=True),
        Column("value", "value"),
        Column("at_least", "at least"),
        Column("low", f"{drawn.confidence:.0%} interval", span=2),
        Column("high"),
        Column("verdict", "for sure"),
    ]
    yield Table(columns, rows)
    for code in promotion.failures:
        yield Remark("fails", [code], "bad")
    said = f"{promotion.valid_pairs:,} of {counted(promotion.pair_count, 'pair')} compared"
    yield Remark("promotion", ["PASS" if promotion.passed else "FAIL", said], "good" if promotion.passed else "bad")
