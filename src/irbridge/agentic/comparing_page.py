"""A comparison of two reports as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from irbridge.agentic.comparing import METRICS, Change, Compared
from irbridge.renderers import Cell, Column, Page, Remark, Table, counted

_SOME = 10


def compare_page(found: Sequence[Compared]) -> Page:
    """The screen of a comparison."""
    blocks: list[Table | Remark] = []
    for each in found:
        blocks += _blocks(each)
    return Page(blocks, [each.as_dict() for each in found])


def _blocks(of: Compared) -> list[Table | Remark]:
    one, other = _names(of)
    # A heading of intervals over nothing but dashes promises what is not there.
    drawn = any(change.low is not None for change in of.changes)
    rows: list[tuple[Cell, ...]] = [
        (
            title, change.one, change.other, change.difference, *((change.low, change.high) if drawn else ()),
            _verdict(change, better=better),
        )
        for change, (_, title, better) in zip(of.changes, METRICS, strict=False)
    ]  # fmt: skip
    columns = [
        Column("metric", "mean", flexible=True),
        Column("one", one, decimals=2),
        Column("other", other, decimals=2),
        Column("difference", "change", decimals=2),
        *((Column("low", "95% interval", decimals=2, span=2), Column("high", decimals=2)) if drawn else ()),
        Column("verdict"),
    ]
    blocks: list[Table | Remark] = [Table(columns, rows)] if rows else []
    said = [f"{counted(of.pairs, 'pair')} of {counted(of.tasks, 'task')}"]
    if of.adapters[0] == of.adapters[1]:
        said.insert(0, f"adapter {of.adapters[0]}")
    if of.apart:
        said.append(f"{of.apart:,} of one side only")
    if of.excluded:
        said.append(f"{of.excluded:,} with a failure of the harness left out")
    blocks.append(Remark("compared", said))
    if of.by_task:
        blocks.append(_changed(of))
    if len(of.by_task) > _SOME:
        blocks.append(Remark("more", [f"{counted(len(of.by_task) - _SOME, 'task')} more; --json has all"]))
    blocks += [Remark("note", [note], "warn") for note in of.notes]
    return blocks


def _names(of: Compared) -> tuple[str, str]:
    """What the two are called: by what tells them apart, else by their order."""
    adapters, agents = of.adapters, of.agents
    if agents[0] == agents[1]:
        return ("first", "second") if adapters[0] == adapters[1] else adapters
    if adapters[0] == adapters[1]:
        return agents
    return f"{adapters[0]}, {agents[0]}", f"{adapters[1]}, {agents[1]}"


def _changed(of: Compared) -> Table:
    """The tasks that differ; those where success does come first."""
    ordered = sorted(of.by_task, key=lambda each: (each.success[0] == each.success[1], each.task_id))
    columns = [Column("task", "task that differs", flexible=True), *(Column(name, title) for name, title, _ in METRICS)]
    rows = [(each.task_id, *(f"{first:,} -> {second:,}" for first, second in each[1:])) for each in ordered[:_SOME]]
    return Table(columns, rows)


def _verdict(change: Change, *, better: bool) -> str:
    if change.low is None or change.high is None:
        return "equal" if change.difference == 0 else "unclear"
    if change.low > 0 or change.high < 0:
        return "better" if (change.difference > 0) == better else "worse"
    return "unclear"
