"""JSON lines: the rows of the first table, one compact object a line, full precision."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer


def _render(page: Page, look: Look) -> Iterator[str]:
    from irbridge.canonical import dumps, escaped

    for record in page.table().records():
        yield escaped(dumps(record)) + "\n"


RENDERER = Renderer("jsonl", "the rows, one JSON object a line", _render, suffixes=(".jsonl", ".ndjson"), rows=True)
