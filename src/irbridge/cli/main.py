"""The command `irbridge`: finds commands by their files, and turns every error into a message and an exit code."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from functools import cache
from typing import cast

import click

from irbridge._version import __version__
from irbridge.cli import commands
from irbridge.cli.command import CONTEXT, HEADINGS, Command, global_options
from irbridge.cli.screen import Screen
from irbridge.cli.stopping import Stopped, end_in_order
from irbridge.cli.streams import prepare, silence, why
from irbridge.errors import IrbridgeError, UnknownName, shown
from irbridge.registry import nearest

EXITS = (
    (0, "fine"),
    (1, "a gate failed, a label decayed, or a check found something"),
    (2, "the call or an input cannot be used"),
)


@cache
def names() -> tuple[str, ...]:
    """The commands, by the names of their files."""
    found = (module.name for module in pkgutil.iter_modules(commands.__path__))
    return tuple(sorted(name.replace("_", "-") for name in found))


class Commands(click.Group):
    """The group of commands; a command's file is imported when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(names())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in names():
            return None
        module = importlib.import_module(f"{commands.__name__}.{cmd_name.replace('-', '_')}")
        return cast("Command", module.COMMAND)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise UnknownName("command", name, nearest(name, list(names())), hint="irbridge --help lists them")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        width = max(len(name) for name, _ in listed)
        for heading in HEADINGS:
            own = [
                (name, each.get_short_help_str(60))
                for name, each in listed
                if isinstance(each, Command) and each.heading == heading
            ]
            with formatter.section(heading):
                # Padded alike, so that the columns of all groups stand under each other.
                formatter.write_dl([(name.ljust(width), text) for name, text in own])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), text) for code, text in EXITS])
        formatter.write("\nirbridge COMMAND --help explains a command and shows examples.\n")


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's call
    if value and not context.resilient_parsing:
        click.echo(f"irbridge {__version__}")
        context.exit()


@click.command(
    "irbridge",
    cls=Commands,
    context_settings=CONTEXT,
    no_args_is_help=False,
    invoke_without_command=True,
    params=[
        *global_options(),
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Print the version and exit.",
        ),
    ],
)
@click.pass_context
def group(context: click.Context) -> None:
    """The bridge between public IR benchmarks and the relevance judgments that RAG teams keep.

    Load a public collection, score a run, check every number against other engines, convert between formats.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str] | None = None) -> int:
    """Carry out one call; returns its exit code."""
    screen = Screen()
    try:
        result = _carried_out(list(sys.argv[1:] if arguments is None else arguments), screen)
        sys.stdout.flush()
    except click.exceptions.Exit as stopped:
        return stopped.exit_code
    except click.UsageError as error:
        screen.complain("error", _usage(error))
        return 2
    except IrbridgeError as error:
        screen.fail(error)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort, Stopped) as error:
        screen.complain("stopped", ["files are as they were before"])
        return error.exit_code if isinstance(error, Stopped) else 130
    except BrokenPipeError:
        # Whoever read us has enough.
        silence(sys.stdout)
        return 141
    except Exception as error:
        if os.environ.get("IRBRIDGE_DEBUG") == "1":
            raise
        screen.complain("error", _unexpected(error))
        return 2
    return result if isinstance(result, int) else 0


def _carried_out(arguments: list[str], screen: Screen) -> object:
    if "_IRBRIDGE_COMPLETE" in os.environ:  # a shell asks for completions
        return group.main(arguments, prog_name="irbridge")
    # Not `group.main`, which turns a closed pipe into exit code 1, the code of a finding.
    with group.make_context("irbridge", arguments, obj=screen) as context:
        return group.invoke(context)


def _usage(error: click.UsageError) -> list[str]:
    context = error.ctx
    message = error.format_message().rstrip(".")
    lines = [shown(message[:1].lower() + message[1:], 400)]
    path = context.command_path if context is not None else "irbridge"
    return [*lines, f"try  {path} --help"]


def _unexpected(error: Exception) -> list[str]:
    if isinstance(error, MemoryError):
        return ["the memory of this machine does not suffice", "try  a larger machine, or fewer labels at a time"]
    if isinstance(error, OSError) and error.strerror:
        where = f"{shown(error.filename, 200)}: " if error.filename else "standard output: " if _output_fails() else ""
        return [f"{where}{why(error)}"]
    return [
        f"irbridge failed where it should not: {type(error).__name__}: {shown(error, 200)}",
        "try  IRBRIDGE_DEBUG=1 before the command shows where; please report it with that output",
    ]


def _output_fails() -> bool:
    """Whether standard output takes nothing more; what it did not take is forgotten."""
    try:
        sys.stdout.write("")
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)
        return True
    return False


def _flushed(code: int) -> int:
    """The exit code when all has been written: a result that nobody got is a failure, a message is not."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        code = 141
    except OSError:
        silence(sys.stdout)
        code = code or 2
    try:
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)
    return code


def _settle() -> None:
    """Spare a process of a moment what pays in one of hours."""
    # numpy's matrix library starts threads when it is loaded, and nothing here multiplies matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    """The entry point of the `irbridge` command."""
    _settle()
    prepare()
    end_in_order()
    try:
        code = _flushed(run())
    except Stopped as stopped:  # before the command began, or after it was done
        code = _flushed(stopped.exit_code)
    # All memory goes with the process: without this Python first looks through it for cycles, a sixth of a short call.
    gc.freeze()
    sys.exit(code)
