"""spec/measures.md, made from the descriptors of the measures: `cd tests && python -m support.measures_page` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from irbridge.measures import FAMILIES, Family
from irbridge.measures.base import spelled

PAGE = Path(__file__).resolve().parents[2] / "spec" / "measures.md"
HEAD = """# Measures

Made from the descriptors in `src/irbridge/measures` by `cd tests && python -m support.measures_page`; a test holds it against
them. `irbridge measures NAME` shows the same, `--json` as
[schemas/measures.schema.json](schemas/measures.schema.json). R is the number of relevant documents of a query, k a cutoff; a document is
relevant from the level `rel` on. Names of one row mean the same.

| name | trec_eval | specification | what it is |
|---|---|---|---|
"""


def families() -> list[Family]:
    return sorted(FAMILIES.builtin(), key=lambda family: (family.name.lower(), family.name))


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def parameters(family: Family) -> Iterator[str]:
    for each in sorted(family.takes):
        yield "cutoff (@k, needed)" if each == "cutoff" and family.needs_cutoff else each
    for option, default in family.options.items():
        yield f"{option} (@x, needed)" if option == family.at else f"{option}={spelled(default)}"


def section(family: Family) -> Iterator[str]:
    yield f"\n## {family.name}\n\n{family.summary[0].upper()}{family.summary[1:]}.\n\n"
    yield f"- **formula**: {family.formula}\n"
    yield f"- **range**: {family.range}\n"
    if taken := ", ".join(parameters(family)):
        yield f"- **takes**: {taken}\n"
    if family.aliases:
        yield f"- **also**: {', '.join(family.aliases)}\n"
    if family.total:
        yield "- **aggregate**: the sum over queries\n"
    if family.needs:
        yield f"- **needs**: {family.needs}\n"
    if family.extremes is not None:
        yield "- **over unjudged documents**: worst and best, exact\n"
    yield f"- **convention**: {family.convention}\n"
    for tool, called in family.elsewhere.items():
        yield f"- **in {tool}**: {called}\n"
    yield f"- **source**: {family.source}\n"
    for trap in family.traps:
        yield f"- **trap**: {trap}\n"


def written() -> str:
    """The page as it should be."""
    rows = (
        f"| {cell(', '.join((family.name, *family.aliases)))} | {', '.join(family.trec_eval)} | {family.spec or ''} "
        f"| {cell(family.summary)} |\n"
        for family in families()
    )
    return HEAD + "".join(rows) + "".join(line for family in families() for line in section(family))


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8", newline="\n")
