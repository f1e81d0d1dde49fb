"""TSV: the rows of the first table under a header, full precision, lines that end in LF; quoted as CSV where need be."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer, separated


def _render(page: Page, look: Look) -> Iterator[str]:
    return separated(page, "\t")


RENDERER = Renderer("tsv", "the rows under a header, tab separated", _render, suffixes=(".tsv",), rows=True)
