"""The options of gates, and what they, a gate file and the other options of a scoring come to together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from irbridge.cli.command import option
from irbridge.cli.options import corpus_option
from irbridge.errors import InputError, UsageError

if TYPE_CHECKING:
    from irbridge.gates.base import Gate

F = TypeVar("F", bound=Callable[..., Any])
SECTION = "Gates: exit code 0 only where all of them pass"


def gate_options() -> Callable[[F], F]:
    """`--gate`, `--gates`, `--baseline`, `--baseline-run` and `--corpus`."""

    def decorate(function: F) -> F:
        for each in (
            corpus_option(),
            option(
                "--baseline", metavar="REPORT", section=SECTION,
                help="An earlier report, for deltas; refused where labels, convention or threshold differ.",
            ),
            option(
                "--baseline-run", metavar="RUN", section=SECTION,
                help="An earlier run, scored on the same labels, for gates on the interval of the change.",
            ),
            _file("Gates, measures, convention and baseline from a TOML file; what is given here counts more."),
            _gate("recall@5:0.8"),
        ):  # fmt: skip
            function = each(function)
        return function

    return decorate


def drift_gate_options() -> Callable[[F], F]:
    """`--gate` and `--gates` of a drift."""

    def decorate(function: F) -> F:
        return _file("The [drift] gates of a TOML file.")(_gate("drift:orphaned:0")(function))

    return decorate


def _file(said: str) -> Callable[[F], F]:
    return option("--gates", "gate_file", metavar="FILE", section=SECTION, help=said)


def _gate(example: str) -> Callable[[F], F]:
    said = f"A gate, such as {example}; may be given several times."
    return option("--gate", "gate", multiple=True, metavar="EXPR", section=SECTION, help=said)


class Gating(NamedTuple):
    """What is asked for, by options and gate file.

    Attributes:
        measures, k, convention: of the scoring; the options' where they say it, else the gate file's.
        threshold: the gate file's.
        inputs: files that must not be overwritten.
    """

    gates: tuple[Gate, ...] = ()
    measures: tuple[str, ...] = ()
    k: tuple[int, ...] = ()
    convention: str | None = None
    threshold: int | None = None
    baseline: str | None = None
    require: tuple[str, ...] = ()
    corpus: str | None = None
    inputs: tuple[str, ...] = ()
    baseline_run: str | None = None


def gating(options: dict[str, Any], measures: tuple[str, ...], k: tuple[int, ...], convention: str | None) -> Gating:
    """The options of gates, taken out of `options`, put together with the others and with a gate file.

    Raises:
        UsageError: a gate expression that is none, or an option that names nothing.
        InputError: the gate file cannot be used.
    """
    expressions, path = options.pop("gate"), options.pop("gate_file")
    baseline, corpus, run = options.pop("baseline"), options.pop("corpus"), options.pop("baseline_run")
    for name, given in (("--gates", path), ("--baseline", baseline), ("--baseline-run", run), ("--corpus", corpus)):
        if given == "":
            raise UsageError(f"{name} names nothing")
    if not expressions and path is None:
        inputs = tuple(each for each in (baseline, corpus, run) if each is not None)
        return Gating((), measures, k, convention, None, baseline, (), corpus, inputs, run)
    from irbridge.gates.expressions import measures_named, parse_all
    from irbridge.gates.files import GateFile, read

    file = GateFile() if path is None else read(path)
    gates = (*file.gates, *parse_all(expressions))
    if not gates and not file.require:
        raise InputError(
            "holds no gate", path=path, hint='a build would pass on nothing: write gates = ["recall@5:0.8"]'
        )
    if not measures:
        measures = file.measures
    k = k or file.k
    if not measures and not k:
        measures = tuple(measures_named(gates))
    before, run = baseline or file.baseline, run or file.baseline_run
    return Gating(
        gates, measures, k, convention or file.convention, file.threshold, before, file.require, corpus,
        tuple(each for each in (path, before, corpus, run) if each is not None), run,
    )  # fmt: skip
