"""`irbridge agentic`: agents that search, read and answer, measured end to end."""

from __future__ import annotations

from irbridge.cli.group import CommandGroup

COMMAND = CommandGroup(
    "agentic",
    package=__name__,
    short_help="Measure agents that search, cite and stop.",
    heading="Agents",
    help="Does an agent find enough evidence, cite it exactly, and stop in time? Measured on tasks with hidden answers, "
    "without a model as judge (spec/agentic/README.md).",
    examples=(
        "irbridge agentic tasks",
        "irbridge agentic run --adapter lexical,capsule --out baseline",
        "irbridge agentic report baseline",
        "irbridge agentic verify baseline",
        "irbridge agentic compare baseline today",
    ),
)
