"""`irbridge agentic run`: the matrix of adapters, lifecycles and tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.agentic import (
    MATRIX,
    adapter_settings,
    agent_settings,
    fixture_option,
    gate_of,
    gate_options,
    loaded,
    match_option,
)
from irbridge.cli.command import command, option, screen_of
from irbridge.cli.lists import known, list_option, once_option
from irbridge.cli.options import OUTPUT, Whole
from irbridge.errors import UsageError, shown

if TYPE_CHECKING:
    from irbridge.agentic.report import BenchmarkReport
    from irbridge.agentic.runner.running import Plan
    from irbridge.cli.screen import Screen

ADAPTERS, LIFECYCLES = "lexical,capsule", ("cold", "warm")


@command(
    "run",
    short_help="Run agents on tasks; receipts, scores, report.",
    exits=(
        (0, "run; the promotion passed, if one was asked for"),
        (1, "the promotion failed"),
        (2, "the call cannot be carried out, or a receipt is a failure of the harness; the report is written even so"),
    ),
    examples=(
        "irbridge agentic run",
        "irbridge agentic run --adapter lexical,capsule --out baseline",
        "irbridge agentic run --baseline lexical --candidate capsule --out today",
        "irbridge agentic run --task t07675eb --agent command --agent-set command=./a",
    ),
)
@fixture_option()
@match_option()
@list_option("--adapter", metavar="A,B", section=MATRIX, help=f"The systems under test. Default: {ADAPTERS}.")
@once_option("--agent", metavar="NAME", section=MATRIX, help="What drives them. Default: fixture.")
@list_option("--lifecycle", metavar="L,L", section=MATRIX, help="cold, warm or both. Default: cold,warm.")
@list_option("--task", metavar="T,T", section=MATRIX, help="Only these tasks. Default: all of the fixture.")
@once_option(
    "--timeout-ms", type=Whole(min=1), otherwise=30_000, metavar="N", section=MATRIX,
    help="For each operation of an adapter or agent. Default: 30000.",
)  # fmt: skip
@once_option(
    "--jobs", type=Whole(min=1), otherwise=1, metavar="N", section=MATRIX,
    help="Cold trials at a time. Receipts are the same; the times they took are not. Default: 1.",
)  # fmt: skip
@option(
    "--adapter-set", multiple=True, metavar="NAME.KEY=VALUE", section=MATRIX, help="A setting of an adapter; repeats."
)
@option("--agent-set", multiple=True, metavar="KEY=VALUE", section=MATRIX, help="A setting of the agent; repeats.")
@gate_options()
@once_option(
    "-o", "--out", metavar="DIR", section=OUTPUT,
    help="The folder for report.json, canonical.json, observations.json and report.md. It may hold a run that this one covers.",
)  # fmt: skip
@click.pass_context
def run(context: click.Context, /, *, match: Any, out: str | None, **options: Any) -> int:
    """Run every adapter on every task under every lifecycle, score the receipts, and say what came of it.

    Nothing needs a network, a model or a key unless an adapter or agent that you name does. With --baseline and
    --candidate two adapters are held against each other, and the exit code says which it is.
    """
    from irbridge.agentic.artifacts import place_for, write_artifacts
    from irbridge.agentic.benchmark import benchmark, exit_code, schedule_of
    from irbridge.agentic.page import report_page
    from irbridge.renderers import Page, Remark

    gate = gate_of(options)
    plan = _plan(**options)
    schedule = schedule_of(plan)
    if gate is not None:
        gate.check(schedule.adapters)
    if out is not None:
        place_for(out, schedule, plan.agent.name)
    done = benchmark(plan, match, gate, _progress(screen_of(context), len(plan.slots())))
    report = done.report if out is None else write_artifacts(done.report, out, done.prepared)
    page, code = report_page(report), exit_code(report)
    said = [Remark("wrote", [out], "good")] if out is not None else []
    codes = sorted({each.code or "" for each in report.exclusions})
    if codes:
        said.append(
            Remark("harness", [f"{len(report.exclusions):,} excluded: {', '.join(codes)}", *_why(done.prepared)], "bad")
        )
    if any(code.endswith("_timeout") for code in codes):
        said.append(Remark("next", ["--timeout-ms gives each operation more time"]))
    said += [Remark("because", [line], "bad") for line in _reasons(report)]
    screen_of(context).show(Page([*page.blocks, *said], {**page.data, "out": out, "exitCode": code}))
    return code


def _plan(
    *,
    fixture: str | None,
    adapter: tuple[str, ...] | None,
    agent: str | None,
    lifecycle: tuple[str, ...] | None,
    task: tuple[str, ...] | None,
    timeout_ms: int,
    jobs: int,
    adapter_set: tuple[str, ...],
    agent_set: tuple[str, ...],
) -> Plan:
    from irbridge.agentic.adapters import ADAPTERS as KNOWN
    from irbridge.agentic.agents import AGENTS
    from irbridge.agentic.runner.running import Plan

    adapters = [KNOWN.get(name) for name in adapter or ADAPTERS.split(",")]
    names = [each.name for each in adapters]
    if len(set(names)) < len(names):
        raise UsageError("--adapter names one adapter by two names")
    driver = AGENTS.get(agent or "fixture")
    chosen: Any = known("lifecycle", lifecycle or LIFECYCLES, LIFECYCLES)
    tasks = loaded(fixture)
    return Plan(
        fixture=tasks,
        adapters=adapters,
        agent=driver,
        # Cold first, whatever the order in the list: a run is the same however it is asked for.
        lifecycles=sorted(chosen),
        tasks=None if task is None else known("task of the fixture", task, list(tasks.tasks)),
        timeout=timeout_ms / 1000,
        settings=adapter_settings(adapter_set, adapters),
        agent_settings=agent_settings(agent_set, driver.settings, driver.name),
        jobs=jobs,
    )


def _progress(screen: Screen, total: int) -> Any:
    """A bar over the trials; those of the replay come on top."""
    bar = screen.bar("trials", total, unit="rows")
    return None if bar is None else lambda: bar.advance(1)


def _reasons(report: BenchmarkReport) -> list[str]:
    """For each code of an agent's or a product's failure how often it was, and what was said the first time."""
    found: dict[str, list[str]] = {}
    for receipt in report.receipts:
        failure = receipt.canonical.failure
        if failure.class_ in {"agent_error", "product_error"} and failure.code is not None:
            found.setdefault(failure.code, []).extend(receipt.observations.diagnostics[:1] or [failure.code])
    return [f"{len(said):,} x {shown(said[0], 240)}" for _, said in sorted(found.items())]


def _why(prepared: list[dict[str, Any]]) -> list[str]:
    """What the adapters said that could not be prepared."""
    return [
        f"{each['adapterId']}: {line}" for each in prepared if each["tookMs"] is None for line in each["diagnostics"]
    ]


COMMAND = run
