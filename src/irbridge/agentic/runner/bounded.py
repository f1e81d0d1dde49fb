"""Foreign code with a limit on its time, and what it says without this machine's paths."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from irbridge.errors import IrbridgeError, shown

T = TypeVar("T")
_PATH = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s'\"<>|:,;()]+){2,}[\\/]?|file://\S+")
_LONGEST = 240
_LONGEST_CODE = 200


class TimedOut(Exception):
    """It did not end in time; it may still be running."""


class Exited(Exception):
    """It called for the end of the program (SystemExit), which is not its to decide."""


def bounded(action: Callable[[], T], timeout: float) -> T:
    """What `action` returns, or raises; in a thread of its own, which is left behind when the time is over.

    Args:
        action: the call.
        timeout: seconds.

    Raises:
        TimedOut: it took longer.
        Exited: it raised what is no Exception.
    """
    found: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            found.append(action())
        except BaseException as error:  # noqa: BLE001 - whatever foreign code raises, SystemExit too, must not end this program
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(timeout)
    if raised:
        if isinstance(raised[0], Exception):
            raise raised[0]
        raise Exited(f"{type(raised[0]).__name__} was raised") from raised[0]
    if not found:
        raise TimedOut
    return found[0]  # type: ignore[no-any-return]  # what `action` returned, through a list of Any


def redacted(error: object) -> str:
    """An error's message on one line, paths as <path>, at most 240 characters."""
    try:
        said = str(error.message if isinstance(error, IrbridgeError) else error)
    except Exception:  # noqa: BLE001 - an error of somebody else's class may not even have a text
        said = "an error without a text"
    if isinstance(error, BaseException) and not isinstance(error, IrbridgeError):
        said = f"{type(error).__name__}: {said}"
    return shown(_PATH.sub("<path>", " ".join(said.split())), _LONGEST)


def code_of(error: Any, otherwise: str) -> str:
    """The code of somebody else's error, if a receipt can hold it: 1 to 200 printable characters of ASCII."""
    code = error.code
    fits = isinstance(code, str) and 1 <= len(code) <= _LONGEST_CODE and code.isascii() and code.isprintable()
    return code if fits else otherwise
