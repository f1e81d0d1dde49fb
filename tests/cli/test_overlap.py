"""`irbridge overlap`: abc and acd have RBO 0.685 at p 0.9 (tests/unit/stats/test_rankings.py)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]


@pytest.fixture(autouse=True)
def _runs(_in_a_folder_of_its_own: None) -> None:
    Path("x.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 a 1 1 t\n")
    Path("y.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 c 2 2 t\nq1 Q0 d 3 2 t\n")


def test_the_screen(irbridge: Irbridge) -> None:
    done = irbridge("overlap", "x.run", "x.run", "--at", "1,2")
    assert done.code == 0
    assert done.out == (
        "                mean    least     most\n"
        "  RBO         1.0000   1.0000   1.0000\n"
        "  overlap@1   1.0000   1.0000   1.0000\n"
        "  overlap@2   0.7500   0.5000   1.0000\n"
        "  queries  2 queries in both · 2 with the same ranking\n"
        "  RBO      extrapolated, p 0.9 · the first 10 ranks weigh 86%\n"
    )


def test_json_and_what_has_to_be_known(irbridge: Irbridge) -> None:
    done = irbridge("overlap", "x.run", "y.run", "--ties", "docid-asc")
    assert "1 query in x.run alone, not looked at" in done.out
    assert "y.run: equal scores in 1 query" in done.out
    found = json.loads(irbridge("overlap", "x.run", "y.run", "--ties", "docid-asc", "--json").out)
    assert found["rbo"] == pytest.approx(0.685, abs=1e-12)
    assert (found["only_first"], found["only_second"]) == (1, 0)
    assert found["per_query"][0]["overlap"] == {"1": 1.0, "10": 0.2, "100": 0.02}


def test_files(irbridge: Irbridge) -> None:
    arguments = ("--ties", "docid-asc", "--moved", "moved.csv", "--per-query", "q.csv")
    assert irbridge("overlap", "x.run", "y.run", *arguments).code == 0
    assert list(csv.reader(Path("moved.csv").read_text().splitlines())) == [
        ["query_id", "doc_id", "first", "second", "up"],
        ["q1", "a", "1", "1", "0"],
        ["q1", "b", "2", "", ""],
        ["q1", "c", "3", "2", "1"],
        ["q1", "d", "", "3", ""],
    ]
    assert Path("q.csv").read_text().startswith("query_id,rbo,overlap@1,")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["x.run"], "missing argument"),
        (["x.run", "absent"], "absent"),
        (["x.run", "y.run", "--p", "1"], "0<x<1"),
        (["x.run", "y.run", "--at", "ten"], "list of whole numbers"),
        (["x.run", "y.run", "--at", "0"], "k must be a whole number from 1"),
        (["x.run", "y.run", "--moved", "m.txt"], "does not say how to write it"),
        (["x.run", "y.run", "--moved", "m.csv", "--per-query", "m.csv"], "name the same file"),
        (["-", "-"], "standard input"),
        (["x.run", "a.qrels"], "a.qrels"),
    ],
)
def test_bad_usage(irbridge: Irbridge, arguments: list[str], message: str) -> None:
    done = irbridge("overlap", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
