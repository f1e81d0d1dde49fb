"""`irbridge fmt`: the canonical form of judgments files."""

from __future__ import annotations

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.errors import InputError, InputErrors, UsageError


@command(
    "fmt",
    short_help="Bring judgments files into canonical form.",
    heading="Labels",
    arguments=(("FILE", "Judgments JSONL; '-' reads standard input and writes standard output."),),
    exits=(
        (0, "every file is in canonical form now"),
        (1, "with --check: a file is not"),
        (2, "the call or a file cannot be used; that file was left as it is"),
    ),
    examples=(
        "irbridge fmt judgments.jsonl",
        "irbridge fmt --check a.jsonl b.jsonl",
        "irbridge fmt --drop-comments judgments.jsonl",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option("--check", is_flag=True, help="Change nothing; list the files that are not in canonical form.")
@option(
    "--drop-comments", is_flag=True, help="Leave lines that begin with // out. They are kept in their places otherwise."
)
@click.pass_context
def fmt(context: click.Context, /, *, files: tuple[str, ...], check: bool, drop_comments: bool) -> int:
    """Bring judgments files into the one canonical form: fields in order, compact JSON, one label a line.

    Labels keep their order, so that a rewritten file shows in a review what was changed and nothing else.
    """
    from irbridge.judgments.canonical_form import Formatted
    from irbridge.judgments.canonical_form import fmt as carried_out
    from irbridge.renderers import Page, Remark

    if files.count("-") > 1:
        raise UsageError("standard input can be named once")
    done: list[Formatted] = []
    failed: list[InputError] = []
    for path in files:
        try:
            done.append(carried_out(path, check=check, drop_comments=drop_comments))
        except InputError as error:  # the other files can still be done
            failed.extend(error.errors if isinstance(error, InputErrors) else [error])
    if failed:
        raise InputErrors(failed)
    screen = screen_of(context)
    screen.data_on_stdout = "-" in files and not check
    changed = [each for each in done if each.changed]
    word, tone = ("differs", "warn") if check else ("rewrote", "good")
    blocks = [Remark(word, [each.path], "warn" if tone == "warn" else "good") for each in changed]
    if not changed:
        blocks = [Remark("canonical", ["every file is in canonical form"], "good")]
    screen.show(Page(tuple(blocks), {"files": [each.as_dict() for each in done], "check": check}))
    return 1 if check and changed else 0


COMMAND = fmt
