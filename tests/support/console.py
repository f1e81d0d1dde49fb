"""Pages that are run: ```console blocks of a Markdown page, each `$ command` with the output that it must have.

`cd` lasts to the end of the page. A line `...` in the expected output stands for any lines. A command may go on in lines that begin with `> `. ```python
blocks are run as scripts in the same folder, with what they print in the ```text block that follows, if one does.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Page:
    """The commands and scripts of a page, carried out one after another in a folder of its own."""

    def __init__(self, path: Path, folder: Path, environment: dict[str, str]) -> None:
        self.path = path
        self.folder = folder
        self._where = folder / ".where"
        # `irbridge` and `python` on a page are those of the environment that the tests run in.
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        self._environment = {**os.environ, **environment, "PATH": programs, "COLUMNS": "80", "WHERE": str(self._where)}

    def carried_out(self, run: Run) -> tuple[int, str]:
        """(exit code, what was printed) of one run: of a command everything, of a script its standard output if it succeeds."""
        if run.command is not None:
            command = ["bash", "-uo", "pipefail", "-c", f'{run.command}\ncode=$?; pwd > "$WHERE"; exit $code']
        else:
            command = [sys.executable, "-c", run.script or ""]
        here = self._where.read_text().strip() if self._where.exists() else self.folder
        both = subprocess.STDOUT if run.command is not None else subprocess.PIPE
        done = subprocess.run(
            command, cwd=here, env=self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=both,
            text=True, encoding="utf-8", check=False, timeout=300,
        )  # fmt: skip
        return done.returncode, done.stdout + (done.stderr or "" if done.returncode else "")


@dataclass
class Run:
    """One command or script of a page; `expected` is None where the page shows no output."""

    line: int
    command: str | None
    script: str | None
    expected: list[str] | None


def runs(page: Path) -> list[Run]:
    """The commands and scripts of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found: list[Run] = []
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 1
        kind, body = block.groups()
        if kind == "console":
            found.extend(_commands(body, line + 1))
        elif kind == "python":
            found.append(Run(line, None, body, None))
        elif found and found[-1].script is not None:
            found[-1].expected = body.splitlines()
    return found


def _commands(body: str, line: int) -> Iterator[Run]:
    current: Run | None = None
    for number, text in enumerate(body.splitlines(), line):
        if text.startswith("$ "):
            if current is not None:
                yield current
            current = Run(number, text[2:], None, [])
        elif text.startswith("> ") and current is not None and not current.expected:
            current.command = f"{current.command}\n{text[2:]}"
        elif current is not None and current.expected is not None:
            current.expected.append(text)
    if current is not None:
        yield current


def matches(expected: list[str], printed: str) -> bool:
    """Whether the output is the expected one; `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n" for line in expected
    )
    whole = printed if printed.endswith("\n") or not printed else printed + "\n"
    return re.fullmatch(pattern + r"\n*", whole) is not None
