"""Options that several commands take, named and explained alike everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from irbridge.arguments import whole_number
from irbridge.cli.command import option
from irbridge.cli.own_measures import measures_from_option, own_measures, say_unused
from irbridge.conventions import CHOICES, PRESETS, Gain
from irbridge.conventions import KNOBS as KNOB_NAMES
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from irbridge.cli.screen import Screen
    from irbridge.conventions import Convention
    from irbridge.formats import Part
    from irbridge.inputs import Input
    from irbridge.measures.base import Measure

F = TypeVar("F", bound=Callable[..., Any])

INPUTS, MEASURES, KNOBS, OUTPUT = "Inputs", "Measures", "Convention: a preset, and single knobs of it", "Output"


def _stacked(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


class Whole(click.IntRange):
    """A whole number in ASCII digits; click's own type takes whatever `int` takes, such as 1_0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            given = whole_number(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"'{value}' is no whole number", param, ctx)
        return super().convert(given, param, ctx)


def judgments_option() -> Callable[[F], F]:
    """`--judgments`, the labels."""
    return option(
        "--judgments", "--qrels", "judgments", metavar="J", required=True, section=INPUTS,
        help="Judgments: a file or folder of any format, '-', FORMAT:path, or irds:ID.",
    )  # fmt: skip


def run_option(*, several: bool = False) -> Callable[[F], F]:
    """`--run`, the ranking; with `several` as often as wanted, and not at all where runs are arguments."""
    return option(
        "--run", metavar="R", required=not several, multiple=several, section=INPUTS,
        help="The run to score: a file of any format, or '-'.",
    )  # fmt: skip


def corpus_option() -> Callable[[F], F]:
    """`--corpus`, what labels are held against."""
    return option(
        "--corpus", metavar="C", section=INPUTS,
        help="What the labels are held against: a corpus of chunks (JSON or JSONL), or documents (a folder of texts or BEIR, irds:ID).",
    )  # fmt: skip


def counted_corpus_option() -> Callable[[F], F]:
    """`--corpus` where it is there for budgets alone."""
    return option(
        "--corpus", metavar="C", section=MEASURES,
        help="The chunks or documents that the runs return, which are counted for budgets such as nDCG@2000tok.",
    )  # fmt: skip


def length_options() -> Callable[[F], F]:
    """`--lengths` and `--tokenizer`, for measures with a budget."""
    return _stacked(
        option(
            "--lengths", metavar="FILE", section=MEASURES,
            help="Lengths of documents, doc_id TAB length, for budgets such as nDCG@2000tok; else --corpus is counted.",
        ),
        option(
            "--tokenizer", metavar="NAME", section=MEASURES,
            help="What a token of --corpus is; ws, the default: what white space sets apart. Not beside --lengths.",
        ),
    )  # fmt: skip


def chunker_option() -> Callable[[F], F]:
    """`--chunker`, where documents are given instead of chunks."""
    return option(
        "--chunker", metavar="SPEC", section=INPUTS,
        help="Chunk documents on the way, such as recursive/512/64; irbridge chunk --list lists the chunkers.",
    )  # fmt: skip


def split_option() -> Callable[[F], F]:
    """`--split`, for collections that have several."""
    return option("--split", metavar="NAME", section=INPUTS, help="The split of a collection that has several.")


def rows_options() -> Callable[[F], F]:
    """What to do about rows that cannot be used."""
    return _stacked(
        option(
            "--drop-bad-rows",
            is_flag=True,
            section=INPUTS,
            help="Leave unusable rows out, each listed, instead of refusing the input.",
        ),
        option("--allow-infinite", is_flag=True, section=INPUTS, help="Accept infinite scores."),
    )


