"""`irbridge score`: a run against judgments."""

from __future__ import annotations

from typing import Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import (
    OUTPUT,
    chosen,
    convention_options,
    judgments_option,
    measure_options,
    opened,
    rows_options,
    run_option,
    split_option,
    taken,
    two_inputs,
)
from irbridge.errors import UsageError


@command(
    "score",
    short_help="Score a run against judgments.",
    exits=(
        (0, "scored"),
        (1, "the verdict is not PASS: nothing could be scored"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge score --judgments judgments.jsonl --run hits.jsonl -k 5,10",
        "irbridge score --judgments qrels.txt --run bm25.run.gz -m 'nDCG@10 AP RR@10'",
        "irbridge score --judgments irds:beir/scifact/test --run my.run -m nDCG@10",
        "irbridge score --judgments q.txt --run r.txt --convention beir -m official",
        "irbridge score --judgments q.txt --run r.txt --per-query rows.csv --json",
    ),
)
@judgments_option()
@run_option()
@split_option()
@rows_options()
@measure_options()
@convention_options()
@option(
    "--per-query",
    metavar="FILE",
    section=OUTPUT,
    help="Write rows query_id, measure, value as .jsonl or .csv ('-': JSONL).",
)
@option("--out", metavar="FILE", section=OUTPUT, help="Write the report as JSON.")
@click.pass_context
def score(
    context: click.Context,
    /,
    *,
    judgments: str,
    run: str,
    split: str | None,
    drop_bad_rows: bool,
    allow_infinite: bool,
    measures: tuple[str, ...],
    k: tuple[int, ...],
    convention: str | None,
    per_query: str | None,
    out: str | None,
    **options: Any,
) -> int:
    """Score a run with native measures.

    Without -m the six measures of the judgments specification at k=10. Each mean comes with its 95% interval over
    queries, and below the table stands what one has to know to trust it: the convention, missing, extra and unjudged
    queries, repeated documents.
    """
    from irbridge.cli.files import check_target, write
    from irbridge.pages import per_query_page, score_page
    from irbridge.renderers import RENDERERS, for_file
    from irbridge.report import build

    screen = screen_of(context)
    two_inputs(judgments, run)
    rows_as = (
        None
        if per_query is None
        else RENDERERS.get("jsonl")
        if per_query == "-"
        else for_file(per_query, ("jsonl", "csv"))
    )
    for target in (per_query, out):
        check_target(target, inputs=(judgments, run))
    if per_query is not None and per_query == out and out != "-":
        raise UsageError("--per-query and --out name the same file", hint="name two")
    screen.data_on_stdout = "-" in {per_query, out}
    asked, under = chosen(measures, k, convention, taken(options))
    labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    ranked = opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
    report = build(labels, ranked, asked, under, digests=screen.json or out is not None)
    page = score_page(report)
    if rows_as is not None and per_query is not None:
        write(per_query, rows_as, per_query_page(report.scores))
    if out is not None:
        write(out, RENDERERS.get("json"), page)
    screen.show(page)
    return 0 if report.verdict.status == "PASS" else 1


COMMAND = score
