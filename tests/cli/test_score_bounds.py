"""`score --unjudged` and budgets, as a person types them, on the small collection of conftest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]
BOTH = ("--judgments", "a.qrels", "--run", "a.run")


def row(out: str, name: str) -> list[str]:
    return next(line.split()[1:] for line in out.splitlines() if line.split()[:1] == [name])


def test_bounds_stand_beside_the_mean(irbridge: Irbridge) -> None:
    # q1 returns d3 (0), d1 (2), d9; q2 d5, d4 (1). P@3 1/3 twice; with d9 and d5 it is 2/3 twice.
    done = irbridge("score", *BOTH, "-m", "P@3 RR bpref NumRelRet", "--unjudged", "bounds")
    assert done.code == 0
    assert re.match(r" +mean +worst +best +95% interval +n\n", done.out)
    assert row(done.out, "P@3") == ["0.3333", "0.3333", "0.6667", "0.3333", "0.3333", "2"]
    # RR 1/2 twice; with d5 it is 1 in q2, and d9 stands below d1.
    assert row(done.out, "RR")[:3] == ["0.5000", "0.5000", "0.7500"]
    assert row(done.out, "NumRelRet") == ["2", "2", "4", "2"]
    assert len(row(done.out, "bpref")) == 4
    assert "bounds over the grades of unjudged documents" in done.out


def test_bounds_in_the_report_and_by_query(irbridge: Irbridge) -> None:
    report = json.loads(irbridge("score", *BOTH, "-m", "RR bpref", "--unjudged", "bounds", "--json").out)
    assert report["measures"]["RR"]["unjudged"] == {"worst": 0.5, "best": 0.75, "highest_grade": 2}
    assert "unjudged" not in report["measures"]["bpref"]
    assert report["metrics"]["RR"]["value"] == 0.5
    done = irbridge("score", *BOTH, "-m", "RR bpref", "--unjudged", "bounds", "--per-query", "-")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [list(row.values()) for row in rows if row["measure"] == "RR"] == [
        ["q1", "RR", 0.5, 0.5, 0.5],
        ["q2", "RR", 0.5, 0.5, 1.0],
    ]
    assert {(row["worst"], row["best"]) for row in rows if row["measure"] == "bpref"} == {(None, None)}


@pytest.mark.parametrize(
    "options, code, said",
    [
        (["--unjudged", "worst", "--gate", "P@3:0.3"], 0, "PASS"),
        (["--unjudged", "best", "--gate", "P@3:0.66"], 0, "PASS"),
        (["--unjudged", "bounds", "--gate", "P@3:unjudged-lower:0.33"], 0, "PASS"),
        (
            ["--unjudged", "bounds", "--gate", "P@3:unjudged-lower:0.34"],
            1,
            "P@3 may be 0.3333 with its unjudged documents",
        ),
        (["--gate", "P@3:unjudged-lower:0.1"], 1, "no worst value of 'P@3'"),
        (["--unjudged", "worst", "-m", "bpref"], 2, "bpref has no worst and best"),
        (["--unjudged", "best", "--judged-only"], 2, "goes with neither"),
        (["--unjudged", "all"], 2, "--unjudged"),
        (["--unjudged", "best", "--unjudged-grade", "0"], 2, "--unjudged-grade"),
    ],
)
def test_what_it_comes_to(irbridge: Irbridge, options: list[str], code: int, said: str) -> None:
    done = irbridge("score", *BOTH, "-m", "P@3", *options)
    assert done.code == code
    assert said in done.out + done.err


def test_a_baseline_without_bounds_is_still_one(irbridge: Irbridge) -> None:
    assert irbridge("score", *BOTH, "-m", "P@3", "--out", "before.json").code == 0
    options = ("--baseline", "before.json", "--gate", "P@3:-0.0")
    assert irbridge("score", *BOTH, "-m", "P@3", "--unjudged", "bounds", *options).code == 0
    assert "another convention: unjudged" in irbridge("score", *BOTH, "-m", "P@3", "--unjudged", "best", *options).out


def test_a_budget(irbridge: Irbridge, tmp_path: Path) -> None:
    texts = {"d3": "one two", "d1": "one two three", "d9": "one", "d5": "one two three four five six", "d4": "one"}
    lines = [json.dumps({"_id": doc_id, "text": text}) for doc_id, text in texts.items()]
    (tmp_path / "c.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "lengths.tsv").write_text("".join(f"{doc_id}\t{len(text.split())}\n" for doc_id, text in texts.items()))
    # 5 tokens hold d3 and d1 of q1: P 1/2; d5 of q2 does not fit: 0.
    for source in (("--corpus", "c.jsonl"), ("--lengths", "lengths.tsv")):
        done = irbridge("score", *BOTH, "-m", "P@5tok", *source)
        assert done.code == 0
        assert row(done.out, "P@5tok")[0] == "0.2500"
        assert "1.0 documents fit into 5tok" in done.out
    # 8 characters hold d3 alone.
    assert (
        row(irbridge("score", *BOTH, "-m", "Judged@8chars", "--corpus", "c.jsonl").out, "Judged@8chars")[0] == "0.5000"
    )
    refused = irbridge("score", *BOTH, "-m", "P@5tok")
    assert (refused.code, "--lengths FILE" in refused.err) == (2, True)
    (tmp_path / "some.tsv").write_text("d3\t2\nd1\t3\n")
    refused = irbridge("score", *BOTH, "-m", "P@9tok", "--lengths", "some.tsv")
    assert refused.code == 2
    assert "documents whose length is not known: d9, d5" in refused.err
    assert irbridge("score", *BOTH, "-m", "P@9tok", "--lengths", "some.tsv", "--out", "some.tsv").code == 2
    assert irbridge("score", *BOTH, "-m", "P@9tok", "--lengths", "").code == 2
