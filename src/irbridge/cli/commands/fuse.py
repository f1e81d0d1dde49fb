"""`irbridge fuse`: several runs become one."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, KNOBS, OUTPUT, Whole, opened
from irbridge.conventions import CHOICES
from irbridge.errors import UsageError


@command(
    "fuse",
    short_help="Make one run of several.",
    heading="Measure",
    arguments=(("RUNS", "Two runs or more, of any format."),),
    exits=((0, "written"), (2, "nothing was written; an old file is as it was")),
    examples=(
        "irbridge fuse bm25.run dense.run -o fused.run --to trec-run",
        "irbridge fuse a.run b.run c.run --by rrf/20 --depth 100 -o fused.run.jsonl",
        "irbridge fuse a.run b.run --by combsum --norm zmuv --to trec-run > fused.run",
    ),
)
@click.argument("runs", nargs=-1, required=True)
@option(
    "--by", metavar="WAY", default="rrf", section=INPUTS,
    help="How: rrf (the default; rrf/K sets its constant, 60), combsum or combmnz.",
)  # fmt: skip
@option(
    "--norm", metavar="NAME", section=INPUTS,
    help="How scores become comparable, for combsum and combmnz: minmax (the default), sum, zmuv, rank, none.",
)  # fmt: skip
@option("--allow-infinite", is_flag=True, section=INPUTS, help="Accept infinite scores.")
@option("--depth", type=Whole(min=1), metavar="N", section=KNOBS, help="Look at the top N of each ranking only.")
@option(
    "--ties", type=click.Choice(CHOICES["ties"]), default="docid-desc", section=KNOBS, help="The order of equal scores."
)
@option("--top", type=Whole(min=1), metavar="N", section=OUTPUT, help="Keep N documents of each query. Default: all.")
@option(
    "--to", "target", metavar="FORMAT", section=OUTPUT,
    help="The format to write. Default: what OUT's suffix stands for, on standard output that of the first run.",
)  # fmt: skip
@option("-o", "--out", metavar="OUT", default="-", section=OUTPUT, help="The run to write. Default: standard output.")
@click.pass_context
def fuse(
    context: click.Context,
    /,
    *,
    runs: tuple[str, ...],
    by: str,
    norm: str | None,
    allow_infinite: bool,
    depth: int | None,
    ties: str,
    top: int | None,
    target: str | None,
    out: str,
) -> int:
    """Fuse the rankings of several systems, query by query.

    A document that a run does not return gets nothing from it. Documents of equal score stand in the descending order of
    their ids, so that every tool that reads the fused run finds the same order (spec/statistics.md).
    """
    from irbridge.cli.files import check_target
    from irbridge.cli.targets import target_by_suffix
    from irbridge.comparison.fusing import fuse as carried_out
    from irbridge.comparison.fusing import way_of
    from irbridge.comparison.run_pages import fuse_page
    from irbridge.formats import FORMATS
    from irbridge.runfile import write_run

    way_of(by, norm)
    if runs.count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    check_target(out, inputs=runs)
    sources = [opened(screen, run, "run", allow_infinite=allow_infinite) for run in runs]
    form = FORMATS.get(target) if target else sources[0].format if out == "-" else target_by_suffix(out, "run")
    done = carried_out(sources, by, norm, depth=depth, top=top, ties=ties)
    losses = write_run(done, form, out)
    screen.show(fuse_page(done, losses, form.name, out))
    return 0


COMMAND = fuse
