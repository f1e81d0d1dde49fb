"""JSON: the whole page as data, indented, keys in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.canonical import pretty
from irbridge.renderers.base import Look, Page, Renderer


def _render(page: Page, look: Look) -> Iterator[str]:
    yield pretty(page.data)


RENDERER = Renderer("json", "the whole result as one JSON value", _render, suffixes=(".json",))
