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


# ------------------------------------------------------------------------------------------------------- counted alike


@pytest.fixture
def collection() -> str:
    """A folder with two labels, two queries, one document, and a run of three rows in two rankings."""
    Path("c").mkdir()
    Path("c/judgments.jsonl").write_text(
        '{"query_id":"q1","doc_uri":"d1","relevance":1}\n{"query_id":"q2","doc_uri":"d1","relevance":0}\n'
    )
    Path("c/queries.jsonl").write_text('{"_id":"q1","text":"a"}\n{"_id":"q2","text":"b"}\n')
    Path("c/corpus.jsonl").write_text('{"_id":"d1","text":"t"}\n')
    Path("c/run.trec").write_text("q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d1 1 1.0 t\n")
    return "c"


def test_every_part_is_counted_in_rows_on_both_sides(irbridge: Irbridge, collection: str) -> None:
    made = json.loads(irbridge("--json", "convert", collection, "--to", "collection", "-o", "d").out)
    assert made["rows_in"] == made["rows_out"] == {"judgments": 2, "queries": 2, "documents": 1, "run": 3}


def test_what_is_lost_of_a_folder_is_counted_in_rows_too(irbridge: Irbridge, collection: str) -> None:
    for target in ("beir", "parquet"):
        made = json.loads(irbridge("--json", "convert", collection, "--to", target, "-o", target).out)
        assert made["losses"] == {"the run": 3}
        assert made["rows_in"]["run"] == 3
    said = irbridge("convert", collection, "--to", "qrels", "-o", "out.qrels").out
    assert "the run was not written" in said


def test_a_folders_scattered_run_is_gathered(irbridge: Irbridge, collection: str) -> None:
    Path("c/run.trec").write_text("q1 Q0 d1 1 2.0 t\nq2 Q0 d1 1 1.0 t\nq1 Q0 d2 2 1.0 t\n")
    assert irbridge("convert", collection, "--to", "collection", "-o", "d").code == 0
    assert Path("d/run.trec").read_text() == "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d1 1 1.0 t\n"


def test_repeated_labels_are_rows_that_were_read(irbridge: Irbridge) -> None:
    Path("twice.qrels").write_text("q1 0 d1 1\nq1 0 d1 1\n")
    done = irbridge("convert", "twice.qrels", "--to", "judgments", "-o", "out.jsonl")
    assert "judgments 2 in, 1 out" in done.out
    assert "1 repeated judgment, equal to an earlier one, collapsed" in " ".join(done.out.split())


def test_bad_rows_of_every_part_can_be_left_out(irbridge: Irbridge, collection: str) -> None:
    with Path("c/queries.jsonl").open("a") as stream:
        stream.write("{\n")
    assert irbridge("convert", collection, "--to", "beir", "-o", "b").code == 2
    made = json.loads(irbridge("--json", "convert", collection, "--to", "beir", "-o", "b", "--drop-bad-rows").out)
    assert [(row["path"], row["line"]) for row in made["dropped"]] == [("c/queries.jsonl", 3)]
    assert made["rows_out"]["queries"] == 2


# ------------------------------------------------------------------------------------------------- format by the suffix


@pytest.mark.parametrize(
    "source, out, target",
    [
        ("a.qrels", "j.jsonl", "judgments"),
        ("a.qrels", "J.NDJSON.gz", "judgments"),
        ("a.qrels", "j.qrels", "trec-qrels"),
        ("a.qrels", "j.tsv", "beir-qrels"),
        ("a.qrels", "j.json", "ranx-qrels"),
        ("a.run", "r.jsonl", "run"),
        ("a.run", "r.run", "trec-run"),
        ("a.run", "r.trec.gz", "trec-run"),
        ("a.run", "r.json", "ranx-run"),
        ("a.run", "r.tsv", "msmarco-run"),
    ],
)
def test_a_suffix_says_the_format(irbridge: Irbridge, source: str, out: str, target: str) -> None:
    made = json.loads(irbridge("--json", "convert", source, "-o", out).out)
    assert made["target"] == target
    assert Path(out).exists()


@pytest.mark.parametrize(
    "out, fit, unfit", [("x.txt", "trec-qrels", "trec-run"), ("folder", "beir", "run"), ("x.run", "judgments", "irds")]
)
def test_a_suffix_that_says_nothing_is_refused_with_what_fits(
    irbridge: Irbridge, out: str, fit: str, unfit: str
) -> None:
    done = irbridge("convert", "a.qrels", "-o", out)
    assert done.code == 2
    assert "--to" in done.err
    named = done.err.split("--to: ")[1].strip().split(", ")
    assert fit in named
    assert unfit not in named
    assert not Path(out).exists()


def test_without_a_file_a_format_is_needed(irbridge: Irbridge) -> None:
    for flags in ((), ("-o", "-")):
        done = irbridge("convert", "a.qrels", *flags)
        assert done.code == 2
        assert "--to" in done.err


def test_a_pipe_is_read_for_its_format_and_then_whole() -> None:
    command = [sys.executable, "-m", "irbridge", "convert", "-", "-o", "r.jsonl"]
    done = subprocess.run(command, input=Path("a.run").read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(Path("r.jsonl").read_text().splitlines()) == 2


# ------------------------------------------------------------------------------------------------------ what is replaced


def test_a_folder_is_not_replaced_by_what_is_in_it(irbridge: Irbridge, collection: str) -> None:
    before = sorted(Path("c").iterdir())
    for source in ("c", "c/judgments.jsonl", "judgments:c/judgments.jsonl", "./c/../c"):
        done = irbridge("convert", source, "--to", "beir", "-o", "c", "--force")
        assert done.code == 2
        assert "would be gone" in done.err
    assert sorted(Path("c").iterdir()) == before


def test_a_part_of_the_input_is_not_overwritten(irbridge: Irbridge, collection: str) -> None:
    before = Path("c/judgments.jsonl").read_text()
    done = irbridge("convert", "c", "--to", "judgments", "-o", "c/judgments.jsonl")
    assert done.code == 2
    assert "is a part of the input" in done.err
    assert Path("c/judgments.jsonl").read_text() == before


def test_a_link_to_a_folder_is_never_emptied(irbridge: Irbridge, judgments: str) -> None:
    Path("real").mkdir()
    Path("real/mine").write_text("mine")
    Path("link").symlink_to("real")
    done = irbridge("convert", judgments, "--to", "beir", "-o", "link", "--force")
    assert done.code == 2
    assert "is a link to" in done.err
    assert Path("link/mine").read_text() == "mine"
    Path("real/mine").unlink()
    assert irbridge("convert", judgments, "--to", "beir", "-o", "link").code == 0
    assert Path("link").is_symlink()
    assert Path("real/qrels").is_dir()


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes are for Linux")
@pytest.mark.parametrize(
    "target", [("--to", "judgments", "-o", "caf\udce9.jsonl"), ("--to", "beir", "-o", "caf\udce9")]
)
def test_json_with_a_path_that_is_no_text(judgments: str, target: tuple[str, ...]) -> None:
    done = piped("--json", "convert", judgments, *target)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["out"] == target[-1].replace("\udce9", "\\xe9")
    assert Path(target[-1]).exists()
