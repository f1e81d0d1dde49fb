"""Judgments files without a single label: a finding for `validate`, where every other reader refuses them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from irbridge.errors import IrbridgeError
from irbridge.formats import FORMATS, named_path
from irbridge.formats.base import says_nothing
from irbridge.model import Judgment
from irbridge.piped import Pipe
from irbridge.reading import Reading
from irbridge.source import Source


class NoLabels:
    """An input of judgments that holds none."""

    def __init__(self) -> None:
        self.reading = Reading("judgments")

    def records(self) -> Iterator[Judgment]:
        """None."""
        return iter(())


def holds_nothing(what: Any) -> bool:
    """Whether `what` is a file of text, or a pipe (`inputs.at_hand`), with nothing but blank lines and comments in it.

    At most 64 KB are looked at; what is longer holds something.
    """
    name: str | None = None
    if isinstance(what, str | os.PathLike):
        try:
            path, name = named_path(what)
        except IrbridgeError:  # said by whoever opens it
            return False
        what = Source(path)
        if not os.path.isfile(path):
            return False
    elif isinstance(what, Pipe):
        name = what.format_name
    if not isinstance(what, Source):
        return False
    named = None if name is None else FORMATS.find(name)
    if named is None:
        return name is None and says_nothing(what.head())
    marks = (b"//",) if named.name == "judgments" else (b"#",)
    return named.shape == "file" and not named.binary and says_nothing(what.head(), marks)
