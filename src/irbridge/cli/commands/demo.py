"""`irbridge demo`: the main job on a small collection that ships with irbridge, each command as a person would type it."""

from __future__ import annotations

import os
import sys

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import OUTPUT
from irbridge.errors import UsageError

FOLDER = "irbridge-demo"


@command(
    "demo",
    short_help="Show the main job on a small collection.",
    heading="irbridge",
    exits=((0, "shown"), (2, "the folder cannot be used")),
    examples=("irbridge demo", "irbridge demo --out /tmp/somewhere"),
)
@option(
    "-o", "--out", metavar="DIR", section=OUTPUT,
    help=f"Where the demo's files go and stay. Default: {FOLDER}, or {FOLDER}-2 and so on.",
)  # fmt: skip
@click.pass_context
def demo(context: click.Context, out: str | None) -> None:
    """Load a collection, score two runs, crosscheck, explain a number, export.

    The collection is the handbook of an invented bicycle co-operative: 40 documents, 20 queries, 168 graded labels. All
    files stay in a folder, so that every command can be tried again and changed.
    """
    import shlex
    from pathlib import Path

    from irbridge.cli.main import group
    from irbridge.cli.screen import Screen
    from irbridge.demo import STEPS, free_folder, unpack

    outer = screen_of(context)
    if outer.json:
        raise UsageError("the demo is for reading, it has no JSON form", hint="the commands that it shows take --json")
    folder = free_folder(FOLDER) if out is None else Path(out)
    unpack(folder)
    emphasis = ("\x1b[1m", "\x1b[0m") if outer.colored(sys.stdout) else ("", "")
    before = Path.cwd()
    os.chdir(folder)
    try:
        click.echo(f"{emphasis[0]}$ cd {shlex.quote(str(folder))}{emphasis[1]}")
        for step in STEPS:
            typed = shlex.join(("irbridge", *step.command))
            click.echo(f"\n{step.why}\n{emphasis[0]}$ {typed}{emphasis[1]}")
            inner = Screen()
            inner.when = outer.when
            group.main(args=list(step.command), prog_name="irbridge", standalone_mode=False, obj=inner)
    finally:
        os.chdir(before)
    click.echo(
        f"\nAll files are in {folder}. Change a label or a run and try again; irbridge --help lists the commands."
    )


COMMAND = demo
