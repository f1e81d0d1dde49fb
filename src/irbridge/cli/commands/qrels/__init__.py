"""`irbridge qrels`: sets of judgments held against each other, and completed."""

from __future__ import annotations

from irbridge.cli.group import CommandGroup

COMMAND = CommandGroup(
    "qrels",
    package=__name__,
    short_help="Compare, merge and complete sets of judgments.",
    heading="Labels",
    help="Work on sets of judgments of any format: what differs, what two people changed, how far annotators agree, "
    "what is to be judged next.",
    examples=(
        "irbridge qrels diff old.qrels new.qrels",
        "irbridge qrels merge base.jsonl ours.jsonl theirs.jsonl -o merged.jsonl",
        "irbridge qrels agree ana.qrels ben.qrels",
        "irbridge qrels pool a.run b.run --judgments now.qrels -o todo.jsonl",
        "irbridge qrels holes a.run b.run --judgments now.qrels",
    ),
)
