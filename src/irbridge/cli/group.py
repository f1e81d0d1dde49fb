"""A command that is a group of commands, each in a file of its own beside it."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, cast

import click

from irbridge.cli.command import Command
from irbridge.errors import UnknownName
from irbridge.registry import nearest


class CommandGroup(Command, click.Group):
    """A group with the global options and examples of a command; its commands are found by their files.

    Args:
        package: the package whose modules end with the constant `COMMAND`.
    """

    def __init__(self, *args: Any, package: str, **kwargs: Any) -> None:
        kwargs.setdefault("no_args_is_help", False)
        kwargs.setdefault("invoke_without_command", True)
        super().__init__(*args, callback=self._help, **kwargs)
        self._package = package

    @staticmethod
    def _help() -> None:
        context = click.get_current_context()
        if context.invoked_subcommand is None:
            click.echo(context.get_help())

    def list_commands(self, ctx: click.Context) -> list[str]:
        package = importlib.import_module(self._package)
        return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(package.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        return cast("Command", module.COMMAND)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            hint = f"{ctx.command_path} --help lists them"
            raise UnknownName(f"command of {ctx.command_path}", name, nearest(name, known), hint=hint)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        click.Group.format_commands(self, ctx, formatter)
        super().format_options(ctx, formatter)
