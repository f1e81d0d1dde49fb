from __future__ import annotations

import pytest

from irbridge.engines.spark.failures import TaskFailed, _unpacked, told
from irbridge.errors import (
    InputError,
    InputErrors,
    IrbridgeError,
    LossError,
    MissingDependency,
    UnknownName,
    UsageError,
)

PLACED = InputError("has \x1b half", path="runs/é.txt", line=7, text="\ud800]", hint="mend it")

# What Spark makes of it: the worker's traceback, inside the driver's own.
AROUND = """org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 2.0 failed 4 times
Traceback (most recent call last):
  File "failures.py", line 40, in told
    raise TaskFailed(error) from None
irbridge.engines.spark.failures.TaskFailed: {said}

\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)
"""


@pytest.mark.parametrize(
    "error, kind",
    [
        (PLACED, InputError),
        (InputErrors([PLACED, InputError("b")], more=True), InputErrors),
        (MissingDependency("chonkie"), MissingDependency),
        (MissingDependency("bm25s", "sparse"), MissingDependency),
        (UsageError("no", hint="yes"), UsageError),
        (UnknownName("chunker", "fixd", ["fixed"]), UsageError),
        (LossError("gone"), IrbridgeError),
    ],
)
def test_an_error_comes_back_as_it_was(error: IrbridgeError, kind: type) -> None:
    back = _unpacked(AROUND.format(said=str(TaskFailed(error))))
    assert type(back) is kind
    assert back.lines() == error.lines()
    assert back.exit_code == error.exit_code


def test_the_place_comes_back_too() -> None:
    back = _unpacked(str(TaskFailed(PLACED)))
    assert isinstance(back, InputError)
    assert (back.path, back.line, back.text) == ("runs/é.txt", 7, "\ud800]")


def test_the_log_of_a_task_can_be_read() -> None:
    assert str(TaskFailed(UsageError("this is wrong", hint="do that"))).startswith("this is wrong\ntry  do that\n[")


def test_what_comes_before_an_error_is_handed_on() -> None:
    def work(batches):
        yield 1
        raise UsageError("second")

    found = told(work, ())
    assert next(found) == 1
    with pytest.raises(TaskFailed, match="second"):
        next(found)


def test_other_errors_of_a_task_pass() -> None:
    def work(batches):
        yield 1 / 0

    with pytest.raises(ZeroDivisionError):
        list(told(work, ()))


@pytest.mark.parametrize(
    "said, line",
    [
        (
            AROUND.replace("irbridge.engines.spark.failures.TaskFailed: {said}", "builtins.MemoryError: too much"),
            "Spark failed with MemoryError: too much",
        ),
        ("\n[TABLE_OR_VIEW_NOT_FOUND] no table t\nat java", "Spark failed: [TABLE_OR_VIEW_NOT_FOUND] no table t"),
        ("", "Spark failed: without a word"),
    ],
)
def test_what_is_no_error_of_ours_is_told_in_a_line(said: str, line: str) -> None:
    assert _unpacked(said).lines() == [line, "try  Spark's own log on the driver and the executors has all of it"]


def test_executors_without_irbridge() -> None:
    said = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'irbridge'\n\tat java"
    first, way_out = _unpacked(said).lines()
    assert first == "the Python of the executors has no irbridge"
    assert "spark.archives" in way_out
