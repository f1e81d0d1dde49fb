"""Chunking libraries: importing one, and which release it is."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any

from irbridge.chunking.base import Setting
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
