"""`score --unjudged` and budgets, as a person types them, on the small collection of conftest."""

from __future__ import annotations

import hashlib
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
    assert row(done.out, "bpref")[1:3] == ["-", "-"]
    assert "no worst and best over unjudged documents is known of bpref" in done.out
    assert "bounds over the grades of unjudged documents" in done.out


def test_bounds_in_the_report_and_by_query(irbridge: Irbridge) -> None:
    report = json.loads(irbridge("score", *BOTH, "-m", "RR bpref", "--unjudged", "bounds", "--json").out)
    assert report["measures"]["RR"]["unjudged"] == {"worst": 0.5, "best": 0.75, "highest_grade": 2}
    assert report["measures"]["bpref"]["unjudged"] is None
    assert report["notes"] == ["no worst and best over unjudged documents is known of bpref"]
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


def test_a_tokenizer_counts_a_corpus(irbridge: Irbridge) -> None:
    Path("lengths.tsv").write_text("d3\t2\n")
    done = irbridge("score", *BOTH, "-m", "P@2tok", "--lengths", "lengths.tsv", "--tokenizer", "ws")
    assert done.code == 2
    assert "no tokenizer counts any" in done.err
    # Also where nothing is to be counted, its name is one of those that there are.
    done = irbridge("score", *BOTH, "-m", "P@2", "--tokenizer", "sw")
    assert done.code == 2
    assert "one of: ws" in done.err
    # A right one is refused as lengths are.
    Path("c.jsonl").write_text('{"_id": "d1", "text": "one"}\n')
    for more in ((), ("--corpus", "c.jsonl")):
        done = irbridge("score", *BOTH, "-m", "P@2", "--tokenizer", "ws", *more)
        assert (done.code, done.out) == (2, "")
        assert "the tokenizer is for budgets, and no measure has one" in done.err


def test_lengths_are_an_input_that_a_baseline_holds_to(irbridge: Irbridge) -> None:
    Path("lengths.tsv").write_text("".join(f"d{number}\t1\n" for number in range(1, 10)))
    score = ("score", *BOTH, "-m", "P@2tok RR", "--lengths", "lengths.tsv")
    assert irbridge(*score, "--out", "before.json").code == 0
    (given,) = (each for each in json.loads(Path("before.json").read_text())["inputs"] if each["role"] == "lengths")
    # Of the bytes of the file.
    assert given == {
        "role": "lengths", "path": "lengths.tsv", "format": "lengths",
        "sha256": hashlib.sha256(Path("lengths.tsv").read_bytes()).hexdigest(),
    }  # fmt: skip
    gated = ("--baseline", "before.json", "--gate", "P@2tok:-0.01")
    assert irbridge(*score, *gated).code == 0
    with Path("lengths.tsv").open("a") as lengths:
        lengths.write("d10\t1\n")
    done = irbridge(*score, *gated)
    assert done.code == 1
    assert "another file of lengths" in done.out
    # Of measures without a budget nothing has changed; and what is counted in a corpus goes by no lengths.
    assert irbridge("score", *BOTH, "-m", "RR", "--baseline", "before.json", "--gate", "RR:-0.01").code == 0
    Path("c.jsonl").write_text("".join(f'{{"_id": "d{number}", "text": "one"}}\n' for number in range(1, 10)))
    done = irbridge("score", *BOTH, "-m", "P@2tok", "--corpus", "c.jsonl", *gated)
    assert done.code == 1
    assert "another way of counting: lengths there, tokens (ws) here" in " ".join(done.out.split())
    assert "not told" not in done.out


def test_the_corpus_that_is_counted_is_an_input_that_a_baseline_holds_to(irbridge: Irbridge) -> None:
    text = "".join(f'{{"_id": "d{number}", "text": "one"}}\n' for number in range(1, 10))
    Path("c.jsonl").write_text(text)
    score = ("score", *BOTH, "-m", "P@2tok", "--corpus")
    assert irbridge(*score, "c.jsonl", "--out", "before.json").code == 0
    (given,) = (each for each in json.loads(Path("before.json").read_text())["inputs"] if each["role"] == "corpus")
    assert given == {
        "role": "corpus", "path": "c.jsonl", "format": "documents", "sha256": hashlib.sha256(text.encode()).hexdigest(),
    }  # fmt: skip
    gated = ("--baseline", "before.json", "--gate", "P@2tok:-0.5")
    done = irbridge(*score, "c.jsonl", *gated)
    assert (done.code, "not told" in done.out) == (0, False)
    Path("lengths.tsv").write_text("".join(f"d{number}\t1\n" for number in range(1, 10)))
    done = irbridge("score", *BOTH, "-m", "P@2tok", "--lengths", "lengths.tsv", *gated)
    assert done.code == 1
    assert "another way of counting: tokens (ws) there, lengths here" in " ".join(done.out.split())
    # A folder has no digest: whether it holds the same documents is not known, and that is said.
    Path("folder").mkdir()
    Path("folder/corpus.jsonl").write_text(text)
    done = irbridge(*score, "folder", *gated)
    assert done.code == 0
    assert "not told by both reports: corpus that was counted" in " ".join(done.out.split())
    Path("c.jsonl").write_text(text + '{"_id": "d10", "text": "one"}\n')
    done = irbridge(*score, "c.jsonl", *gated)
    assert done.code == 1
    assert "another corpus that was counted" in done.out
    # Of measures without a budget it is no input.
    assert irbridge("score", *BOTH, "-m", "RR", "--corpus", "c.jsonl", "--out", "rr.json").code in {0, 1}
    assert [each["role"] for each in json.loads(Path("rr.json").read_text())["inputs"]] == ["judgments", "run"]
