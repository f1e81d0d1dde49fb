"""CSV: the rows of the first table under a header, full precision, lines that end in LF (RFC 4180 quoting)."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer, separated


def _render(page: Page, look: Look) -> Iterator[str]:
    return separated(page, ",")


RENDERER = Renderer("csv", "the rows under a header, comma separated", _render, suffixes=(".csv",), rows=True)
