"""Foreign code with a limit on its time, and its messages without this machine's paths."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from irbridge.errors import IrbridgeError, shown

T = TypeVar("T")
_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s'\"<>|:,;()]+){2,}[\\/]?|file://\S+")
_LONGEST = 240


class TimedOut(Exception):
    """It did not end in time; it may still be running."""


def bounded(action: Callable[[], T], timeout: float) -> T:
    """What `action` returns, or raises; in a thread of its own, which is left behind when the time is over.

    Args:
        action: the call.
        timeout: seconds.

    Raises:
        TimedOut: it took longer.
    """
    found: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            found.append(action())
        except BaseException as error:  # noqa: BLE001 - whatever foreign code raises, SystemExit too, is its caller's to judge
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout)
    if raised:
        raise raised[0]
    if not found:
        raise TimedOut
    return found[0]  # type: ignore[no-any-return]  # what `action` returned, through a list of Any


def redacted(error: object) -> str:
    """An error's message on one line, paths as <path>, at most 240 characters."""
    if isinstance(error, IrbridgeError):
        said = error.message
    elif isinstance(error, BaseException):
        said = f"{type(error).__name__}: {error}"
    else:
        said = str(error)
    return shown(_PATH.sub("<path>", " ".join(said.split())), _LONGEST)
