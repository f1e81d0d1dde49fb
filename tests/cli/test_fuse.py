"""`irbridge fuse`; the sums are those of tests/unit/comparison/test_runs.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]


@pytest.fixture(autouse=True)
def _runs(_in_a_folder_of_its_own: None) -> None:
    Path("x.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 x 1 1 t\n")
    Path("y.run").write_text("q1 Q0 a 1 9 t\nq1 Q0 c 2 8 t\nq1 Q0 d 3 7 t\nq3 Q0 x 1 1 t\n")


def rows(text: str) -> list[tuple[str, str, float]]:
    return [(row[0], row[2], float(row[4])) for row in map(str.split, text.splitlines())]


def test_standard_output(irbridge: Irbridge) -> None:
    done = irbridge("fuse", "x.run", "y.run")
    assert done.code == 0
    assert rows(done.out) == [
        ("q1", "a", 2 / 61), ("q1", "c", 1 / 62 + 1 / 63), ("q1", "b", 1 / 62), ("q1", "d", 1 / 63),
        ("q2", "x", 1 / 61), ("q3", "x", 1 / 61),
    ]  # fmt: skip
    assert "2 runs · 3 queries · by rrf/60" in done.err
    assert "2 queries not in every run" in done.err


def test_a_file(irbridge: Irbridge) -> None:
    arguments = ("--by", "combmnz", "--norm", "minmax", "--top", "2", "-o", "f.run", "--to", "trec-run", "--json")
    done = irbridge("fuse", "x.run", "y.run", *arguments)
    assert done.code == 0
    assert rows(Path("f.run").read_text())[:2] == [("q1", "a", 4.0), ("q1", "c", 1.0)]
    found = json.loads(done.out)
    assert (found["by"], found["normalisation"], found["parameter"], found["out"]) == (
        "combmnz",
        "minmax",
        None,
        "f.run",
    )


def test_what_it_writes_is_read_back_in_the_same_order(irbridge: Irbridge) -> None:
    irbridge("fuse", "x.run", "y.run", "--by", "combsum", "-o", "f.run", "--to", "trec-run")
    found = json.loads(irbridge("overlap", "f.run", "f.run", "--json").out)
    assert found["rbo"] == pytest.approx(1)
    docs = [doc for query, doc, _ in rows(Path("f.run").read_text()) if query == "q1"]
    assert docs == ["a", "c", "b", "d"]  # c and b have 1/2 each


def test_losses_are_said(irbridge: Irbridge) -> None:
    done = irbridge("fuse", "x.run", "y.run", "-o", "f.run.jsonl", "--to", "run")
    assert done.code == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["x.run"], "at least two runs"),
        (["x.run", "absent"], "absent"),
        (["x.run", "y.run", "--by", "rff"], "did you mean rrf?"),
        (["x.run", "y.run", "--by", "combsum", "--norm", "max"], "did you mean minmax or min-max?"),
        (["x.run", "y.run", "--norm", "minmax"], "nothing to normalise"),
        (["x.run", "y.run", "--to", "qrels"], "cannot hold a run"),
        (["x.run", "y.run", "-o", "x.run"], "is an input and would be overwritten"),
        (["x.run", "y.run", "--top", "0"], "top"),
        (["-", "-"], "standard input"),
    ],
)
def test_bad_usage(irbridge: Irbridge, arguments: list[str], message: str) -> None:
    before = Path("x.run").read_text()
    done = irbridge("fuse", *arguments)
    assert done.code == 2
    assert message in done.err
    assert Path("x.run").read_text() == before


@pytest.mark.parametrize("by", ["combsum", "combmnz"])
def test_scores_that_add_up_beyond_a_number_are_refused(irbridge: Irbridge, by: str) -> None:
    for name in ("big.run", "other.run"):  # twice 1e308 is no double any more
        Path(name).write_text("q Q0 a 1 1e308 t\nq Q0 b 2 -1e308 t\n")
    done = irbridge("fuse", "big.run", "other.run", "--by", by, "--norm", "none", "-o", "out.run")
    assert done.code == 2
    assert "query q: the scores add up to more than a number can hold" in done.err
    assert not Path("out.run").exists()
    assert irbridge("fuse", "big.run", "other.run", "--by", by, "-o", "out.run").code == 0
