"""What the commands of `irbridge agentic` share: the fixture, the adapters and agents with their settings, the gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irbridge.cli.command import option
from irbridge.cli.lists import known, once_option
from irbridge.cli.options import INPUTS
from irbridge.errors import UsageError, quoted

if TYPE_CHECKING:
    from irbridge.agentic.adapters.base import Adapter
    from irbridge.agentic.benchmark import Gate
    from irbridge.agentic.fixture import Fixture

F = TypeVar("F", bound=Callable[..., Any])
MATRIX, GATE = "What is run", "Promotion"
MATCHES = ("exact", "covering")


def fixture_option() -> Callable[[F], F]:
    """`--fixture`, the tasks and their oracles."""
    return once_option(
        "--fixture",
        metavar="DIR",
        section=INPUTS,
        help="The sealed fixture. Default: the one that comes with irbridge.",
    )


def match_option() -> Callable[[F], F]:
    """`--match`, how citations are matched."""
    return once_option(
        "--match", type=click.Choice(MATCHES), otherwise="exact", section=INPUTS,
        help="A citation is the evidence exactly (the contract, the default), or lines that cover it.",
    )  # fmt: skip


def gate_options() -> Callable[[F], F]:
    """The two adapters to be compared, and the thresholds."""
    decorators = (
        once_option("--baseline", metavar="NAME", section=GATE, help="The adapter to be replaced."),
        once_option("--candidate", metavar="NAME", section=GATE, help="The adapter to replace it."),
        once_option(
            "--call-reduction", metavar="X", section=GATE, help="The least reduction of agent calls. Default: 0.25."
        ),
        once_option(
            "--byte-reduction", metavar="X", section=GATE, help="The least reduction of bytes shown. Default: 0.35."
        ),
        once_option(
            "--linkage", metavar="X", section=GATE, help="The least share of claims that are linked. Default: 0.95."
        ),
        option(
            "--fewer-unsupported", is_flag=True, section=GATE, help="Also ask for fewer unsupported substantive claims."
        ),
    )

    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def gate_of(options: dict[str, Any]) -> Gate | None:
    """The gate among a command's options, removed from them; None where no adapter is to be compared.

    Raises:
        UsageError: half of a pair, thresholds without one, or a threshold that is none.
    """
    from msgspec.structs import replace

    from irbridge.agentic.benchmark import Gate
    from irbridge.agentic.thresholds import USUAL

    names = {
        "call_reduction": "agent_call_reduction",
        "byte_reduction": "context_byte_reduction",
        "linkage": "claim_linkage",
    }
    baseline, candidate = options.pop("baseline"), options.pop("candidate")
    said = {names[name]: value for name in names if (value := options.pop(name)) is not None}
    if options.pop("fewer_unsupported"):
        said["fewer_unsupported"] = True
    if baseline is None and candidate is None and not said:
        return None
    if baseline is None or candidate is None:
        raise UsageError("two adapters are compared", hint="--baseline lexical --candidate capsule")
    gate = Gate(baseline, candidate, replace(USUAL, **said))
    gate.check((baseline, candidate))
    return gate


def loaded(folder: str | None) -> Fixture:
    """The fixture that is named, or the one that comes with irbridge.

    Raises:
        InputError: a check of it fails.
    """
    from irbridge.agentic.fixture import load_fixture, standard_fixture

    return load_fixture(standard_fixture() if folder is None else folder)


def adapter_settings(given: Sequence[str], adapters: Sequence[Adapter]) -> dict[str, dict[str, str]]:
    """`NAME.key=value` by adapter.

    Raises:
        UsageError: not of that form, or a setting twice.
        UnknownName: an adapter that is not run, or a key that it does not have.
    """
    by_name = {adapter.name: adapter for adapter in adapters}
    found: dict[str, dict[str, str]] = {name: {} for name in by_name}
    for text in given:
        place, equals, value = text.partition("=")
        name, dot, key = place.partition(".")
        if not (equals and dot and key):
            raise UsageError(f"--adapter-set {quoted(text)} is no setting", hint="--adapter-set NAME.key=value")
        known("adapter that is run", [name], list(by_name))
        _take(found[name], key, value, by_name[name].settings, f"setting of {name}")
    return found


def agent_settings(given: Sequence[str], takes: Mapping[str, str], agent: str) -> dict[str, str]:
    """`key=value`.

    Raises:
        UsageError: not of that form, or a setting twice.
        UnknownName: a key that the agent does not have.
    """
    found: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--agent-set {quoted(text)} is no setting", hint="--agent-set key=value")
        _take(found, key, value, takes, f"setting of {agent}")
    return found


def _take(into: dict[str, str], key: str, value: str, takes: Mapping[str, str], kind: str) -> None:
    if not takes:
        raise UsageError(f"{kind.removeprefix('setting of ')} has no settings")
    known(kind, [key], list(takes))
    if key in into:
        raise UsageError(f"the {kind} {key} is given twice")
    into[key] = value
