"""The file that decisions are appended to as they are made, so that a session can be ended at any time and gone on with."""

from __future__ import annotations

import os
from types import TracebackType
from typing import BinaryIO

from irbridge.errors import InputError, UsageError, shown
from irbridge.review.decisions import Decision, Name, latest, read, written
from irbridge.source import Source


class Log:
    """Decisions in a file that nobody else writes meanwhile.

    Args:
        path: the file; made where there is none.

    Attributes:
        decisions: what it holds, in its order.

    Raises:
        UsageError: another session has it open.
        InputError: it cannot be read or written, or holds what is no decision.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.decisions: list[Decision] = []
        self._stream = self._opened()
        try:
            self._begin()
        except BaseException:
            self._stream.close()
            raise

    def _begin(self) -> None:
        if not _lock(self._stream):
            raise UsageError(
                f"{shown(self.path, 200)} is being written by another session",
                hint="end that one, or name another file",
            )
        self._cut_torn_end()
        if self._size():
            self.decisions = list(read(Source(self.path)))

    def _opened(self) -> BinaryIO:
        try:
            return open(self.path, "a+b", buffering=0)
        except OSError as error:
            raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=self.path) from error

    def _size(self) -> int:
        return os.fstat(self._stream.fileno()).st_size

    def _cut_torn_end(self) -> None:
        """A process that was killed while it wrote leaves half a line: that decision was never made."""
        self._stream.seek(0)
        content = self._stream.read()
        if content and not content.endswith(b"\n"):
            whole = content.rfind(b"\n") + 1
            torn = content[whole:].strip()
            if torn.startswith(b"{") and not torn.endswith(b"}"):
                self._stream.truncate(whole)
            else:
                self._stream.write(b"\n")

    def __enter__(self) -> Log:  # noqa: PYI034 - typing.Self is of Python 3.11
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def append(self, decision: Decision) -> None:
        """Write one more decision; it is on the disk when this returns.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._stream.write(written(decision))
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=self.path) from error
        self.decisions.append(decision)

    def take_back(self) -> Decision | None:
        """Remove the decision that was written last, and return it; None where there is none."""
        if not self.decisions:
            return None
        self._stream.seek(0)
        lines = self._stream.read().splitlines(keepends=True)
        while lines and not lines[-1].lstrip().startswith(b"{"):  # blank lines and comments that somebody wrote there
            lines.pop()
        self._stream.truncate(sum(map(len, lines[:-1])))
        return self.decisions.pop()

    def latest(self) -> dict[Name, Decision]:
        """The decision that counts about each label."""
        return latest(self.decisions)


def _lock(stream: BinaryIO) -> bool:
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return True
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
