"""`irbridge review`: the labels that need a person, decided on a page or in the terminal, and written back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.labels import call_of, opened_corpus, undone
from irbridge.cli.options import (
    INPUTS,
    OUTPUT,
    chunker_option,
    corpus_option,
    judgments_option,
    opened,
    split_option,
)
from irbridge.errors import UsageError
from irbridge.piped import Pipe

if TYPE_CHECKING:
    from irbridge.cli.screen import Screen
    from irbridge.corpora import Corpus
    from irbridge.inputs import Input
    from irbridge.review.queue import Queue

REVIEW, WRITE = "Reviewing", "Writing labels"


@command(
    "review",
    short_help="Decide the labels that drift leaves to a person.",
    heading="Labels",
    exits=(
        (0, "the page was written, the session ended, or the labels were"),
        (1, "with --leave-changed: a decision was left out"),
        (2, "the call or an input cannot be used; nothing was written"),
    ),
    examples=(
        "irbridge review --judgments j.jsonl --corpus c.jsonl --html queue.html",
        "irbridge review --judgments j.jsonl --corpus c.jsonl --decisions d.jsonl",
        "irbridge review --judgments j.jsonl --corpus c.jsonl --apply d.jsonl",
        "irbridge review --judgments j.jsonl --undo",
    ),
)
@judgments_option()
@corpus_option()
@chunker_option()
@option(
    "--made-on", metavar="OLD", section=INPUTS,
    help="The corpus or documents that the labels were made on: gives labels that keep no text their text.",
)  # fmt: skip
@split_option()
@option("--html", metavar="PAGE", section=REVIEW, help="Write the queue as one HTML page that works without a network.")
@option(
    "--decisions", metavar="D", section=REVIEW,
    help="Review in the terminal; decisions are added to this file as they are made, and a later call goes on with it.",
)  # fmt: skip
@option("--by", metavar="NAME", section=REVIEW, help="The reviewer, written as human:NAME. Asked for otherwise.")
@option("--apply", "apply", metavar="D", section=WRITE, help="Write the labels that these decisions make.")
@option(
    "--leave-changed", is_flag=True, section=WRITE,
    help="Leave decisions about labels that were changed meanwhile out, each listed, instead of refusing all.",
)  # fmt: skip
@option("--undo", is_flag=True, section=WRITE, help="Give the file its bytes of before the last --apply.")
@option(
    "-o", "--out", metavar="OUT", section=OUTPUT, help="With --apply: write here and leave the judgments as they are."
)
@click.pass_context
def review(
    context: click.Context,
    /,
    *,
    judgments: str,
    corpus: str | None,
    chunker: str | None,
    made_on: str | None,
    split: str | None,
    html: str | None,
    decisions: str | None,
    by: str | None,
    apply: str | None,
    leave_changed: bool,
    undo: bool,
    out: str | None,
) -> int:
    """Show a person each split or orphaned label beside the chunks that could carry it now, and write back what was decided.

    With --html as a page for a browser, with --decisions in this terminal, with --json as data. Nothing is changed until
    --apply, which signs each label with the reviewer's name and leaves a journal for --undo.
    """
    screen = screen_of(context)
    _check(html, decisions, apply, out, by, leave_changed=leave_changed, undo=undo)
    if undo:
        return undone(screen, judgments, "the decisions were applied")
    if apply is not None:
        return _applied(screen, judgments, apply, corpus, chunker, made_on, out, split, leave_changed=leave_changed)
    if corpus is None:
        raise UsageError("--corpus is missing: labels are reviewed against it", hint="--corpus corpus.jsonl")
    if html is None and decisions is None and not screen.json:
        raise UsageError(
            "say how to review: --html for a page, --decisions for this terminal",
            hint="--html queue.html, or --decisions decisions.jsonl",
        )
    inputs = tuple(name for name in (judgments, corpus, made_on) if name is not None)
    from irbridge.cli.files import check_target

    check_target(html, inputs=inputs)
    check_target(decisions, inputs=inputs)
    source = opened(screen, judgments, "judgments", split=split)
    from irbridge.review.workflow import queued

    live = opened_corpus(screen, corpus, chunker)
    old = None if made_on is None else opened_corpus(screen, made_on)
    queue = queued(source, live, old)
    piped = [name for name, each in (("labels", source), ("corpus", live), ("old corpus", old)) if _is_piped(each)]
    again = "irbridge review " + call_of(
        {"--judgments": judgments, "--corpus": corpus, "--chunker": chunker, "--made-on": made_on}
    )
    if piped:
        again = f"save the {' and the '.join(piped)} to {'a file, and name that' if len(piped) == 1 else 'files, and name those'} with"
    if html is None and decisions is not None and queue.items:
        return _session(screen, queue, decisions, by, again)
    return _page(screen, queue, html, by, again)


def _is_piped(what: Input | Corpus | None) -> bool:
    """Whether it comes from a pipe, so that a command that names it cannot be given again."""
    return what is not None and isinstance(what.source, Pipe)


def _check(
    html: str | None, decisions: str | None, apply: str | None, out: str | None, by: str | None,
    *, leave_changed: bool, undo: bool,
) -> None:  # fmt: skip
    if undo and (html or decisions or apply or out):
        raise UsageError("--undo goes alone", hint="undo first, then go on")
    if html is not None and decisions is not None:
        raise UsageError("--html makes a page and --decisions reviews in the terminal; name one of them")
    if apply is not None and (html or decisions):
        raise UsageError("--apply writes labels of decisions that were made", hint="review first, without --apply")
    if apply is None and (out is not None or leave_changed):
        raise UsageError("--out and --leave-changed go with --apply", hint="--apply decisions.jsonl")
    if by is not None:
        from irbridge.review.decisions import name_fault

        wrong = name_fault(by)
        if wrong:
            raise UsageError(f"the name of --by {wrong}", hint="--by ana")


def _page(screen: Screen, queue: Queue, html: str | None, by: str | None, again: str) -> int:
    from irbridge.review.screens import queue_page

    following: list[tuple[str, ...]] = []
    if html is not None:
        from irbridge.atomic import atomic_write
        from irbridge.review.page import page

        with atomic_write(html) as stream:
            stream.write(page(queue, by))
        screen.data_on_stdout = html == "-"
        following = [(f"{again} --apply decisions.jsonl", "with the file that the page exports")]
    screen.show(queue_page(queue, html, following))
    return 0


def _session(screen: Screen, queue: Queue, decisions: str, by: str | None, again: str) -> int:
    if screen.json:
        raise UsageError("--json prints the queue, --decisions reviews it in the terminal; name one of them")
    import sys

    from irbridge.cli.reviewing import asked_name, carry_out
    from irbridge.provenance import now
    from irbridge.review.log import Log
    from irbridge.review.screens import session_page
    from irbridge.review.session import Session

    screen.clear()
    with Log(decisions) as log:
        name = by or asked_name()
        session = Session(queue, log, name or "", now)
        if name is not None:
            carry_out(session, screen.look(sys.stdout))
        done, _, left = session.counts()
        following = [(f"{again} {call_of({'--decisions': decisions})}", "goes on")] if left else []
        following += [(f"{again} {call_of({'--apply': decisions})}", "writes the labels")] if done else []
        screen.show(session_page(session, following))
    return 0


def _applied(
    screen: Screen, judgments: str, decisions: str, corpus: str | None, chunker: str | None,
    made_on: str | None, out: str | None, split: str | None, *, leave_changed: bool,
) -> int:  # fmt: skip
    if split is not None:
        raise UsageError("--split chooses among labels, and --apply writes all of the file", hint="leave --split out")
    if chunker is not None and corpus is None:
        raise UsageError("--chunker says how to chunk a corpus, and no --corpus is named")
    from irbridge.cli.files import check_target
    from irbridge.review.screens import applied_page
    from irbridge.review.workflow import apply

    check_target(out, inputs=tuple(name for name in (judgments, decisions, corpus) if name is not None))
    source = opened(screen, judgments, "judgments")
    live = None if corpus is None else opened_corpus(screen, corpus, chunker)
    done = apply(decisions, source, live, out, leave_changed=leave_changed)
    following = (
        [(f"irbridge review {call_of({'--judgments': judgments})} --undo", "takes it back")] if done.journal else []
    )
    changed = done.applied.decided or done.applied.removed
    if changed and made_on is not None and corpus is not None and not _is_piped(live):
        given = {"--judgments": judgments if out is None else "OUT.jsonl" if out == "-" else out, "--corpus": corpus}
        call = f"irbridge drift {call_of({**given, '--chunker': chunker})}"
        following.append((call, "what was decided is of this corpus now: no --made-on any more"))
    screen.data_on_stdout = out == "-"
    screen.show(applied_page(done, out or judgments, following))
    return 1 if done.applied.left_out else 0


COMMAND = review
