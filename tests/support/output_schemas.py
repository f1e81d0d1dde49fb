"""spec/schemas: what each command prints under --json, and what the tests hold against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import jsonschema
import referencing

from irbridge.cli.main import group

SPEC = Path(__file__).resolve().parents[2] / "spec"
FOLDER = SPEC / "schemas"
#: Commands without a result of that kind: a text for people, and a server that speaks a protocol of its own.
WITHOUT_JSON = {"demo", "mcp serve"}


def commands() -> Iterator[str]:
    """Every command that takes --json, by its words behind `irbridge`."""
    yield from (name for name in _below(group, ()) if name not in WITHOUT_JSON)


def _below(found: click.Command, words: tuple[str, ...]) -> Iterator[str]:
    if isinstance(found, click.Group):
        context = click.Context(found)
        for name in found.list_commands(context):
            inner = found.get_command(context, name)
            assert inner is not None
            yield from _below(inner, (*words, name))
    elif any("--json" in parameter.opts for parameter in found.params):
        yield " ".join(words)


def path(command: str) -> Path:
    """The file of a command's schema."""
    return FOLDER / f"{command.replace(' ', '-')}.schema.json"


@cache
def registry() -> referencing.Registry[Any]:
    """All schemas of the specification, each under the address of its file, by which they refer to each other."""
    files = sorted(SPEC.rglob("*.schema.json"))
    contents = ((each.as_uri(), json.loads(each.read_text(encoding="utf-8"))) for each in files)
    return referencing.Registry().with_contents(contents).crawl()


@cache
def validator(command: str, part: str = "") -> Any:
    """The validator of what a command prints, or of a part of its schema; files are read once."""
    schema = {"$ref": f"{path(command).as_uri()}#{part}"}
    return jsonschema.Draft202012Validator(schema, registry=registry(), format_checker=jsonschema.FormatChecker())


def check(command: str, printed: str) -> None:
    """Hold what a command printed against its schema.

    Raises:
        AssertionError: the command has no schema, or it says something else.
    """
    assert path(command).is_file(), f"irbridge {command} prints JSON, and {path(command)} is not there"
    data = json.loads(printed)
    if not (found := validator(command)).is_valid(data):
        error = jsonschema.exceptions.best_match(found.iter_errors(data))
        raise AssertionError(f"irbridge {command}: {error.json_path}: {error.message[:400]}")
