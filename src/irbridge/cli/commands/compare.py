"""`irbridge compare`: is one system better than another, and can this set of queries tell?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.dropped import with_dropped
from irbridge.cli.numbers import Number
from irbridge.cli.options import (
    INPUTS,
    OUTPUT,
    Whole,
    chosen,
    convention_options,
    counted_corpus_option,
    judgments_option,
    length_options,
    measure_options,
    opened,
    rows_options,
    split_option,
    taken,
)
from irbridge.cli.own_measures import measure_files
from irbridge.errors import UsageError

if TYPE_CHECKING:
    from irbridge.comparison.result import Comparison
    from irbridge.renderers import Page, Renderer

TESTS = "Statistics"


@command(
    "compare",
    short_help="Is one system better than another?",
    heading="Measure",
    arguments=(("RUNS", "Runs of any format, one for each system."),),
    exits=((0, "compared, whatever came out"), (2, "the call or an input cannot be used")),
    examples=(
        "irbridge compare --judgments qrels.txt bm25.run dense.run -m 'nDCG@10 AP'",
        "irbridge compare --judgments j.jsonl a.run b.run c.run --baseline b",
        "irbridge compare --judgments q.txt a.run b.run --test t,sign-flip,wilcoxon",
        "irbridge compare --judgments j.jsonl a.run b.run --cluster-by document",
        "irbridge compare --judgments q.txt a.run b.run -m nDCG@10 --out table.tex",
        "irbridge compare --judgments q.txt *.run --other-judgments llm.qrels",
        "irbridge compare --judgments q a.run b.run --corpus c -m nDCG@2000tok",
    ),
)
@click.argument("runs", nargs=-1, required=True)
@judgments_option()
@split_option()
@rows_options()
@option("--names", metavar="A,B,...", section=INPUTS, help="What the systems are called. Default: their files' names.")
@option(
    "--other-judgments", metavar="J2", section=INPUTS,
    help="Also say whether J2 puts the systems in the same order (tau, tau-ap).",
)  # fmt: skip
@measure_options()
@counted_corpus_option()
@length_options()
@option(
    "--baseline", metavar="N|NAME", default="1", section=TESTS,
    help="What the others are held against: a system's name or number. Default: 1.",
)  # fmt: skip
@option(
    "--test", "test", metavar="NAMES", default="t", section=TESTS,
    help="Paired tests, the first of which decides: t (the default), sign-flip, wilcoxon; separated by commas.",
)  # fmt: skip
@option(
    "--correction", metavar="NAME", default="holm", section=TESTS,
    help="For all systems and measures together: holm (the default), bh, bonferroni, none.",
)  # fmt: skip
@option("--alpha", type=Number(0, 0.5), metavar="A", default=0.05, section=TESTS, help="The level. Default: 0.05.")
@option(
    "--margin", type=Number(0, 1e9), metavar="D", section=TESTS,
    help="Differences below D do not matter: say 'same' where they are ruled out.",
)  # fmt: skip
@option(
    "--cluster-by", metavar="WHAT", section=TESTS,
    help="Queries that depend on each other: topic, document, or a field of the labels.",
)  # fmt: skip
@option("--seed", type=Whole(min=0), metavar="N", default=0, section=TESTS, help="Of everything random. Default: 0.")
@convention_options()
@option(
    "--per-query", metavar="FILE", section=OUTPUT,
    help="Write rows system, query_id, measure, value as .jsonl, .csv or .tsv.",
)  # fmt: skip
@option(
    "--out", metavar="FILE", section=OUTPUT,
    help="Write the comparison as its suffix says: .tex, .md, .csv, .tsv, .jsonl, .json or .txt.",
)  # fmt: skip
@click.pass_context
def compare(
    context: click.Context,
    /,
    *,
    runs: tuple[str, ...],
    judgments: str,
    split: str | None,
    drop_bad_rows: bool,
    allow_infinite: bool,
    names: str | None,
    other_judgments: str | None,
    measures: tuple[str, ...],
    k: tuple[int, ...],
    corpus: str | None,
    lengths: str | None,
    tokenizer: str | None,
    baseline: str,
    test: str,
    correction: str,
    alpha: float,
    margin: float | None,
    cluster_by: str | None,
    seed: int,
    convention: str | None,
    per_query: str | None,
    out: str | None,
    **options: Any,
) -> int:
    """Compare systems on the same labels, query by query.

    Of each difference from the baseline: its interval, wins, ties and losses, p values corrected for how many comparisons
    are made, the effect size g, and the smallest difference that so many queries could show. Where nothing can be told, that
    is what is said, and why (spec/statistics.md). The verdict is about other queries; under --unjudged bounds `certain` says
    whether unjudged documents could turn the change on these.
    """
    from irbridge.cli.files import check_target, write
    from irbridge.comparison.comparing import compare as carried_out
    from irbridge.comparison.page import compared_per_query_page, comparison_page
    from irbridge.comparison.plan import plan as planned

    screen = screen_of(context)
    for name, given in (("--corpus", corpus), ("--lengths", lengths)):
        if given == "":
            raise UsageError(f"{name} names nothing")
    inputs = (judgments, *runs, *(each for each in (other_judgments, corpus, lengths) if each is not None))
    if inputs.count("-") > 1 or ("-" in runs and other_judgments is not None):
        raise UsageError("standard input can be read once", hint="save it to a file")
    if per_query is not None and per_query == out:
        raise UsageError("--per-query and --out name the same file", hint="name two")
    rows_as, out_as = _renderers(per_query, out)
    for target in (per_query, out):
        check_target(target, inputs=(*inputs, *measure_files()))
    plan = planned(test, correction, alpha, margin, seed, cluster_by)
    asked, under = chosen(measures, k, convention, taken(options))
    labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    systems = [opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite) for run in runs]
    others = None
    if other_judgments is not None:
        others = opened(screen, other_judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    found = carried_out(
        labels, systems, asked, under, plan, names=None if names is None else names.split(","),
        baseline=baseline if len(runs) > 1 else None, first=1, other_judgments=others,
        corpus=corpus, lengths=lengths, tokenizer=tokenizer,
        digests=screen.json or (out_as is not None and out_as.name == "json"),
    )  # fmt: skip
    if per_query is not None and rows_as is not None:
        write(per_query, rows_as, compared_per_query_page(found))
    if out is not None and out_as is not None:
        write(out, out_as, _page(found, out_as))
    screen.show(with_dropped(comparison_page(found), labels, *systems, *([others] if others is not None else [])))
    return 0


def _renderers(per_query: str | None, out: str | None) -> tuple[Renderer | None, Renderer | None]:
    from irbridge.renderers import RENDERERS, for_file

    return (
        None if per_query is None else for_file(per_query),
        None if out is None else for_file(out, tuple(RENDERERS.names())),
    )


def _page(found: Comparison, renderer: Renderer) -> Page:
    """What a renderer is to write: rows for programs, a table for a paper, or what a screen shows."""
    from irbridge.comparison.page import comparison_page, paper_page, rows_page

    if renderer.rows:
        return rows_page(found)
    return comparison_page(found) if renderer.name in {"text", "json"} else paper_page(found)


COMMAND = compare
