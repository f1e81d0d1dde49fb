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
    length_options,
    measure_options,
    opened,
    rows_options,
    run_option,
    split_option,
    taken,
    two_inputs,
)
from irbridge.cli.own_measures import measure_files
from irbridge.errors import UsageError, shown


@command(
    "score",
    short_help="Score a run against judgments.",
    heading="Measure",
    arguments=(("RUNS", "Like --run, for several runs on the same labels."),),
    exits=(
        (0, "scored, and every gate passed"),
        (1, "a verdict is FAIL or INDETERMINATE: a gate, nothing scored, or unsound labels"),
        (2, "the call or an input cannot be used"),
    ),
    examples=(
        "irbridge score --judgments judgments.jsonl --run hits.jsonl -k 5,10",
        "irbridge score --judgments qrels.txt --run bm25.run.gz -m 'nDCG@10 AP RR@10'",
        "irbridge score --judgments irds:beir/scifact/test --run my.run -m nDCG@10",
        "irbridge score --judgments q.txt --run r.txt --convention beir -m official",
        "irbridge score --judgments q.txt --run r.txt -m 'nDCG@10 AP' --unjudged bounds",
        "irbridge score --judgments q.txt --run r.txt --per-query rows.csv --json",
        "irbridge score --judgments q.txt --run r.txt --corpus c.jsonl -m nDCG@2000tok",
        "irbridge score --judgments qrels.txt -m 'nDCG@10 AP' *.run",
        "irbridge score --judgments j.jsonl --run hits.jsonl -k 5 --gate recall@5:0.8",
        "irbridge score --judgments j.jsonl --run hits.jsonl --gates gates.toml --json",
    ),
)
@click.argument("runs", nargs=-1)
@judgments_option()
@run_option(several=True)
@split_option()
@rows_options()
@measure_options()
@length_options()
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
    runs: tuple[str, ...],
    judgments: str,
    run: tuple[str, ...],
    split: str | None,
    drop_bad_rows: bool,
    allow_infinite: bool,
    measures: tuple[str, ...],
    k: tuple[int, ...],
    convention: str | None,
    per_query: str | None,
    out: str | None,
    lengths: str | None,
    tokenizer: str | None,
    **options: Any,
) -> int:
    """Score a run with native measures.

    Without -m the six measures of the judgments specification at k=10. Each mean comes with its 95% interval over
    queries, and below the table stands what one has to know to trust it: the convention, missing, extra and unjudged
    queries, repeated documents.

    Of several runs the table shows each, --json and --out make a list of reports, the rows of --per-query begin with the
    run, and gates hold for each run.

    \b
    A gate is one of
      recall@5:0.8                the measure is at least so high
      recall@5:-0.02              it fell by no more against --baseline
      recall@5:+0.01              it rose by no less
      worst-stratum:recall@5:0.7  the weakest stratum is at least so high
      faithfulness:ci-lower:0.8   the lower end of its interval is
      recall@5:unjudged-lower:0.7 it is, whatever grades unjudged documents
                                  have, under --unjudged bounds
      recall@5:delta-lower:-0.02  it is not worse than --baseline-run by more,
                                  beyond what chance does
    """  # noqa: D301 - click takes the character itself for a block that is not to be wrapped
    from irbridge.assessment import assess_runs
    from irbridge.cli.files import check_target, write
    from irbridge.pages import per_query_page, runs_page, runs_per_query_page, score_page
    from irbridge.renderers import RENDERERS, for_file

    screen = screen_of(context)
    if lengths == "":
        raise UsageError("--lengths names nothing")
    runs = (*run, *runs)
    if not runs:
        raise click.UsageError("missing option '--run'", context)
    for each in runs:
        two_inputs(judgments, each)
    rows_as = None if per_query is None else RENDERERS.get("jsonl") if per_query == "-" else for_file(per_query)
    asked_for = gating(options, measures, k, convention)
    inputs = (judgments, *runs, *asked_for.inputs, *([] if lengths is None else [lengths]))
    if inputs.count("-") > 1:
        raise UsageError("only one input can come from standard input", hint="save the others to files")
    for target in (per_query, out):
        check_target(target, inputs=(*inputs, *measure_files()))
    if per_query is not None and per_query == out and out != "-":
        raise UsageError("--per-query and --out name the same file", hint="name two")
    screen.data_on_stdout = "-" in {per_query, out}
    knobs = taken(options)
    if knobs["rel"] is None:
        knobs["rel"] = asked_for.threshold
    asked, under = chosen(asked_for.measures, asked_for.k, asked_for.convention, knobs)
    labels = opened(screen, judgments, "judgments", split=split, drop_bad_rows=drop_bad_rows)
    ranked = [opened(screen, each, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite) for each in runs]
    earlier = None
    if asked_for.baseline_run is not None:
        earlier = opened(
            screen, asked_for.baseline_run, "run", drop_bad_rows=drop_bad_rows, allow_infinite=allow_infinite
        )
    reports = assess_runs(
        labels, ranked, asked, under, digests=screen.json or out is not None, gates=asked_for.gates,
        baseline=asked_for.baseline, require=asked_for.require, corpus=asked_for.corpus, baseline_run=earlier,
        lengths=lengths, tokenizer=tokenizer,
    )  # fmt: skip
    pages = [with_dropped(score_page(report), labels, source) for report, source in zip(reports, ranked, strict=True)]
    page, rows = pages[0], per_query_page(reports[0].scores)
    if len(runs) > 1:
        names = [shown(source.label, 200) for source in ranked]
        page = runs_page(list(zip(names, reports, pages, strict=True)))
        rows = runs_per_query_page([(name, report.scores) for name, report in zip(names, reports, strict=True)])
    if rows_as is not None and per_query is not None:
        write(per_query, rows_as, rows)
    if out is not None:
        write(out, RENDERERS.get("json"), page)
    screen.show(page)
    return 0 if all(report.verdict.status == "PASS" for report in reports) else 1


COMMAND = score
