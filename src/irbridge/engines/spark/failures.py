"""Errors that tasks raise, brought back as what they were.

Of what a task raises Spark hands the driver one text: a Python traceback inside a Java one. So a task raises its error
once more with all of it packed into the message, and the driver looks for that in whatever Spark says.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from irbridge.errors import InputError, InputErrors, IrbridgeError, MissingDependency, UsageError, shown

T = TypeVar("T")

_PACKED = re.compile(r"\[irbridge:([A-Za-z0-9+/=]+)\]")
# The last line of a Python traceback: `ValueError: ...`, `package.module.Error: ...`.
_RAISED = re.compile(r"^((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit)): ?(.*)$", re.MULTILINE)
_FIELDS = ("message", "hint", "path", "line", "text", "package", "extra")
_LOG = "Spark's own log on the driver and the executors has all of it"


class TaskFailed(Exception):
    """What a task raises in place of an error of irbridge's: its lines for whoever reads logs, and all of it packed."""

    def __init__(self, error: IrbridgeError) -> None:
        packed = base64.b64encode(json.dumps(_packed(error)).encode("ascii")).decode("ascii")
        super().__init__("\n".join([*error.lines(), f"[irbridge:{packed}]"]))


def told(work: Callable[[Iterable[Any]], Iterator[T]], batches: Iterable[Any]) -> Iterator[T]:
    """`work(batches)` inside a task: its errors can be read on the driver."""
    try:
        yield from work(batches)
    except IrbridgeError as error:
        raise TaskFailed(error) from None


@contextmanager
def plain_errors() -> Iterator[None]:
    """What Spark raises inside, as an error of irbridge's: where, what and the way out, without a Java trace.

    Raises:
        IrbridgeError: what a task raised; or that Spark failed, with the line that says why.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _unpacked(str(error)) from None


def _packed(error: IrbridgeError) -> dict[str, Any]:
    if isinstance(error, InputErrors):
        return {"errors": [_packed(each) for each in error.errors], "more": error.more}
    kinds = (InputError, MissingDependency, UsageError, IrbridgeError)
    kind = next(kind.__name__ for kind in kinds if isinstance(error, kind))
    return {"kind": kind} | {name: getattr(error, name, None) for name in _FIELDS}


def _unpacked(said: str) -> IrbridgeError:
    """The error in what Spark says, or one that says what can be known of it."""
    found = _PACKED.search(said)
    if found is not None:
        return _error(json.loads(base64.b64decode(found[1])))
    if "No module named 'irbridge'" in said:
        return IrbridgeError(
            "the Python of the executors has no irbridge",
            hint="install it there, or send an environment along (spark.archives); recipes/spark.md shows both",
        )
    raised = _RAISED.findall(said)
    if raised:
        kind, message = raised[-1]
        return IrbridgeError(f"Spark failed with {kind.rpartition('.')[2]}: {shown(message, 200)}", hint=_LOG)
    first = next((line for line in said.splitlines() if line.strip()), "without a word")
    return IrbridgeError(f"Spark failed: {shown(first.strip(), 200)}", hint=_LOG)


def _error(packed: dict[str, Any]) -> IrbridgeError:
    if "errors" in packed:
        inside = [found for each in packed["errors"] if isinstance(found := _error(each), InputError)]
        return InputErrors(inside, more=packed["more"])
    if packed["kind"] == "InputError":
        place = {name: packed[name] for name in ("path", "line", "text", "hint")}
        return InputError(packed["message"], **place)
    if packed["kind"] == "MissingDependency":
        return MissingDependency(packed["package"], packed["extra"])
    kind = UsageError if packed["kind"] == "UsageError" else IrbridgeError
    return kind(packed["message"], hint=packed["hint"])
