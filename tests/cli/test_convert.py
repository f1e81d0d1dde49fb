from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]

# The order of fields and the compact form are the specification's, so that the way back can be byte-equal.
JUDGMENTS = (
    '{"query_id":"q1","query":"café?","doc_uri":"d1","relevance":2,"labeled_by":"human:ana","stratum":"a"}\n'
    '{"query_id":"q1","query":"café?","doc_uri":"d2","relevance":0,"notes":"no","unknown":[1]}\n'
)


@pytest.fixture
def judgments() -> str:
    Path("j.jsonl").write_text(JUDGMENTS, encoding="utf-8")
    return "j.jsonl"


def piped(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "irbridge", *arguments], capture_output=True, check=False)


def test_rows_in_are_rows_out_and_losses_are_counted(irbridge: Irbridge, judgments: str) -> None:
    done = irbridge("convert", judgments, "--to", "qrels", "-o", "out.qrels")
    assert done.code == 0
    assert Path("out.qrels").read_text() == "q1 0 d1 2\nq1 0 d2 0\n"
    lines = [line.split(maxsplit=1) for line in done.out.splitlines()]
    assert ["rows", "judgments to trec-qrels · judgments 2 in, 2 out"] in lines
    assert ["lost", "query: 2 rows"] in lines
    assert ["lost", "labeled_by: 1 row"] in lines
    assert ["lost", "unknown: 1 row"] in lines
    assert ["wrote", "out.qrels"] in lines


def test_json(irbridge: Irbridge, judgments: str) -> None:
    made = json.loads(irbridge("--json", "convert", judgments, "--to", "trec-qrels", "-o", "out.qrels").out)
    assert made["source"] == "judgments"
    assert made["target"] == "trec-qrels"
    assert made["rows_in"] == made["rows_out"] == {"judgments": 2}
    assert made["losses"]["stratum"] == 1


def test_the_contracts_spelling_writes_to_standard_output(judgments: str) -> None:
    done = piped("convert", "--judgments", judgments, "--to", "qrels")
    assert done.returncode == 0
    assert done.stdout == b"q1 0 d1 2\nq1 0 d2 0\n"
    assert b"2 in, 2 out" in done.stderr


def test_qrels_to_judgments_and_chunk_ids() -> None:
    chunk = "c1:" + "0" * 32
    Path("c.qrels").write_text(f"q1 0 {chunk} 1\n")
    plain = piped("convert", "--qrels", "c.qrels", "--to", "judgments")
    assert json.loads(plain.stdout) == {"query_id": "q1", "doc_uri": chunk, "relevance": 1}
    made = piped("convert", "--qrels", "c.qrels", "--to", "judgments", "--as-chunk-ids")
    assert json.loads(made.stdout)["chunk_id"] == chunk


def test_run_to_trec_run() -> None:
    Path("r.jsonl").write_text('{"query_id":"q1","ranking":["d2","d1"]}\n')
    done = piped("convert", "--run", "r.jsonl", "--to", "trec-run")
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    assert [row[:4] for row in rows] == [["q1", "Q0", "d2", "1"], ["q1", "Q0", "d1", "2"]]
    assert float(rows[0][4]) > float(rows[1][4])


def test_a_sidecar_restores_every_byte(irbridge: Irbridge, judgments: str) -> None:
    there = irbridge("convert", judgments, "--to", "qrels", "--sidecar", "rest.jsonl", "-o", "out.qrels")
    assert there.code == 0
    assert "lost" not in there.out
    back = irbridge("convert", "out.qrels", "--to", "judgments", "--sidecar", "rest.jsonl", "-o", "back.jsonl")
    assert back.code == 0
    assert Path("back.jsonl").read_bytes() == JUDGMENTS.encode()


def test_strict_refuses_and_writes_nothing(irbridge: Irbridge, judgments: str) -> None:
    Path("out.qrels").write_text("old\n")
    done = irbridge("convert", judgments, "--to", "qrels", "--strict", "-o", "out.qrels")
    assert done.code == 2
    assert "cannot hold query in 2 rows" in done.err
    assert Path("out.qrels").read_text() == "old\n"


def test_bad_rows_are_refused_or_dropped(irbridge: Irbridge) -> None:
    Path("bad.run").write_text("q1 Q0 a 1 0.9 t\nq1 Q0 b 2 nan t\n")
    refused = irbridge("convert", "bad.run", "--to", "trec-run", "-o", "clean.run")
    assert refused.code == 2
    assert "bad.run:2: score 'nan' is not a number" in refused.err
    assert not Path("clean.run").exists()
    dropped = irbridge("convert", "bad.run", "--to", "trec-run", "--drop-bad-rows", "-o", "clean.run")
    assert dropped.code == 0
    assert "1 unusable row" in dropped.out
    assert Path("clean.run").read_text().startswith("q1 Q0 a 1 ")


def test_ranks_that_contradict_scores_need_a_decision(irbridge: Irbridge) -> None:
    # Field note B06.
    Path("b06.run").write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.9 t\n")
    undecided = irbridge("convert", "b06.run", "--to", "run", "-o", "out.jsonl")
    assert undecided.code == 2
    assert "the rank column contradicts the scores" in undecided.err
    orders = {}
    for order in ("score", "rank"):
        assert irbridge("convert", "b06.run", "--to", "run", "--order", order, "-o", "out.jsonl").code == 0
        orders[order] = json.loads(Path("out.jsonl").read_text())["ranking"]
    assert orders == {"score": ["b", "a"], "rank": ["a", "b"]}


def test_folders(irbridge: Irbridge, judgments: str) -> None:
    assert irbridge("convert", judgments, "--to", "beir").code == 2
    assert irbridge("convert", judgments, "--to", "beir", "-o", "folder").code == 0
    assert sorted(path.name for path in Path("folder").iterdir())
    again = irbridge("convert", judgments, "--to", "beir", "-o", "folder")
    assert again.code == 2
    assert "--force" in again.err
    assert irbridge("convert", judgments, "--to", "beir", "-o", "folder", "--force").code == 0


def test_one_source_exactly(irbridge: Irbridge, judgments: str) -> None:
    assert "none is named" in irbridge("convert", "--to", "qrels").err
    assert irbridge("convert", judgments, "--qrels", "a.qrels", "--to", "qrels").code == 2


def test_formats_in_memory_are_for_python(irbridge: Irbridge, judgments: str) -> None:
    done = irbridge("convert", judgments, "--to", "pandas")
    assert done.code == 2
    assert "irbridge.convert('j.jsonl', 'pandas').result" in done.err


def test_the_source_format_can_be_named(irbridge: Irbridge) -> None:
    done = irbridge("convert", "a.qrels", "--from", "trec-run", "--to", "run", "-o", "out.jsonl")
    assert done.code == 2
    assert irbridge("convert", "a.qrels", "--from", "qrels", "--to", "judgments", "-o", "out.jsonl").code == 0
