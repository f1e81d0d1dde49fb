"""Renderers: one file each, found by the registry. `for_file` picks one by a file's suffix."""

from __future__ import annotations

import os

from irbridge.errors import UsageError, shown
from irbridge.registry import Registry
from irbridge.renderers.base import Cell, Column, Look, Page, Remark, Renderer, Table, counted
from irbridge.textio import Source

RENDERERS: Registry[Renderer] = Registry("renderer", "irbridge.renderers", "RENDERER", Renderer, "irbridge.renderers")

__all__ = ["RENDERERS", "Cell", "Column", "Look", "Page", "Remark", "Renderer", "Table", "counted", "for_file"]


def for_file(path: str | os.PathLike[str], among: tuple[str, ...]) -> Renderer:
    """The renderer among those named that writes files of that suffix; a compression suffix is looked through.

    Raises:
        UsageError: none of them does.
    """
    name = Source(path).name.lower()
    choices = [RENDERERS.get(wanted) for wanted in among]
    for renderer in choices:
        if name.endswith(renderer.suffixes):
            return renderer
    known = ", ".join(suffix for renderer in choices for suffix in renderer.suffixes)
    raise UsageError(
        f"the suffix of '{shown(os.fspath(path))}' does not say how to write it",
        hint=f"end its name in one of: {known}",
    )
