"""JSON: the whole page as data, indented, keys in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer
from irbridge.wording import sayable


def _render(page: Page, look: Look) -> Iterator[str]:
    from irbridge.canonical import pretty

    data = page.data
    yield pretty(sayable(data.as_dict() if hasattr(data, "as_dict") else data))


RENDERER = Renderer("json", "the whole result as one JSON value", _render, suffixes=(".json",))
