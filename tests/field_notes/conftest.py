"""What the tests of the field notes share: a folder with a note's little files, and the command in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import irbridge
from irbridge.cli.main import run


class Result(NamedTuple):
    """What a call of the command gave."""

    code: int
    out: str
    err: str


class Note:
    """The files of one note, and what irbridge makes of them.

    Rows are written as the notes write them, set apart by ` / `; a run of query q1 also in short, `a 9, b 5`.
    """

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def qrels(self, rows: str, name: str = "a.qrels") -> str:
        return self.bytes(name, "".join(f"{row.strip()}\n" for row in rows.split(" / ")).encode())

    def run(self, rows: str, name: str = "a.run") -> str:
        if " / " in rows or " Q0 " in rows:
            whole = [row.strip() for row in rows.split(" / ")]
        else:
            pairs = [pair.split() for pair in rows.split(",")]
            whole = [f"q1 Q0 {doc_id} {rank} {score} t" for rank, (doc_id, score) in enumerate(pairs, 1)]
        return self.bytes(name, "".join(f"{row}\n" for row in whole).encode())

    def bytes(self, name: str, content: bytes) -> str:
        (self.folder / name).write_bytes(content)
        return name

    def score(self, measures: Any = None, **knobs: Any) -> dict[str, float]:
        """The aggregates of a.run against a.qrels, by the Python API."""
        return irbridge.score("a.qrels", "a.run", measures, **knobs).aggregates()

    def command(self, *arguments: str) -> Result:
        """A call of the command `irbridge`."""
        self.capsys.readouterr()
        code = run(list(arguments))
        return Result(code, *self.capsys.readouterr())

    def scored(self, measures: str, *flags: str) -> Result:
        """`irbridge score` on a.qrels and a.run."""
        return self.command("score", "--judgments", "a.qrels", "--run", "a.run", "-m", measures, *flags)

    def report(self, measures: str, *flags: str) -> dict[str, Any]:
        """The JSON report of the same."""
        done = self.scored(measures, "--json", *flags)
        assert done.code == 0, done.err
        found: dict[str, Any] = json.loads(done.out)
        return found


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Note:
    monkeypatch.chdir(tmp_path)
    return Note(tmp_path, capsys)


@pytest.fixture
def example(note: Note) -> Note:
    """The input that B32 to B34 share: grades 1, 2 and 3, and an unjudged document in the middle of the run."""
    note.qrels("q1 0 a 1 / q1 0 b 2 / q1 0 c 3")
    note.run("a 3, n 2, c 1")
    return note
