"""Chunkers: one file per method, found by the registry; `chunker` reads a spec such as `recursive/512/64`.

What irbridge's own methods do to the letter is written in spec/chunkers.md.
"""

from __future__ import annotations

from irbridge.chunking.base import Chunker, Method, Setting
from irbridge.chunking.names import CHUNKERS, chunker

__all__ = ["CHUNKERS", "Chunker", "Method", "Setting", "chunker"]
