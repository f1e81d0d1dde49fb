"""Signals that end a process, turned into an orderly end: what is half made is taken away first."""

from __future__ import annotations

import signal


class Stopped(BaseException):
    """A signal asked for the end; `number` says which. Like KeyboardInterrupt it is no Exception, which too many catch."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """As shells give it."""
        return 128 + self.number


def end_in_order() -> None:
    """Have SIGTERM and SIGHUP raise `Stopped` in the main thread. One that is ignored, as under nohup, stays ignored."""
    ours: list[int] = []

    def stop(number: int, frame: object) -> None:
        # The first one decides: a second must not interrupt the taking away.
        for each in ours:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            ours.append(number)
            signal.signal(number, stop)
