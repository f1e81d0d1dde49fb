"""`--measures-from`, and what becomes of the measures of a file that no `-m` names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irbridge.cli.command import option, screen_of
from irbridge.errors import shown

if TYPE_CHECKING:
    from irbridge.measures.base import Family, Measure

F = TypeVar("F", bound=Callable[..., Any])
_FILES = "irbridge.measures_from"


def measures_from_option(section: str) -> Callable[[F], F]:
    """`--measures-from`, for measures of one's own."""
    return option(
        "--measures-from", callback=_plugged, expose_value=False, multiple=True, metavar="FILE", section=section,
        help="Runs this Python file for measures of your own: those that its MEASURE or MEASURES names. "
        "Without -m they stand beside the default ones.",
    )  # fmt: skip


def _plugged(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> None:
    if given and not context.resilient_parsing:  # a shell that asks for completions runs nothing
        from irbridge.measures.files import plugged

        for path in given:  # until the command is done
            families = context.with_resource(plugged(path))
            context.meta.setdefault(_FILES, []).append((path, families))


def _files() -> list[tuple[str, tuple[Family, ...]]]:
    context = click.get_current_context(silent=True)
    return [] if context is None else context.meta.get(_FILES, [])


def measure_files() -> tuple[str, ...]:
    """The files that hold them, which nothing may be written over: those that are named, and those of their functions."""
    from irbridge.provenance import own_files

    named = _files()
    found = [path for path, _ in named]
    found.extend(path for _, families in named for family in families for path in own_files(family))
    return tuple(dict.fromkeys(found))


def own_measures(cutoffs: tuple[int, ...]) -> Iterator[Measure]:
    """The measures of all files, at the cutoffs that the default measures have.

    Raises:
        UsageError: one of them has an option that every use must give.
    """
    for _, families in _files():
        for family in families:
            if "cutoff" in family.takes and family.at is None:
                yield from (family(cutoff=k) for k in cutoffs)
            else:
                yield family()


def say_unused(measures: list[Measure]) -> None:
    """Say on standard error which files were run for nothing, since their measures were not asked for."""
    asked = {measure.family for measure in measures}
    for path, families in _files():
        if asked.isdisjoint(families):
            names = ", ".join(family.name for family in families)
            context = click.get_current_context()
            screen_of(context).complain("note", [f"{shown(path, 200)}: none of its measures is asked for: {names}"])
