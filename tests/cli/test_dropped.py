"""--drop-bad-rows lists what it leaves out, in every command that has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]
CALLS = {
    "score": ("score", "-m", "RR"),
    "crosscheck": ("crosscheck", "-m", "RR", "--oracle", "pytrec_eval"),
    # q1 finds d1 at rank 2: reciprocal ranks 1/2 and 1/2.
    "explain": ("explain", "RR=0.5"),
}


@pytest.fixture
def bad() -> tuple[str, ...]:
    """The small collection with one unusable label and 25 unusable rows in its run."""
    Path("bad.qrels").write_text(Path("a.qrels").read_text() + "q1 0 d7 high\n")
    Path("bad.run").write_text(Path("a.run").read_text() + "q2 Q0 d8 3 nan t\n" * 25)
    return ("--judgments", "bad.qrels", "--run", "bad.run", "--drop-bad-rows")


@pytest.mark.parametrize("name", CALLS)
def test_each_row_is_named_with_its_reason(irbridge: Irbridge, bad: tuple[str, ...], name: str) -> None:
    done = irbridge(*CALLS[name], *bad)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "bad.qrels:5: " in said
    assert "bad.run:6: score 'nan' is not a number" in said
    assert "bad.run:24: " in said
    # One label and 19 rows of the run make 20.
    assert "bad.run:25: " not in said
    assert "and 6 more; --json lists all" in said


@pytest.mark.parametrize("name", CALLS)
def test_json_lists_all(irbridge: Irbridge, bad: tuple[str, ...], name: str) -> None:
    dropped = json.loads(irbridge("--json", *CALLS[name], *bad).out)["dropped"]
    assert len(dropped) == 26
    assert dropped[0]["path"] == "bad.qrels"
    assert dropped[0]["line"] == 5
    assert dropped[1] == {
        "path": "bad.run", "line": 6, "message": "score 'nan' is not a number", "text": "q2 Q0 d8 3 nan t",
    }  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_said_where_nothing_was_asked(irbridge: Irbridge, name: str) -> None:
    plain = ("--judgments", "a.qrels", "--run", "a.run")
    assert "dropped" not in irbridge(*CALLS[name], *plain).out
    assert "dropped" not in json.loads(irbridge("--json", *CALLS[name], *plain).out)
    assert json.loads(irbridge("--json", *CALLS[name], *plain, "--drop-bad-rows").out)["dropped"] == []
