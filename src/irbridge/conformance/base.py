"""A case, an implementation as a command line, and what a check is."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

from irbridge.errors import InputError, UsageError, shown

#: Members of expected.json that say how to ask, or are prose: nothing is asserted of them by themselves.
UNCHECKED = frozenset({"note", "level", "k", "threshold"})
_SECONDS = 120
_TOLERANCE = 1.5e-12


class Result(NamedTuple):
    """What came of one check. `detail` says what was expected and what was found."""

    name: str
    status: Literal["pass", "fail", "not run"]
    detail: str = ""


class NoAnswer(Exception):
    """A question to which the command line gave no usable answer."""


class Answer(NamedTuple):
    """What a command line gave."""

    command: str
    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Standard output as JSON."""
        try:
            return json.loads(self.out)
        except ValueError:
            raise NoAnswer(
                f"{self.command} printed no JSON (exit {self.code}): {_brief(self.err or self.out)}"
            ) from None


class Case(NamedTuple):
    """One folder of inputs with the answers."""

    name: str
    folder: Path
    expected: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Case:
        """The case in `folder`.

        Raises:
            InputError: its expected.json is no JSON object.
        """
        path = folder / "expected.json"
        try:
            expected = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", path=str(path)) from error
        if not isinstance(expected, dict):
            raise InputError("is no JSON object", path=str(path))
        return cls(folder.name, folder, expected)

    @property
    def level(self) -> str:
        """`core`: every implementation of the specification; `extended`: what irbridge adds."""
        return str(self.expected.get("level", "core"))

    def file(self, name: str) -> str:
        """The path of an input."""
        return str(self.folder / name)

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The records of a JSON Lines input."""
        text = (self.folder / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line.strip() and not line.startswith("//")]

    @contextmanager
    def copied(self) -> Iterator[Case]:
        """The case in a folder of its own, where files may be changed."""
        with tempfile.TemporaryDirectory(prefix="irbridge-conformance-") as folder:
            own = Path(folder) / self.name
            shutil.copytree(self.folder, own)
            yield Case(self.name, own, self.expected)


class Implementation:
    """An implementation, seen from outside.

    Args:
        command: the program and its first arguments; None for irbridge itself.
    """

    def __init__(self, command: str | Sequence[str] | None = None) -> None:
        if command is None:
            self.argv = [sys.executable, "-m", "irbridge"]
        else:
            self.argv = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.argv or shutil.which(self.argv[0]) is None:
            raise UsageError(
                f"there is no command '{shown(self.argv[0]) if self.argv else ''}'", hint="name one that can be run"
            )
        self._commands: dict[str, bool] = {}
        self._answers: dict[tuple[str, ...], Any] = {}

    def call(self, *arguments: str) -> Answer:
        """Run the command line."""
        said = " ".join(
            [Path(self.argv[-1]).name, *(Path(each).name if os.sep in each else each for each in arguments)]
        )
        # No clock in a report, and no colour on a screen.
        env = {**os.environ, "SOURCE_DATE_EPOCH": "0", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
        try:
            done = subprocess.run(
                [*self.argv, *arguments],
                capture_output=True,
                env=env,
                timeout=_SECONDS,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            raise NoAnswer(f"{said} did not end within {_SECONDS} s") from None
        except OSError as error:
            raise NoAnswer(f"{said} cannot be run: {error}") from None
        return Answer(
            said, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )

    def json(self, *arguments: str) -> Any:
        """What the command line prints as JSON."""
        return self.call(*arguments, "--json").json()

    def asked(self, *arguments: str) -> Any:
        """The same for a question about files that do not change: it is asked once, however many checks need the answer."""
        if arguments not in self._answers:
            self._answers[arguments] = self.json(*arguments)
        return self._answers[arguments]

    def has(self, name: str) -> bool:
        """Whether there is a command of that name."""
        if name not in self._commands:
            self._commands[name] = self.call(name, "--help").code == 0
        return self._commands[name]


class Check(NamedTuple):
    """How one member of expected.json is asked for.

    Attributes:
        name: the member.
        run: (case, implementation) -> results; an `NoAnswer` is a failure of the whole member.
    """

    name: str
    run: Callable[[Case, Implementation], Iterator[Result]]
    aliases: tuple[str, ...] = ()


def compared(name: str, expected: Any, found: Any, tolerance: float = _TOLERANCE) -> Result:
    """Pass where both are the same data; numbers agree to twelve decimals, or within `tolerance`."""
    if same(expected, found, tolerance):
        return Result(name, "pass")
    return Result(
        name,
        "fail",
        f"expected {_brief(json.dumps(expected, ensure_ascii=False))}, found {_brief(json.dumps(found, ensure_ascii=False))}",
    )


def same(expected: Any, found: Any, tolerance: float = _TOLERANCE) -> bool:
    """Whether two JSON values are the same data: 1 is 1.0, and doubles agree within `tolerance`."""
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None or found is None:
        return expected is found
    if isinstance(expected, int | float) and isinstance(found, int | float):
        return abs(expected - found) <= tolerance
    if isinstance(expected, dict) and isinstance(found, dict):
        return expected.keys() == found.keys() and all(
            same(value, found[name], tolerance) for name, value in expected.items()
        )
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(
            same(one, other, tolerance) for one, other in zip(expected, found, strict=True)
        )
    return type(expected) is type(found) and bool(expected == found)


def _brief(text: str, limit: int = 300) -> str:
    return shown(" ".join(text.split()), limit)
