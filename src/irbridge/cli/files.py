"""Pages written to files: whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from irbridge.atomic import atomic_write
from irbridge.errors import InputError, UsageError, shown
from irbridge.renderers import Look

if TYPE_CHECKING:
    from irbridge.renderers import Page, Renderer


def write(path: str, renderer: Renderer, page: Page) -> None:
    """Render `page` into the file at `path` (`-`: standard output).

    Raises:
        InputError: it cannot be written; what was there before is still there.
    """
    with atomic_write(path) as stream:
        for piece in renderer.render(page, Look()):
            stream.write(piece.encode("utf-8"))


def _is_part_of(real: str, given: str) -> bool:
    """Whether a file is an input, or lies in a folder that is one; the input may have its format in front."""
    for name in (given, given.split(":", 1)[-1]):
        own = os.path.realpath(name)
        if real == own or (os.path.isdir(own) and real.startswith(os.path.join(own, ""))):
            return True
    return False


def check_target(path: str | None, *, inputs: tuple[str, ...] = ()) -> None:
    """Find out before a long reading, not after it, that a file cannot be written.

    Raises:
        UsageError: it is one of the inputs, which would be gone.
        InputError: its folder does not exist.
    """
    if path is None or path == "-":
        return
    real = os.path.realpath(path)
    if os.path.isfile(real) and any(_is_part_of(real, given) for given in inputs):
        raise UsageError(f"{shown(path)} is an input and would be overwritten", hint="name another file")
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        raise InputError("the folder does not exist", path=path, hint=f"mkdir -p {shown(os.path.dirname(path))}")
