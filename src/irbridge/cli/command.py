"""What all commands share: global options on either side of the name, knobs under headings, examples at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import click

from irbridge.cli.screen import WHEN, Screen
from irbridge.registry import nearest

# A terminal wider than 80 columns gets the same page, so that what is pasted somewhere looks alike.
CONTEXT = {"help_option_names": ["-h", "--help"], "terminal_width": 80}
# What other tools call these options, without a plural s.
_ALSO_CALLED = {
    "measures": ("metric", "measure", "eval"),
    "k": ("cutoff", "cut", "top-k", "topk", "at"),
    "judgments": ("label", "qrel", "gold", "truth", "judgement", "reference"),
    "run": ("result", "run", "ranking", "hit", "prediction"),
    "rel": ("level", "relevance-level", "rel-level", "min-rel", "relevance"),
    "oracle": ("engine", "oracle", "provider"),
    "out": ("output", "save", "to"),
    "convention": ("preset", "convention"),
}
#: The headings of the overview, in their order.
HEADINGS = ("Measure", "Collections", "Labels", "Chunks", "Agents", "irbridge")
F = TypeVar("F", bound=Callable[..., Any])


class Option(click.Option):
    """An option that stands under a heading of its own in the help."""

    def __init__(self, *args: Any, section: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


def option(*names: str, section: str = "Options", **settings: Any) -> Callable[[F], F]:
    """An option; its help text is not optional."""
    return click.option(*names, cls=Option, section=section, **settings)


def _set_json(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's call
    if value:
        screen_of(context).json = True


def _set_color(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        screen_of(context).when = value


def screen_of(context: click.Context) -> Screen:
    """The one screen of this call, made on first use."""
    root = context.find_root()
    if root.obj is None:
        root.obj = Screen()
    return cast("Screen", root.obj)


def global_options() -> list[click.Parameter]:
    """The options that every command takes, before or after its name."""
    return [
        Option(
            ["--json"], is_flag=True, expose_value=False, callback=_set_json, section="Everywhere",
            help="Print the result as JSON on standard output.",
        ),
        Option(
            ["--color"], type=click.Choice(WHEN), expose_value=False, callback=_set_color, section="Everywhere",
            help="Use colours; auto does on a terminal unless NO_COLOR is set.",
        ),
    ]  # fmt: skip


def _sections(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    by_section: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Argument):  # explained under a heading of their own
            continue
        record = parameter.get_help_record(context)
        if record is not None:
            section = getattr(parameter, "section", "Everywhere")
            by_section.setdefault(section, []).append((record[0], record[1]))
    # What every command takes stands last.
    everywhere = by_section.pop("Everywhere", [])
    for section, records in [*by_section.items(), *([("Everywhere", everywhere)] if everywhere else [])]:
        with formatter.section(section):
            formatter.write_dl(records, col_max=26)


class Command(click.Command):
    """A command with the global options, sections of options, notes on its arguments, and examples.

    `heading` is the one under which the overview lists it, one of `HEADINGS`.
    """

    def __init__(
        self,
        *args: Any,
        arguments: Sequence[tuple[str, str]] = (),
        examples: Sequence[str] = (),
        exits: Sequence[tuple[int, str]] = (),
        heading: str = "",
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("context_settings", CONTEXT)
        super().__init__(*args, **kwargs)
        self.arguments = tuple(arguments)
        self.examples = tuple(examples)
        self.exits = tuple(exits)
        self.heading = heading
        self.params.extend(global_options())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            near = self._meant(error.option_name)
            ask = f"; did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"no such option '{error.option_name}'{ask}", ctx) from error

    def _meant(self, name: str) -> list[str]:
        """The options that somebody may have meant who wrote `name`, each with its short form."""
        spelled = {
            long: " / ".join(parameter.opts)
            for parameter in self.params
            if isinstance(parameter, click.Option)
            for long in parameter.opts
            if long.startswith("--")
        }
        word = name.lstrip("-").removesuffix("s")
        found = [f"--{option}" for option, others in _ALSO_CALLED.items() if word in others]
        # A word for what this command has no option for is not a slip for one that looks like it.
        near = [option for option in found if option in spelled] if found else nearest(name, list(spelled))
        return list(dict.fromkeys(spelled[option] for option in near))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(self.arguments, col_max=26)
        _sections(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.exits:
            with formatter.section("Exit codes"):
                formatter.write_dl([(str(code), text) for code, text in self.exits])
        if self.examples:
            formatter.write("\nExamples:\n")
            for example in self.examples:
                formatter.write(f"  {example}\n")


def command(name: str, **settings: Any) -> Callable[[Callable[..., Any]], Command]:
    """A `Command`; settings are those of the class."""
    return cast("Callable[[Callable[..., Any]], Command]", click.command(name, cls=Command, **settings))
