r"""LaTeX: each table as a `tabular` with the rules of booktabs, remarks as comments.

Needs `\usepackage{booktabs}`. Whatever came out of a file is escaped, so that nothing in it is a command or ends a cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irbridge.errors import shown
from irbridge.renderers.base import Cell, Column, Look, Page, Renderer, Table

_NO_LIMIT = 1 << 20
# Brackets and stars would be arguments of the line end before them; the others are commands, or ligatures that change the text.
_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}",
    "[": "{[}", "]": "{]}", "*": "{*}", "-": "{-}", "†": r"$^{\dagger}$", "±": r"$\pm$", "·": r"$\cdot$",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")


def escaped(text: object) -> str:
    """`text` as LaTeX that is typeset as just that text."""
    return _SPECIAL.sub(lambda found: _ESCAPES[found.group()], shown(text, _NO_LIMIT))


def _cell(cell: Cell, column: Column) -> str:
    if isinstance(cell, float):
        text = f"{cell:.{column.decimals}f}"
        return f"${text}$" if text.startswith("-") else text
    if cell is None:
        return "--"
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"${cell}$" if cell < 0 else str(cell)
    return escaped(cell)


def _numeric(cells: Sequence[Cell]) -> bool:
    return any(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)


def _heads(columns: Sequence[Column]) -> Iterator[str]:
    covered = 0
    for column in columns:
        if covered:
            covered -= 1
            continue
        covered = column.span - 1
        title = escaped(column.title or column.key)
        yield f"\\multicolumn{{{column.span}}}{{c}}{{{title}}}" if covered else title


def _table(table: Table) -> Iterator[str]:
    rows = [tuple(row) for row in table.rows]
    if not table.columns:
        return
    if table.title:
        yield f"% {shown(table.title, _NO_LIMIT)}\n"
    right = [_numeric([row[place] for row in rows]) for place in range(len(table.columns))]
    yield f"\\begin{{tabular}}{{{''.join('r' if number else 'l' for number in right)}}}\n  \\toprule\n"
    yield f"  {' & '.join(_heads(table.columns))} \\\\\n  \\midrule\n"
    for row in rows:
        cells = [_cell(cell, column) for cell, column in zip(row, table.columns, strict=True)]
        yield f"  {' & '.join(cells)} \\\\\n"
    yield "  \\bottomrule\n\\end{tabular}\n"


def _render(page: Page, look: Look) -> Iterator[str]:
    yield "% needs \\usepackage{booktabs}\n"
    for block in page.blocks:
        if isinstance(block, Table):
            yield "\n"
            yield from _table(block)
        else:
            # A line of the file for each: what is shown has no line breaks.
            yield f"% {shown(block.label, _NO_LIMIT)}: {' · '.join(shown(part, _NO_LIMIT) for part in block.parts)}\n"


RENDERER = Renderer("latex", "tables for LaTeX with booktabs, remarks as comments", _render, suffixes=(".tex",))
