"""`irbridge agentic verify`: does a report say what its receipts bear out?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irbridge.cli.agentic import fixture_option, loaded
from irbridge.cli.command import command, screen_of

if TYPE_CHECKING:
    from irbridge.agentic.verify import Verified
    from irbridge.renderers import Page


@command(
    "verify",
    short_help="Check anybody's report or receipts, offline.",
    arguments=(("REPORT", "The folder of a run, a report, or receipts, as score takes them."),),
    exits=(
        (0, "everything holds"),
        (1, "something does not"),
        (2, "there is nothing to check, no such fixture, or REPORT was made on another"),
    ),
    examples=("irbridge agentic verify baseline", "irbridge agentic verify theirs --fixture ours --json"),
)
@click.argument("report")
@fixture_option()
@click.pass_context
def verify(context: click.Context, /, *, report: str, fixture: str | None) -> int:
    """Check a report without running anything.

    Form, fingerprints, the matrix, the accounting of every receipt, all evidence against the fixture's corpus, and every
    score and decision, computed again. That the receipts happened at all, nobody can check.
    """
    from irbridge.agentic.verify import verify as checked

    found = checked(report, loaded(fixture))
    screen_of(context).show(_page(found))
    return 1 if found.findings else 0


def _page(found: Verified) -> Page:
    from irbridge.agentic.verify import codes
    from irbridge.renderers import Column, Page, Remark, Table, counted

    blocks: list[Table | Remark] = []
    if found.findings:
        columns = (
            Column("code", "code"),
            Column("where", "where", flexible=True),
            Column("detail", "what", flexible=True),
        )
        blocks.append(Table(columns, found.findings))
        blocks.append(Remark("found", [f"{code} {number:,}" for code, number in codes(found.findings).items()], "bad"))
    said = [f"{counted(found.receipts, 'receipt')} checked"]
    if found.fingerprint or found.unchecked:
        what, verdict = "report", "does not hold" if found.findings else "holds"
    else:
        what, verdict = "receipts", "do not hold" if found.findings else "hold"
    blocks.append(Remark(what, [verdict, *said], "bad" if found.findings else "good"))
    if found.fingerprint:
        blocks.append(Remark("fingerprint", [found.fingerprint]))
    if found.unchecked:
        blocks.append(Remark("unchecked", [", ".join(found.unchecked), "name the folder to check these, too"], "warn"))
    return Page(blocks, found.as_dict())


COMMAND = verify
