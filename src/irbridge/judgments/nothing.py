"""Judgments files without a single label: a finding for `validate`, where every other reader refuses them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from irbridge.errors import IrbridgeError
from irbridge.formats import named_path
from irbridge.model import Judgment
from irbridge.reading import Reading
from irbridge.source import HEAD_BYTES, Source


class NoLabels:
    """An input of judgments that holds none."""

    def __init__(self) -> None:
        self.reading = Reading("judgments")

    def __iter__(self) -> Iterator[Judgment]:
        return iter(())


def holds_nothing(what: Any) -> bool:
    """Whether `what` is a file, or a pipe (`inputs.at_hand`), with nothing but blank lines and `//` comments in it.

    At most 64 KB are looked at; what is longer holds something.
    """
    if isinstance(what, str | os.PathLike):
        try:
            path, name = named_path(what)
        except IrbridgeError:  # said by whoever opens it
            return False
        what = Source(path)
        if name not in {None, "judgments"} or not os.path.isfile(path):
            return False
    if not isinstance(what, Source):
        return False
    head = what.head()
    if len(head) >= HEAD_BYTES or b"\0" in head:
        return False
    lines = map(bytes.strip, head.removeprefix(b"\xef\xbb\xbf").split(b"\n"))
    return all(not line or line.startswith(b"//") for line in lines)
