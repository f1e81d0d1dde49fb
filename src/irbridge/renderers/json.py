"""JSON: the whole page as data, indented, keys in their order."""

from __future__ import annotations

from collections.abc import Iterator

from irbridge.errors import InputError
from irbridge.renderers.base import Look, Page, Renderer
from irbridge.wording import sayable


def _render(page: Page, look: Look) -> Iterator[str]:
    from irbridge.canonical import pretty

    data = page.data.as_dict() if hasattr(page.data, "as_dict") else page.data
    try:
        yield pretty(data)
    except InputError:  # a text that UTF-8 cannot hold
        yield pretty(sayable(data))


RENDERER = Renderer("json", "the whole result as one JSON value", _render, suffixes=(".json",))
