"""JSON: the whole page as data, indented, keys in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.renderers.base import Look, Page, Renderer
from irbridge.wording import sayable


def _render(page: Page, look: Look) -> Iterator[str]:
    from irbridge.canonical import pretty_pieces

    data = page.data.as_dict() if hasattr(page.data, "as_dict") else page.data
    yield from pretty_pieces(data, sayable)  # a text may be one that UTF-8 cannot hold


RENDERER = Renderer("json", "the whole result as one JSON value", _render, suffixes=(".json",))
