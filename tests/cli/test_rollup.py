"""`irbridge rollup`: files in and out, the screen, the JSON, and the exit codes.

chunks   a1 a2 of document A, b1 of B
run      q1: b1 3, a1 2, a2 2     q2: a2 1     max: q1 B 3, A 2; q2 A 1     sum: q1 A 4, B 3; q2 A 1
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Irbridge

RUN = "q1 Q0 b1 1 3.0 t\nq1 Q0 a1 2 2.00 t\nq1 Q0 a2 3 2.0 t\nq2 Q0 a2 1 1 t\n"
MAX = "q1 Q0 B 1 3.0 t\nq1 Q0 A 2 2.00 t\nq2 Q0 A 1 1 t\n"


@pytest.fixture(autouse=True)
def _files() -> None:
    chunks = [{"chunk_id": name, "doc_uri": name[0].upper()} for name in ("a1", "a2", "b1")]
    header = {"corpus_fingerprint": "x/1"}
    Path("c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (header, *chunks)))
    Path("c.run").write_text(RUN)


def test_a_run_over_documents(irbridge: Irbridge) -> None:
    done = irbridge("rollup", "c.run", "--corpus", "c.jsonl", "--to", "trec-run", "-o", "d.run")
    assert (done.code, Path("d.run").read_text()) == (0, MAX), "the scores keep their digits"
    assert "4 rows of chunks became 3 rows of documents" in " ".join(done.out.split())


def test_standard_output_is_in_the_run_s_own_format(irbridge: Irbridge) -> None:
    done = irbridge("rollup", "c.run", "--corpus", "c.jsonl", "--by", "sum")
    assert done.out == "q1 Q0 A 1 4.0 t\nq1 Q0 B 2 3.0 t\nq2 Q0 A 1 1 t\n"
    assert "rolled up" in done.err


def test_the_suffix_says_the_format(irbridge: Irbridge) -> None:
    irbridge("rollup", "c.run", "--corpus", "c.jsonl", "-o", "d.jsonl.gz")
    data = irbridge("convert", "d.jsonl.gz", "--to", "trec-run").out
    assert data.replace("2.0 ", "2.00 ") == MAX.replace(" 3.0 ", " 3.0 ")


def test_the_json_counts(irbridge: Irbridge) -> None:
    Path("c.run").write_text(RUN + "q3 Q0 z9 1 5 t\nq3 Q0 z9 2 4 t\n")
    done = irbridge(
        "rollup", "c.run", "--corpus", "c.jsonl", "--drop-unknown", "--to", "msmarco-run", "-o", "d.tsv", "--json"
    )
    assert json.loads(done.out) == {
        "by": "max", "queries": 3, "chunks": 6, "documents": 3, "repeated": 1, "dropped": 1, "unknown": ["z9"], "emptied": 1,
        "losses": {"scores (only the order is kept)": 3, "run tag": 3, "queries with an empty ranking": 1},
        "target": "msmarco-run", "out": "d.tsv",
    }  # fmt: skip
    assert Path("d.tsv").read_text() == "q1\tB\t1\nq1\tA\t2\nq2\tA\t1\n"


def test_a_list_without_scores(irbridge: Irbridge) -> None:
    Path("l.jsonl").write_text('{"query_id":"q1","ranking":["a2","b1","a1","a2"]}\n{"query_id":"q2","ranking":[]}\n')
    done = irbridge("rollup", "l.jsonl", "--corpus", "c.jsonl", "--by", "first")
    assert done.out == '{"query_id":"q1","ranking":["A","B"]}\n{"query_id":"q2","ranking":[]}\n'
    refused = irbridge("rollup", "l.jsonl", "--corpus", "c.jsonl")
    assert refused.code == 2
    assert "l.jsonl:1: query q1 has no scores" in refused.err
    assert "--by first" in refused.err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--by", "median"), "is no way to roll up"),
        (("--by", "mean/0"), "is no way to roll up"),
        (("--to", "qrels"), "cannot hold a run"),
        (("--to", "nope"), "not a format"),
        (("-o", "d.xyz"), "does not say in which format"),
        (("-o", "c.run", "--to", "trec-run"), "is an input and would be overwritten"),
        (("--corpus", "absent"), "no such file"),
        (("--corpus", "other.jsonl"), "3 ids of 3 ids in the run are in no chunk of other.jsonl: b1, a1, a2"),
    ],
)
def test_what_cannot_be_done_is_said(irbridge: Irbridge, arguments: tuple[str, ...], message: str) -> None:
    Path("other.jsonl").write_text('{"corpus_fingerprint":"y"}\n{"chunk_id":"z","doc_uri":"Z"}\n')
    done = irbridge("rollup", "c.run", "--corpus", "c.jsonl", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert Path("c.run").read_text() == RUN


def test_scored_on_documents(irbridge: Irbridge) -> None:
    Path("d.qrels").write_text("q1 0 A 1\nq2 0 A 1\n")
    irbridge("rollup", "c.run", "--corpus", "c.jsonl", "--to", "trec-run", "-o", "d.run")
    done = irbridge("score", "--judgments", "d.qrels", "--run", "d.run", "-m", "RR", "--json")
    # q1: A is second; q2: first.
    assert json.loads(done.out)["metrics"]["RR"]["value"] == 0.75


@pytest.mark.parametrize("drop", [(), ("--drop-unknown",)])
def test_a_run_of_another_corpus_is_refused_whatever_may_be_dropped(irbridge: Irbridge, drop: tuple[str, ...]) -> None:
    Path("c.run").write_text("q1 Q0 z1 1 2 t\nq1 Q0 z2 2 1 t\n")
    done = irbridge("rollup", "c.run", "--corpus", "c.jsonl", *drop, "-o", "d.run")
    assert done.code == 2
    assert "2 ids of 2 ids in the run are in no chunk of c.jsonl: z1, z2" in done.err
    assert "--drop-unknown" not in done.err, "it would leave nothing"
    assert not Path("d.run").exists()
