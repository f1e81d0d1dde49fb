"""`irbridge agentic from-judgments`: labels of spans become a fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from irbridge.cli.command import command, option, screen_of
from irbridge.cli.options import INPUTS, OUTPUT, Whole, judgments_option, opened, split_option

if TYPE_CHECKING:
    from irbridge.agentic.from_judgments import Made
    from irbridge.renderers import Page

_TASKS = "What a task is"


@command(
    "from-judgments",
    short_help="Labels of spans become tasks.",
    exits=(
        (0, "every query became a task"),
        (1, "some did not, each with the reason; the fixture is written"),
        (2, "the call or an input cannot be used; nothing was written"),
    ),
    examples=(
        "irbridge agentic from-judgments --judgments s.jsonl --documents docs -o t",
        "irbridge agentic from-judgments --judgments s --documents d -o t --rel 2",
    ),
)
@judgments_option()
@option(
    "--documents",
    metavar="D",
    required=True,
    section=INPUTS,
    help="What they are about: a BEIR folder, irds:ID, JSONL.",
)
@option("--queries", metavar="Q", section=INPUTS, help="The texts of the queries, where the labels do not hold them.")
@split_option()
@option(
    "--claim", type=click.Choice(("evidence", "answer")), default="evidence", section=_TASKS,
    help="Ask for the lines of the spans only (the default), or for their text as the answer, too.",
)  # fmt: skip
@option(
    "--rel",
    "relevance",
    type=Whole(min=1),
    default=1,
    metavar="N",
    section=_TASKS,
    help="The lowest grade that counts.",
)
@option(
    "--collection-size", "documents_each", type=Whole(min=1), default=20, metavar="N", section=_TASKS,
    help="Documents of each task, those of its spans among them. Default: 20.",
)  # fmt: skip
@option(
    "--max-spans", "spans", type=Whole(min=1), default=8, metavar="N", section=_TASKS,
    help="Leave queries with more spans out: all are required. Default: 8.",
)  # fmt: skip
@option(
    "--calls", type=Whole(min=1), default=3, metavar="N", section=_TASKS, help="The budget of agent calls. Default: 3."
)
@option(
    "--bytes", "byte_budget", type=Whole(min=1), default=12_000, metavar="N", section=_TASKS,
    help="The budget of bytes shown. Default: 12000.",
)  # fmt: skip
@option("--license", metavar="TEXT", section=OUTPUT, help="The licence of texts and labels, for the manifest.")
@option("--provenance", metavar="TEXT", section=OUTPUT, help="Where they come from, for the manifest.")
@option(
    "-o", "--out", metavar="DIR", required=True, section=OUTPUT, help="The folder to write; it must be new or empty."
)
@click.pass_context
def from_judgments(
    context: click.Context,
    /,
    *,
    judgments: str,
    documents: str,
    queries: str | None,
    split: str | None,
    documents_each: int,
    out: str,
    **options: Any,
) -> int:
    """Make a fixture of judgments with spans (spec/spans.md): each query one task.

    The lines that a query's spans lie in are the evidence that an agent has to find and cite, among other documents.
    A label says where an answer is and not what it is; spec/agentic/README.md says what such tasks cannot show.
    """
    from irbridge.agentic.from_judgments import from_judgments as carried_out
    from irbridge.agentic.judged_tasks import Options
    from irbridge.errors import UsageError

    if [judgments, documents, queries].count("-") > 1:
        raise UsageError("standard input can be one of the inputs only", hint="save the others to files")
    if out == "-":
        raise UsageError("a fixture is a folder and cannot be written to standard output", hint="-o DIR")
    said = {name: value for name, value in options.items() if value is not None}
    used = Options(documents=documents_each, **said)
    screen = screen_of(context)
    labels = opened(screen, judgments, "judgments", split=split)
    texts = opened(screen, documents, "documents")
    asked = None if queries is None else opened(screen, queries, "queries")
    made = carried_out(labels, texts, out, used, queries=asked)
    screen.show(_page(made, out, used.byte_budget))
    return 1 if made.left else 0


def _page(made: Made, out: str, byte_budget: int) -> Page:
    from irbridge.agentic.from_judgments import REASONS, roomy
    from irbridge.renderers import Page, Remark, counted
    from irbridge.wording import shell_word, some

    by_reason: dict[str, list[str]] = {}
    for query_id, why in made.left.items():
        by_reason.setdefault(why, []).append(query_id)
    blocks = [Remark("tasks", [counted(len(made.tasks), "query became a task", "queries became tasks")])]
    for why, ids in sorted(by_reason.items()):
        said = [f"{counted(len(ids), 'query', 'queries')}: {REASONS[why]}", some(ids)]
        blocks.append(Remark("left out", said, "warn"))
    tight = made.tight(byte_budget)
    if tight:
        alone = (
            f"of {counted(len(tight), 'query', 'queries')} the lines alone take more than half of {byte_budget:,} bytes"
        )
        room = roomy(made.evidence_bytes[each] for each in tight)
        blocks.append(Remark("tight", [alone, f"--bytes {room} has room for them twice, found and read"], "warn"))
    blocks.append(Remark("wrote", [out], "good"))
    blocks.append(Remark("next", [f"irbridge agentic run --fixture {shell_word(out)}"]))
    return Page(blocks, {"out": out, **made.as_dict()})


COMMAND = from_judgments
