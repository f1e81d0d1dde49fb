"""Options that name several things in one list, and may be given once: a filter that is misread runs the wrong matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from irbridge.cli.command import option
from irbridge.errors import UnknownName, UsageError, quoted
from irbridge.registry import nearest

F = TypeVar("F", bound=Callable[..., Any])


def once_option(*names: str, otherwise: Any = None, **settings: Any) -> Callable[[F], F]:
    """An option that is an error when it is repeated, or when its value looks like an option.

    Args:
        names: as of any option.
        otherwise: its value where it is not given.
        settings: as of any option.
    """

    def single(context: click.Context, parameter: click.Parameter, given: tuple[Any, ...]) -> Any:
        found = _single(context, parameter, given)
        return otherwise if found is None else found

    return option(*names, multiple=True, callback=single, **settings)


def list_option(*names: str, **settings: Any) -> Callable[[F], F]:
    """The same for a list: `A,B`. Nothing in it may be empty or stand twice; not given it is None."""
    return option(*names, multiple=True, callback=_list, **settings)


def _single(context: click.Context, parameter: click.Parameter, given: tuple[Any, ...]) -> Any:
    name = parameter.opts[-1]
    if len(given) > 1:
        raise UsageError(f"{name} is given twice", hint="say it once; a list is A,B")
    if given and isinstance(given[0], str) and given[0].startswith("--"):
        raise UsageError(f"{name} has no value: {quoted(given[0])} is an option")
    return given[0] if given else None


def _list(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...] | None:
    text, name = _single(context, parameter, given), parameter.opts[-1]
    if text is None:
        return None
    found = tuple(part.strip() for part in text.split(","))
    if not all(found):
        raise UsageError(f"{name} {quoted(text)} names nothing in one place", hint=f"{name} A,B")
    twice = sorted({part for part in found if found.count(part) > 1})
    if twice:
        raise UsageError(f"{name} names {quoted(twice[0])} twice")
    return found


def known(kind: str, given: Sequence[str], choices: Sequence[str]) -> tuple[str, ...]:
    """What is given, if there is each of it.

    Raises:
        UnknownName: one that is not; with those like it.
    """
    for name in given:
        if name not in choices:
            raise UnknownName(
                kind, name, nearest(name, list(choices)), hint=f"one of: {', '.join(sorted(choices)[:12])}"
            )
    return tuple(given)
