"""`irbridge agentic tasks`: what a fixture asks, and one task as an agent gets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.agentic import fixture_option, loaded
from irbridge.cli.command import command, screen_of
from irbridge.cli.lists import known

if TYPE_CHECKING:
    from irbridge.agentic.fixture import Fixture
    from irbridge.agentic.records import AgentTask
    from irbridge.renderers import Page, Remark, Table

#: A script with a smaller share of a text's letters is that of a name in it.
_SHARE = 0.2


@command(
    "tasks",
    short_help="List the tasks of a fixture, or show one.",
    arguments=(("TASK", "The id of a task. It is shown as an agent sees it."),),
    exits=((0, "shown"), (2, "there is no such task, or the fixture cannot be used")),
    examples=(
        "irbridge agentic tasks",
        "irbridge agentic tasks t0fd364a",
        "irbridge agentic tasks --fixture mine --json",
    ),
)
@click.argument("task", required=False)
@fixture_option()
@click.pass_context
def tasks(context: click.Context, /, *, task: str | None, fixture: str | None) -> int:
    """List the tasks of a fixture, with what each may use, or show one of them.

    The list counts the pieces of evidence that have to be cited. Which these are, and what the answer is, an agent never
    sees, and nothing here shows it.
    """
    found = loaded(fixture)
    if task is not None:
        known("task of the fixture", [task], list(found.tasks))
    screen_of(context).show(_list(found) if task is None else _one(found.tasks[task]))
    return 0


def _list(fixture: Fixture) -> Page:
    from irbridge.renderers import Column, Page, Remark, Table, counted

    rows = [_row(fixture, task) for _, task in sorted(fixture.tasks.items())]
    columns = (
        Column("taskId", "task", flexible=True),
        Column("category", "category"),
        Column("maxAgentCalls", "calls"),
        Column("maxModelVisibleBytes", "bytes"),
        Column("requiredEvidence", "cite"),
        Column("scripts", "script", flexible=True),
    )
    version = fixture.manifest.fixture_version
    said = [counted(len(rows), "task"), counted(len(fixture.snapshot.sources), "document")]
    blocks: list[Table | Remark] = [
        Table(columns, [(*row[:5], ", ".join(row[5])) for row in rows]),
        Remark("fixture", [version, *said]),
        Remark("next", ["irbridge agentic tasks TASK shows one as an agent sees it"]),
    ]
    names = [column.key for column in columns]
    data = {
        "fixtureVersion": version,
        "fixtureFingerprint": fixture.fingerprint,
        "tasks": [dict(zip(names, row, strict=True)) for row in rows],
    }
    return Page(blocks, data)


def _row(fixture: Fixture, task: AgentTask) -> tuple[str, str, int, int, int, list[str]]:
    required = sum(len(claim.required_evidence) for claim in fixture.oracles[task.task_id].claims)
    budgets = task.budgets
    return (
        task.task_id, task.category, budgets.max_agent_calls, budgets.max_model_visible_bytes, required,
        _scripts(task.brief.goal),
    )  # fmt: skip


def _scripts(text: str) -> list[str]:
    """The scripts that a text is written in, as Unicode names its letters. A task does not say its language."""
    import unicodedata
    from collections import Counter

    counts = Counter(unicodedata.name(char, "OTHER").split()[0] for char in text if char.isalpha())
    least = _SHARE * counts.total()
    return sorted(name if name == "CJK" else name.capitalize() for name, count in counts.items() if count >= least)


def _one(task: AgentTask) -> Page:
    from irbridge.agentic.projection import visible_task
    from irbridge.renderers import Page

    seen = visible_task(task)
    return Page(list(_told(seen)), seen)


def _told(seen: dict[str, Any]) -> Iterator[Table | Remark]:
    from irbridge.errors import shown
    from irbridge.renderers import Column, Remark, Table, counted

    yield Remark("task", [seen["taskId"], seen["category"]])
    yield Remark("goal", [shown(seen["brief"]["goal"], 10_000)])
    for line in seen["brief"]["instructions"]:
        yield Remark("told", [shown(line, 10_000)])
    columns = (
        Column("claimKey", "claim", flexible=True),
        Column("valueType", "type"),
        Column("required", "required"),
        Column("substantive", "a fact"),
    )
    flags = ("no", "yes")
    yield Table(
        columns,
        [
            (each["claimKey"], each["valueType"], flags[each["required"]], flags[each["substantive"]])
            for each in seen["claims"]
        ],
    )
    yield Remark("tools", seen["allowedTools"])
    yield Remark("searches", [*seen["corpus"]["collections"]])
    budgets = seen["budgets"]
    yield Remark(
        "budget", [counted(budgets["maxAgentCalls"], "call"), f"{budgets['maxModelVisibleBytes']:,} bytes shown"]
    )


COMMAND = tasks
