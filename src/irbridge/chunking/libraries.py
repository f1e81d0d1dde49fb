"""Chunking libraries: importing one, which release it is, and splitters that return pieces as methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from typing import Any

from irbridge.chunking.aligning import from_pieces
from irbridge.chunking.base import Method, Setting
from irbridge.chunking.extents import Extent
from irbridge.errors import IrbridgeError, MissingDependency, shown

SIZE = Setting("size", "characters in a chunk")
OVERLAP = Setting("overlap", "characters that neighbours share at most", lowest=0, default=0)


def library(module: str, distribution: str, extra: str | None = None) -> Any:
    """A library's module.

    Raises:
        MissingDependency: it is not installed; carries the pip line.
        IrbridgeError: it is installed and cannot be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing is not None and f"{module}.".startswith(f"{missing}."):
            raise MissingDependency(distribution, extra) from error
        raise IrbridgeError(
            f"{distribution} cannot be imported: {shown(error)}", hint=f"pip install --force-reinstall {distribution}"
        ) from error


def release(distribution: str) -> str:
    """The installed version of a library.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError as error:
        raise MissingDependency(distribution) from error


def splitter(name: str, summary: str, module: str, distribution: str, kind: str, **settings: Any) -> Method:
    """A class of a library that splits a text into pieces, as a method: its pieces are held against the document.

    Args:
        name: of the method.
        summary: likewise.
        module: where the class is.
        distribution: the library, as pip calls it.
        kind: the class; it takes `chunk_size`, `chunk_overlap` and the settings, and has `split_text`.
        settings: what else it is made with.
    """

    def bind(size: int, overlap: int) -> Callable[[str], Sequence[Extent]]:
        made = getattr(library(module, distribution), kind)(chunk_size=size, chunk_overlap=overlap, **settings)
        return from_pieces(name, made.split_text, overlap)

    return Method(
        name=name, summary=summary, settings=(SIZE, OVERLAP), bind=bind, example=f"{name}/512/64",
        version=lambda: release(distribution),
    )  # fmt: skip
