"""Judgments and a run that were given the wrong way round: each is refused for what it holds, and the reason is both."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from irbridge.errors import IrbridgeError, UsageError

if TYPE_CHECKING:
    from irbridge.formats import Part


@contextlib.contextmanager
def noticing_swapped(judgments: str, run: str) -> Iterator[None]:
    """Around the opening of both.

    Raises:
        UsageError: `judgments` names a run, and `run` names judgments; in place of the error about one of them.
    """
    try:
        yield
    except UsageError as error:
        if "-" not in {judgments, run} and _holds(judgments, "run") and _holds(run, "judgments"):
            raise UsageError(
                f"{error.message}; are the two swapped? --judgments names a run, --run names judgments",
                hint="give each the other's value",
            ) from error
        raise


def _holds(what: str, part: Part) -> bool:
    from irbridge.inputs import Input

    try:
        Input(what, part)
    except IrbridgeError:
        return False
    return True
