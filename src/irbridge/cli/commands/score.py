"""`irbridge score`: a run against judgments."""

from __future__ import annotations

from typing import Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.dropped import with_dropped
from irbridge.cli.gating import gate_options, gating
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
    heading="Measure",
    exits=(
        (0, "scored, and every gate passed"),
        (1, "the verdict is FAIL or INDETERMINATE: a gate, nothing scored, or unsound labels"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge score --judgments judgments.jsonl --run hits.jsonl -k 5,10",
        "irbridge score --judgments qrels.txt --run bm25.run.gz -m 'nDCG@10 AP RR@10'",
        "irbridge score --judgments irds:beir/scifact/test --run my.run -m nDCG@10",
        "irbridge score --judgments q.txt --run r.txt --convention beir -m official",
        "irbridge score --judgments q.txt --run r.txt --per-query rows.csv --json",
        "irbridge score --judgments j.jsonl --run hits.jsonl -k 5 --gate recall@5:0.8",
        "irbridge score --judgments j.jsonl --run hits.jsonl --gates gates.toml --json",
    ),
)
@judgments_option()
@run_option()
@split_option()
@rows_options()
@measure_options()
@gate_options()
@convention_options()
@option(
    "--per-query",
    metavar="FILE",
    section=OUTPUT,
    help="Write rows query_id, measure, value as .jsonl, .csv or .tsv ('-': JSONL).",
)
@option("-o", "--out", metavar="FILE", section=OUTPUT, help="Write the report as JSON.")
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

    \b
    A gate is one of
      recall@5:0.8                the measure is at least so high
      recall@5:-0.02              it fell by no more against --baseline
      recall@5:+0.01              it rose by no less
      worst-stratum:recall@5:0.7  the weakest stratum is at least so high
      faithfulness:ci-lower:0.8   the lower end of its interval is
      recall@5:delta-lower:-0.02  it is not worse than --baseline-run by more,
                                  beyond what chance does
    """  # noqa: D301 - click takes the character itself for a block that is not to be wrapped
    from irbridge.assessment import assess
    from irbridge.cli.files import check_target, write
    from irbridge.pages import per_query_page, score_page
    from irbridge.renderers import RENDERERS, for_file

    screen = screen_of(context)
    two_inputs(judgments, run)
    rows_as = None if per_query is None else RENDERERS.get("jsonl") if per_query == "-" else for_file(per_query)
    asked_for = gating(options, measures, k, convention)
    if [judgments, run, *asked_for.inputs].count("-") > 1:
        raise UsageError("only one input can come from standard input", hint="save the others to files")
    for target in (per_query, out):
        check_target(target, inputs=(judgments, run, *asked_for.inputs))
    if per_query is not None and per_query == out and out != "-":
        raise UsageError("--per-query and --out name the same file", hint="name two")
    screen.data_on_stdout = "-" in {per_query, out}
    knobs = taken(options)
    if knobs["rel"] is None:
        knobs["rel"] = asked_for.threshold
    asked, under = chosen(asked_for.measures, asked_for.k, asked_for.convention, knobs)
    labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    ranked = opened(screen, run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite)
    earlier = None
    if asked_for.baseline_run is not None:
        earlier = opened(
            screen, asked_for.baseline_run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite
        )
    report = assess(
        labels, ranked, asked, under, digests=screen.json or out is not None, gates=asked_for.gates,
        baseline=asked_for.baseline, require=asked_for.require, corpus=asked_for.corpus, baseline_run=earlier,
    )  # fmt: skip
    page = with_dropped(score_page(report), labels, ranked)
    if rows_as is not None and per_query is not None:
        write(per_query, rows_as, per_query_page(report.scores))
    if out is not None:
        write(out, RENDERERS.get("json"), page)
    screen.show(page)
    return 0 if report.verdict.status == "PASS" else 1


COMMAND = score
