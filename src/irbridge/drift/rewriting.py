"""A judgments file under repair: one writer at a time, the old file or the new one and never half, and a way back."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple, cast

from irbridge.atomic import atomic_write
from irbridge.compression import compressing
from irbridge.drift import journal
from irbridge.drift.fix import Repair
from irbridge.errors import InputError, UsageError, shown
from irbridge.formats.judgments import write
from irbridge.inputs import Input
from irbridge.labelfile import comments_of, write_labels
from irbridge.model import Judgment
from irbridge.source import Source
from irbridge.wording import shell_word


class LabelFile(NamedTuple):
    """The labels of a file, the line of each, its comments, and its bytes."""

    path: str
    labels: list[Judgment]
    lines: list[int]
    comments: list[tuple[int, str]]
    content: bytes
    compressed: bool


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Nobody else repairs the file meanwhile; what killed repairs of it have left half written is removed.

    Raises:
        UsageError: somebody does.
        InputError: the file is not there.
    """
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed below; what cannot be opened is another error than what follows
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path=path) from error
    with stream:
        held = _lock(stream)
        if held is False or not _is_still(stream, path):
            raise UsageError(
                f"{shown(path, 200)} is being rewritten by another process",
                hint="wait until it has ended, and try again",
            )
        if held:
            _remove_leftovers(os.path.realpath(path))
        yield


def _remove_leftovers(target: str) -> None:
    """Only the lock's holder writes under these names, so that what bears one is of a process that is no more."""
    folder = os.path.dirname(target)
    name = re.compile(rf"\.irbridge-{journal.mark(target)}[0-9a-f]{{16}}", re.ASCII)
    with contextlib.suppress(OSError):
        for each in os.listdir(folder):
            if name.fullmatch(each):
                os.unlink(os.path.join(folder, each))


def _lock(stream: BinaryIO) -> bool | None:
    """True: held. False: somebody else holds it. None: there are no locks here."""
    try:
        import fcntl
    except (
        ImportError
    ):  # pragma: no cover - Windows: an open file cannot be replaced there, which is a lock of its kind
        return None
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks: the check before the file is replaced has to do.
        return None
    return True


def _is_still(stream: BinaryIO, path: str) -> bool:
    """Whether the file that was opened is the one that stands there: another one may have taken its place."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except OSError:
        return False


def path_of(source: Input) -> str:
    """The path of a judgments file that can be rewritten.

    Raises:
        UsageError: it is no judgments JSONL, or no file.
    """
    if source.format.name != "judgments" or not isinstance(source.source, Source):
        raise UsageError(
            f"{shown(source.label, 200)} is {source.format.name}; repair rewrites judgments JSONL",
            hint=f"irbridge convert {shell_word(source.label)} --to judgments -o OUT.jsonl",
        )
    if source.size is None:
        raise UsageError(f"{shown(source.label, 200)} is no file that can be rewritten", hint="save it to a file first")
    return source.source.path


def opened(source: Input) -> LabelFile:
    """Read a judgments file for repair.

    Raises:
        InputError: it cannot be read.
    """
    path = path_of(source)
    with open(path, "rb") as stream:
        content = stream.read()
    labels: list[Judgment] = []
    lines: list[int] = []
    for label in cast("Iterator[Judgment]", iter(source)):
        labels.append(label)
        lines.append(source.reading.line)
    with source.source.open() as plain:
        compressed = plain.read(1) != content[:1]
    return LabelFile(path, labels, lines, comments_of(source.source), content, compressed)


def rendered(file: LabelFile, rows: Sequence[Judgment | None]) -> bytes:
    """The bytes of the file with other labels: one for each that it held, None where one is gone."""
    plain = io.BytesIO()
    kept = ((line, label) for line, label in zip(file.lines, rows, strict=True) if label is not None)
    write_labels(kept, file.comments, plain)
    return plain.getvalue()


def replace(file: LabelFile, rows: Sequence[Judgment | None]) -> str | None:
    """Write the labels into the file, with a journal beside it; returns the journal's path, None where nothing changed.

    Raises:
        UsageError: the file was changed by somebody else since it was read, or its name does not say how it is compressed.
        InputError: it cannot be written; it is as it was then.
    """
    target = os.path.realpath(file.path)
    content = rendered(file, rows)
    after = _as_written(content, target)
    if (after != content) != file.compressed:
        raise UsageError(
            f"the suffix of {shown(file.path, 200)} does not say how it is compressed", hint="rename it first"
        )
    if after == file.content:
        return None
    place = journal.record(target, file.content, after)
    try:
        _put(target, file.content, content)
    except BaseException:
        # The change was not made, and a journal of it would mislead.
        with contextlib.suppress(OSError):
            os.unlink(place)
        raise
    return place


def _as_written(content: bytes, target: str) -> bytes:
    made = io.BytesIO()
    with compressing(made, target) as stream:
        stream.write(content)
    return made.getvalue()


def _put(target: str, before: bytes, content: bytes) -> None:
    with atomic_write(target, mark=journal.mark(target)) as stream:
        stream.write(content)
        with open(target, "rb") as there:
            if there.read() != before:
                raise UsageError(
                    f"{shown(target, 200)} was changed by somebody else meanwhile; nothing was written",
                    hint="try again",
                )


def undo(path: str) -> int:
    """Give a file the bytes that it had before its last repair; returns how many there are.

    Raises:
        UsageError: there is nothing to undo, or the file was changed since.
        InputError: the file or its journal cannot be read or written.
    """
    target = os.path.realpath(path)
    with locked(target):
        with open(target, "rb") as stream:
            now = stream.read()
        entry = journal.undone(target, now)
        # A compressed file's bytes are compressed already.
        with atomic_write(target, as_is=True, mark=journal.mark(target)) as stream:
            stream.write(entry.content)
        os.unlink(entry.path)
    return len(entry.content)


def diff(file: LabelFile, repair: Repair) -> Iterator[str]:
    """The rows that repair changes: the line of each, what it was and what it will be."""
    yield f"--- {file.path}"
    yield f"+++ {file.path} (repaired)"
    for line, before, after in zip(file.lines, file.labels, repair.rows, strict=True):
        if after != before:
            yield f"@@ line {line} @@"
            yield f"-{_row(before)}"
            if after is not None:
                yield f"+{_row(after)}"


def _row(label: Judgment) -> str:
    made = io.BytesIO()
    write([label], made)
    return made.getvalue().decode("utf-8").rstrip("\n")
