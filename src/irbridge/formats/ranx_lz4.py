"""ranx's LZ4 layout: CBOR, packed as an LZ4 frame inside an LZ4 frame. The part of CBOR (RFC 8949) that it uses."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from irbridge.source import Source

LZ4_MAGIC = b"\x04\x22\x4d\x18"
_FLOATS = {25: ">e", 26: ">f", 27: ">d"}
_SIMPLE = {20: False, 21: True, 22: None, 23: None}

ObjectHook = Callable[[list[tuple[str, Any]]], dict[str, Any]]


class _Cbor:
    """One pass over encoded bytes. Objects are built by the hook, which sees repeated keys."""

    def __init__(self, data: bytes, hook: ObjectHook) -> None:
        self._data = data
        self._at = 0
        self._hook = hook

    def _take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise ValueError("it ends too early")
        self._at += size
        return part

    def value(self) -> Any:
        """The value that starts here."""
        first = self._take(1)[0]
        kind, detail = first >> 5, first & 31
        if kind == 7:
            if detail in _FLOATS:
                return struct.unpack(_FLOATS[detail], self._take(1 << (detail - 24)))[0]
            if detail in _SIMPLE:
                return _SIMPLE[detail]
        elif detail < 28:
            size = detail if detail < 24 else int.from_bytes(self._take(1 << (detail - 24)), "big")
            if kind == 0:
                return size
            if kind == 1:
                return -1 - size
            if kind == 3:
                return self._take(size).decode("utf-8")
            if kind == 4:
                return [self.value() for _ in range(size)]
            if kind == 5:
                return self._hook([(self.value(), self.value()) for _ in range(size)])
        raise ValueError(f"byte {self._at - 1} starts something that ranx does not write")

    def whole(self) -> Any:
        """The one value that fills the data."""
        found = self.value()
        if self._at != len(self._data):
            raise ValueError(f"{len(self._data) - self._at} bytes follow its end")
        return found


def unpacked(data: bytes, source: Source, hook: ObjectHook) -> Any:
    """The value in `data`, whose outer LZ4 frame is already undone.

    Raises:
        InputError: damaged, or not what ranx writes.
    """
    import lz4.frame

    try:
        inner = lz4.frame.decompress(data)
    except RuntimeError as error:
        raise source.error(f"cannot be decompressed: {error}", hint="fetch or copy it again") from error
    try:
        return _Cbor(inner, hook).whole()
    except (ValueError, TypeError, RecursionError) as error:
        raise source.error(f"is not a run that ranx packed: {error}") from error
