"""The journal that makes repair undoable: the bytes of the file before, beside the file.

    judgments.jsonl.undo-1: one line of JSON (what was done, SHA-256 of the file before and after), then the bytes before

The journal is complete before the file changes, and the file changes in one step. Killed in between, the journal tells by
the digests that the file is still the old one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from irbridge.atomic import atomic_write
from irbridge.canonical import dumps
from irbridge.errors import InputError, UsageError, shown

_SUFFIX = ".undo-"
_KIND = "irbridge-undo"
_VERSION = 1
_HEADER_BYTES = 1 << 16


class Entry(NamedTuple):
    """One journal: where it lies, the digests of the file before and after, and the bytes before."""

    path: str
    before: str
    after: str
    content: bytes


def digest(content: bytes) -> str:
    """Lower-case hex SHA-256."""
    return hashlib.sha256(content).hexdigest()


def mark(path: str) -> str:
    """What the unfinished files of a repair of this file have in their names; only who holds its lock writes under it."""
    return f"{digest(os.fsencode(os.path.basename(path)))[:16]}-"


def _numbered(path: str) -> list[tuple[int, str]]:
    """The journals beside a file, oldest first."""
    folder, name = os.path.split(os.path.abspath(path))
    pattern = re.compile(re.escape(name + _SUFFIX) + r"([1-9][0-9]*)", re.ASCII)
    found = ((pattern.fullmatch(each), os.path.join(folder, each)) for each in os.listdir(folder))
    # What is no regular file, such as a pipe that nobody writes to, is no journal.
    return sorted((int(match.group(1)), each) for match, each in found if match and os.path.isfile(each))


def latest(path: str) -> Entry | None:
    """The newest journal of a file, or None.

    Raises:
        InputError: it is no journal, or damaged.
    """
    numbered = _numbered(path)
    return _read(numbered[-1][1]) if numbered else None


def earlier(path: str) -> Iterator[bytes]:
    """What a file held before each change that a journal tells of, the last first; damaged journals are left out."""
    for _, place in reversed(_numbered(path)):
        with contextlib.suppress(InputError):
            yield _read(place).content


def _read(path: str) -> Entry:
    with open(path, "rb") as stream:
        head = stream.readline(_HEADER_BYTES)
        content = stream.read()
    try:
        said = json.loads(head)
        what, before, after = f"{said['kind']}/{said['version']}", said["before"], said["after"]
    except (ValueError, TypeError, KeyError, RecursionError):
        what, before, after = "", None, None
    if what != f"{_KIND}/{_VERSION}" or digest(content) != before:
        raise InputError(
            "is no journal, or a damaged one", path=path, hint="restore the file from elsewhere, and remove the journal"
        )
    return Entry(path, before, str(after), content)


def record(path: str, before: bytes, after: bytes) -> str:
    """Write the journal of a change that is about to be made; returns its path.

    A newest journal whose change was never made (its file is still as before) gives its place.

    Raises:
        InputError: it cannot be written.
    """
    numbered = _numbered(path)
    number = 1
    if numbered:
        last, place = numbered[-1]
        number = last if _unmade(place, digest(before)) else last + 1
    place = f"{path}{_SUFFIX}{number}"
    header = dumps({"kind": _KIND, "version": _VERSION, "before": digest(before), "after": digest(after)})
    # It holds what the file holds: who may not read the one may not read the other.
    with atomic_write(place, like=path, mark=mark(path)) as stream:
        stream.write(header.encode() + b"\n" + before)
    return place


def _unmade(place: str, now: str) -> bool:
    try:
        entry = _read(place)
    except InputError:
        return False
    return entry.before == now and entry.after != now


def undone(path: str, now: bytes) -> Entry:
    """The journal that leads back from the file as it is now.

    Raises:
        UsageError: there is none, or the file was changed since.
    """
    entry = latest(path)
    if entry is None:
        raise UsageError(f"there is nothing to undo: no journal lies beside {shown(path, 200)}")
    if digest(now) == entry.before:
        raise UsageError(
            f"{shown(path, 200)} is as it was before the repair",
            hint=f"remove {shown(entry.path, 200)}, which is of no use",
        )
    if digest(now) != entry.after:
        raise UsageError(
            f"{shown(path, 200)} was changed after it was repaired; undoing would lose that change",
            hint=f"what it held before stands in {shown(entry.path, 200)}, below its first line",
        )
    return entry
