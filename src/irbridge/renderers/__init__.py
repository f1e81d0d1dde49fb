"""Renderers: one file each, found by the registry. `for_file` picks one by a file's suffix."""

from __future__ import annotations

import os

from irbridge.errors import UsageError, shown
from irbridge.registry import Registry
from irbridge.renderers.base import Cell, Column, Look, Page, Remark, Renderer, Table
from irbridge.source import Source
from irbridge.wording import counted

RENDERERS: Registry[Renderer] = Registry("renderer", "irbridge.renderers", "RENDERER", Renderer, "irbridge.renderers")

__all__ = ["RENDERERS", "Cell", "Column", "Look", "Page", "Remark", "Renderer", "Table", "counted", "for_file"]


def for_file(path: str | os.PathLike[str], among: tuple[str, ...] | None = None) -> Renderer:
    """The renderer that writes files of that suffix; a compression suffix is looked through.

    Args:
        path: the file.
        among: the names of those to choose from; None for all that write rows.

    Raises:
        UsageError: none of them does.
    """
    name = Source(path).name.lower()
    known: list[str] = []
    for renderer in RENDERERS if among is None else map(RENDERERS.get, among):
        if among is None and not renderer.rows:
            continue
        if name.endswith(renderer.suffixes):
            return renderer
        known += renderer.suffixes
    raise UsageError(
        f"the suffix of '{shown(os.fspath(path))}' does not say how to write it",
        hint=f"end its name in one of: {', '.join(known)}",
    )
