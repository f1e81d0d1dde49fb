"""`irbridge agentic score`: receipts of anybody, scored."""

from __future__ import annotations

from typing import Any

import click

from irbridge.cli.agentic import fixture_option, gate_of, gate_options, loaded, match_option
from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import OUTPUT


@command(
    "score",
    short_help="Score receipts.",
    arguments=(("RECEIPTS", "JSON Lines or a JSON array of receipts, a report.json, its folder, or '-'."),),
    exits=(
        (0, "scored; the promotion passed, if one was asked for"),
        (1, "the promotion failed"),
        (2, "an input cannot be used, or a receipt is a failure of the harness"),
    ),
    examples=(
        "irbridge agentic score receipts.jsonl",
        "irbridge agentic score theirs.jsonl --match covering -o scores.jsonl",
        "irbridge agentic score receipts.jsonl --baseline lexical --candidate capsule",
    ),
)
@click.argument("receipts")
@fixture_option()
@match_option()
@gate_options()
@option("-o", "--out", metavar="FILE", section=OUTPUT, help="Write the scores there, as JSON Lines.")
@click.pass_context
def score(
    context: click.Context, /, *, receipts: str, fixture: str | None, match: Any, out: str | None, **options: Any
) -> int:
    """Score receipts against the hidden oracles of a fixture, each by itself, in the order they have.

    A receipt that contradicts itself gains nothing by it: its invalid outputs name what does not agree. A promotion
    without replays of evidence bundles fails where the candidate returned any; rescore a report for one with them.
    """
    from irbridge.agentic.page import promotion_blocks, scores_page
    from irbridge.agentic.receipt_files import named, read_receipts
    from irbridge.agentic.records import plain
    from irbridge.agentic.report import pair_of, scores_of
    from irbridge.atomic import atomic_write
    from irbridge.canonical import dumps
    from irbridge.cli.files import check_target
    from irbridge.renderers import Page, Remark, counted

    gate = gate_of(options)
    check_target(out, inputs=(receipts,))
    screen = screen_of(context)
    screen.data_on_stdout = out == "-"
    found = read_receipts(receipts)
    with named(receipts):
        scores = scores_of(loaded(fixture), found, match)
    promotion = None if gate is None else gate.decide(found, scores)
    if out is not None:
        with atomic_write(out) as stream:
            stream.writelines(f"{dumps(plain(each))}\n".encode() for each in scores)
    page = scores_page(found, scores, match)
    twice = len(found) - len({pair_of(each.canonical) for each in found})
    notes = [Remark("note", [f"{counted(twice, 'receipt')} of a pair that an earlier one is of: counted too"], "warn")]
    blocks = [*page.blocks, *(notes if twice else ()), *promotion_blocks(promotion)]
    screen.show(Page(blocks, {**page.data, "promotion": plain(promotion)}))
    if not all(each.scored for each in scores):
        return 2
    return 1 if promotion is not None and not promotion.passed else 0


COMMAND = score
