"""Where output goes: results to standard output, what is said about them to standard error, colours where they help."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Literal, TextIO

from irbridge.cli.streams import silence, why
from irbridge.errors import InputError, IrbridgeError, shown

if TYPE_CHECKING:
    from irbridge.cli.progress import Bar
    from irbridge.renderers import Look, Page

WHEN = ("auto", "always", "never")


class Screen:
    """The terminal of one call.

    Attributes:
        json: results are printed as JSON.
        when: when colours are used, one of `WHEN`.
        data_on_stdout: standard output carries a file's content (`-o -`); pages then go to standard error.
    """

    def __init__(self) -> None:
        self.json = False
        self.when = "auto"
        self.data_on_stdout = False
        self._bars: list[Bar] = []

    def colored(self, stream: TextIO) -> bool:
        """Whether colours go to that stream."""
        if self.when != "auto":
            return self.when == "always"
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()

    def look(self, stream: TextIO) -> Look:
        """The stream as a renderer sees it: what is no terminal is not cut, so that a pipe loses nothing, unless COLUMNS says so."""
        from irbridge.renderers import Look

        width = None
        asked = os.environ.get("COLUMNS", "").strip("0").isdecimal()
        if stream.isatty() or asked:
            import shutil

            width = max(40, shutil.get_terminal_size().columns)
        return Look(width, self.colored(stream))

    def show(self, page: Page) -> None:
        """Print a page as this call wants it."""
        from irbridge.renderers import RENDERERS

        self.clear()
        stream = sys.stderr if self.data_on_stdout else sys.stdout
        name = "json" if self.json else "text"
        try:
            for piece in RENDERERS.get(name).render(page, self.look(stream)):
                stream.write(piece)
            stream.flush()
        except OSError as error:
            silence(stream)
            if self.data_on_stdout:  # the result is where it was wanted; what is said of it is lost
                return
            if isinstance(error, BrokenPipeError):
                raise
            raise InputError(f"cannot be written: {why(error)}", path="standard output") from error

    def fail(self, error: IrbridgeError) -> None:
        """Print an error on standard error: what and where first, the way out last."""
        self.complain("error", error.lines())

    def complain(self, word: str, lines: list[str]) -> None:
        """Print lines on standard error, the first behind `word`."""
        self.clear()
        first = f"\x1b[1;31m{word}\x1b[0m" if self.colored(sys.stderr) else word
        for number, line in enumerate(lines):
            start = f"{first}  " if number == 0 else " " * (len(word) + 2)
            self._say(f"{start}{line}\n")

    def status(self, text: str) -> None:
        """Say on a terminal what is being done; the next call, with "" the last one, replaces it."""
        if not self.json and sys.stderr.isatty():
            self._say(f"\r\x1b[K{shown(text)}")

    @staticmethod
    def _say(text: str) -> None:
        """Write to standard error; where that is closed or full, the exit code has to do."""
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            silence(sys.stderr)

    def bar(self, label: str, total: int | None = None, unit: Literal["bytes", "rows"] = "bytes") -> Bar | None:
        """A progress bar on standard error, or None where nobody is watching."""
        if self.json or not sys.stderr.isatty():
            return None
        from irbridge.cli.progress import Bar

        self._bars.append(Bar(shown(label, 40), total, unit, color=self.colored(sys.stderr)))
        return self._bars[-1]

    def clear(self) -> None:
        """Take progress off the screen, so that a result or an error stands alone."""
        for bar in self._bars:
            bar.stop()
        self._bars.clear()
