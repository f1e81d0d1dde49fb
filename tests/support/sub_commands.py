"""What holds of every command that stands in a group."""

from __future__ import annotations

import shlex
from typing import Any

import click

from irbridge.cli.command import Command
from irbridge.cli.group import CommandGroup


def check_sub_command(group: CommandGroup, path: str, name: str, irbridge: Any) -> None:
    """Its help fits the screen, each parameter is explained, and its examples can be parsed."""
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, Command)
    text = irbridge(path, name, "--help").out
    assert text.startswith(f"Usage: irbridge {path} {name}")
    assert [line for line in text.splitlines() if len(line) > 80] == []
    for parameter in found.params:
        if isinstance(parameter, click.Argument):
            assert parameter.make_metavar(click.Context(found)).strip("[].") in dict(found.arguments)
        else:
            assert parameter.help.endswith(".")
    for example in found.examples:
        words = shlex.split(example)
        assert words[:3] == ["irbridge", path, name]
        found.make_context(name, words[3:], parent=click.Context(group))