def _cutoffs(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[int, ...]:
    """All numbers of all lists."""
    try:
        found = tuple(whole_number(part) for text in given for part in text.split(","))
    except ValueError:
        found = (0,)
    if any(number < 1 for number in found):
        raise click.BadParameter(
            f"'{' '.join(given)}' is no list of whole numbers from 1, such as 1,5,10", context, parameter
        )
    return found


def measure_options() -> Callable[[F], F]:
    """`-m`, `-k` and `--measures-from`."""
    return _stacked(
        option(
            "-m", "--measures", "measures", multiple=True, metavar="NAMES", section=MEASURES,
            help="Measures by name, separated by spaces, in any dialect: 'nDCG@10 AP', ndcg_cut.10, ndcg@10. "
            "Default: the specification's six. A budget stands for a cutoff: nDCG@2000tok, P@8000chars.",
        ),
        option(
            "-k", "--k", "k", callback=_cutoffs, multiple=True, metavar="K,K,...", section=MEASURES,
            help="Cutoffs for every measure that takes one. Default of the six: 10.",
        ),
        measures_from_option(MEASURES),
    )  # fmt: skip


def _gain(context: click.Context, parameter: click.Parameter, given: str | None) -> Gain | None:
    return None if given is None else Gain.parse(given)


def _choice(name: str, knob: str, text: str) -> Callable[[F], F]:
    return option(name, knob, type=click.Choice(CHOICES[knob]), section=KNOBS, help=text)


def convention_options() -> Callable[[F], F]:
    """`--convention`, and a flag for each of its knobs."""
    return _stacked(
        option(
            "--convention", type=str, metavar="NAME", section=KNOBS,
            help=f"One of {', '.join(PRESETS)}. Default: retrieval-eval for its own measure names, else ir_measures.",
        ),
        option(
            "--rel", "--threshold", "rel", type=Whole(min=1), metavar="N", section=KNOBS,
            help="The lowest grade that binary measures count as relevant.",
        ),
        option("--depth", type=Whole(min=1), metavar="N", section=KNOBS, help="Look at the top N of each ranking only."),
        _choice("--missing", "missing", "A judged query that the run does not answer."),
        option(
            "--gain", callback=_gain, metavar="GAIN", section=KNOBS,
            help="What grades are worth in an nDCG whose name does not say it: linear, exp, or a table: 0=0,1=1,2=5.",
        ),
        _choice("--ties", "ties", "The order of equal scores."),
        _choice("--precision", "precision", "Compare scores as."),
        option("--judged-only", is_flag=True, default=None, section=KNOBS, help="Take unjudged documents out of the ranking first."),
        _choice("--self-retrieval", "self_retrieval", "A document whose id is the query's id."),
        _choice("--duplicates", "duplicates", "A document twice in one ranking."),
        _choice("--no-positives", "no_positives", "A query without a relevant label."),
        option(
            "--level-cuts-gain", is_flag=True, default=None, section=KNOBS,
            help="Grades below --rel gain nothing in nDCG, as in ranx.",
        ),
        _choice("--tied", "tied", "Equal scores count as ordered, best or worst for the run, or as the mean over their orders."),
        _choice("--unjudged", "unjudged", "Unjudged documents as usual, at the worst or best of all grades, or bounds: all three."),
        option(
            "--unjudged-grade", type=Whole(min=1), metavar="N", section=KNOBS,
            help="The highest grade that unjudged documents may have. Default: the highest one of the labels.",
        ),
        _choice("--recall-points", "recall_points", "Rounding of a share of the relevant documents in IPrec and 11pt_avg."),
        _choice("--relevant-total", "relevant_total", "The grades that the sum of NumRel counts where missing queries score 0."),
    )  # fmt: skip


def opened(screen: Screen, what: str, part: Part, *, split: str | None = None, **settings: Any) -> Input:
    """An input, watched by a progress bar."""
    from irbridge.inputs import Input

    if not what:
        raise UsageError(f"--{part} names nothing")
    source = Input(what, part, split=split, **settings)
    bar = screen.bar(source.label, total_bytes(source))
    source.watch(None if bar is None else bar.advance)
    return source


_STANDARD_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def two_inputs(judgments: str, run: str) -> None:
    """Raise a UsageError where both come from the one standard input."""
    if judgments in _STANDARD_INPUT and run in _STANDARD_INPUT:
        raise UsageError("judgments and run cannot both come from standard input", hint="save one of them to a file")


def total_bytes(source: Input) -> int | None:
    """How many bytes reading will give, or None where that is unknown: a pipe, a folder, a compressed file."""
    import os

    if source.size is None or source.source.name != os.path.basename(source.source.path):
        return None
    return source.size


def chosen(
    names: tuple[str, ...], cutoffs: tuple[int, ...], convention: str | None, knobs: dict[str, Any]
) -> tuple[list[Measure], Convention]:
    """Measures and the convention as the options say."""
    from irbridge.api import chosen_convention, chosen_measures

    measures = chosen_measures(list(names) or None, list(cutoffs) or None)
    under = chosen_convention(convention, measures, **knobs)
    if names:
        say_unused(measures)
    else:  # after the convention, which stays that of the default measures
        measures.extend(own_measures(cutoffs or (10,)))
    return measures, under


def taken(options: dict[str, Any]) -> dict[str, Any]:
    """The knobs among a command's options, removed from them."""
    return {knob: options.pop(knob) for knob in KNOB_NAMES}
