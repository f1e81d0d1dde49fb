"""`irbridge conformance`: the cases of the specification, run against a command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, option, screen_of

if TYPE_CHECKING:
    from irbridge.conformance import CaseResult
    from irbridge.renderers import Page


@command(
    "conformance",
    short_help="Run the specification's cases against an implementation.",
    heading="irbridge",
    arguments=(("CASE", "Only these cases; without one all of them."),),
    exits=((0, "every check passed"), (1, "a check failed"), (2, "the call cannot be carried out")),
    examples=(
        "irbridge conformance",
        "irbridge conformance drift merge",
        "irbridge conformance --command 'node other-impl/cli.js' --level core",
        "irbridge conformance --command other-impl --fixtures their/spec/fixtures",
    ),
)
@click.argument("case", nargs=-1)
@option("--command", "program", metavar="CMD", help="The command line to test. Default: irbridge itself.")
@option("--fixtures", metavar="DIR", help="The folder of the cases. Default: those that come with irbridge.")
@option(
    "--level",
    type=click.Choice(("core", "all")),
    default="all",
    help="Only what every implementation owes (core), or what irbridge adds as well. Default: all.",
)
@click.pass_context
def conformance(
    context: click.Context, /, *, case: tuple[str, ...], program: str | None, fixtures: str | None, level: str
) -> int:
    """Run the conformance cases black-box: each answer is asked of a command line.

    The shape of the cases is described in spec/fixtures/README.md.
    """
    from pathlib import Path

    from irbridge.conformance import Implementation, cases, run

    screen = screen_of(context)
    implementation = Implementation(program)
    chosen = [
        each for each in cases(None if fixtures is None else Path(fixtures), case) if level in {"all", each.level}
    ]
    results = list(run(chosen, implementation, lambda name: screen.status(f"{name} is done")))
    screen.status("")
    screen.show(_page(results, program or "irbridge"))
    return 1 if any(each.count("fail") for each in results) else 0


def _page(results: list[CaseResult], program: str) -> Page:
    from irbridge.renderers import Column, Page, Remark, Table, counted

    columns = (
        Column("case", "case", flexible=True),
        Column("level", "level"),
        Column("passed", "passed"),
        Column("failed", "failed"),
        Column("not_run", "not run"),
    )
    rows = [
        (each.case.name, each.case.level, each.count("pass"), each.count("fail"), each.count("not run"))
        for each in results
    ]
    blocks: list[Any] = [Table(columns, rows)]
    passed, failed, idle = (sum(each.count(status) for each in results) for status in ("pass", "fail", "not run"))
    for each in results:
        for result in each.results:
            if result.status == "pass":
                continue
            said = [f"{each.case.name}: {result.name}", result.detail]
            failing = result.status == "fail"
            blocks.append(Remark("failed", said, "bad") if failing else Remark("not run", said, "faint"))
    told = [program, f"{counted(passed, 'check')} passed in {counted(len(results), 'case')}", f"{failed:,} failed"]
    if idle:
        told.append(f"{idle:,} not run")
    blocks.append(Remark("result", told, "bad" if failed else "good"))
    data = {
        "command": program,
        "passed": passed,
        "failed": failed,
        "not_run": idle,
        "cases": [
            {"case": each.case.name, "level": each.case.level, "checks": [result._asdict() for result in each.results]}
            for each in results
        ],
    }
    return Page(tuple(blocks), data)


COMMAND = conformance
