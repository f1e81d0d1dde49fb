from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Irbridge = Callable[..., Any]


@pytest.fixture
def beir() -> str:
    """A BEIR folder: two documents, two queries, three labels."""
    Path("b/qrels").mkdir(parents=True)
    Path("b/corpus.jsonl").write_text('{"_id":"d1","title":"","text":"one"}\n{"_id":"d2","title":"","text":"two"}\n')
    Path("b/queries.jsonl").write_text('{"_id":"q1","text":"first"}\n{"_id":"q2","text":"second"}\n')
    Path("b/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\nq2\td1\t1\n")
    return "b"


def test_a_folder_is_written_and_described(irbridge: Irbridge, beir: str) -> None:
    done = irbridge("load", beir, "--out", "made")
    assert done.code == 0
    said = " ".join(done.out.split())
    assert "3 labels · 2 queries · 2 documents" in said
    assert "relevance 1: 2 · 2: 1" in said
    assert "next irbridge score --judgments made --run YOUR.run" in said
    assert sorted(path.name for path in Path("made").iterdir()) == [
        "corpus.jsonl", "judgments.jsonl", "manifest.json", "queries.jsonl",
    ]  # fmt: skip


def test_what_was_loaded_can_be_scored(irbridge: Irbridge, beir: str) -> None:
    assert irbridge("load", beir, "--out", "made").code == 0
    Path("r.run").write_text("q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\nq2 Q0 d2 1 2 t\nq2 Q0 d1 2 1 t\n")
    done = irbridge("score", "--judgments", "made", "--run", "r.run", "-m", "RR", "--json")
    assert done.code == 0
    assert json.loads(done.out)["metrics"]["RR"]["value"] == 0.75  # 1 and 1/2


def test_json_is_the_manifest(irbridge: Irbridge, beir: str) -> None:
    made = json.loads(irbridge("--json", "load", beir, "--out", "made").out)
    assert made["out"] == "made"
    assert {**json.loads(Path("made/manifest.json").read_text()), "out": "made"} == made


def test_a_folder_in_use_is_left_alone(irbridge: Irbridge, beir: str) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.txt").write_text("years of work")
    for flags in ((), ("--force",)):
        done = irbridge("load", beir, "--out", "mine", *flags)
        assert done.code == 2
        assert "is not empty" in done.err
    assert Path("mine/thesis.txt").read_text() == "years of work"


def test_force_replaces_what_load_has_written(irbridge: Irbridge, beir: str) -> None:
    assert irbridge("load", beir, "--out", "made").code == 0
    again = irbridge("load", beir, "--out", "made")
    assert again.code == 2
    assert "--force" in again.err
    assert irbridge("load", beir, "--out", "made", "--without-documents", "--force").code == 0
    assert not Path("made/corpus.jsonl").exists()


def test_an_unknown_id_gets_a_neighbour(irbridge: Irbridge) -> None:
    done = irbridge("load", "beir/scifct/test", "--out", "made")
    assert done.code == 2
    assert "did you mean beir/scifact/test" in done.err
    assert not Path("made").exists()


def test_without_a_network_the_missing_file_is_named(irbridge: Irbridge) -> None:
    done = irbridge("load", "antique/test", "--out", "made")
    assert done.code == 2
    assert "not on this machine" in done.err
    assert "place that file at" in done.err
    assert not Path("made").exists()


@pytest.mark.parametrize("prefix", ["", "irds:"])
def test_a_public_collection(irbridge: Irbridge, irds_home: Path, prefix: str) -> None:
    done = irbridge("load", f"{prefix}beir/scifact/test", "--out", "scifact")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    # The counts of the collection's own page.
    assert "339 labels · 300 queries · 5,183 documents" in said
    assert "irds:beir/scifact/test (ir_datasets" in said


def test_queries_that_cannot_be_had_can_be_left_out(irbridge: Irbridge, beir: str) -> None:
    Path("b/queries.jsonl").write_text('{"_id":"q1","text":"first"}\n{\n')
    Path("q.jsonl").write_text('{"query_id":"q1","doc_uri":"d1","relevance":1}\n')
    assert irbridge("load", "b", "--out", "made").code == 2
    Path("b/queries.jsonl").unlink()
    done = irbridge("load", "b", "--out", "made", "--without-queries")
    assert done.code == 0
    assert not Path("made/queries.jsonl").exists()
    assert "the queries were left out" in done.out


def test_one_of_each_is_named_in_the_singular(irbridge: Irbridge, beir: str) -> None:
    Path("b/corpus.jsonl").write_text('{"_id":"d1","text":"one"}\n')
    Path("b/queries.jsonl").write_text('{"_id":"q1","text":"first"}\n')
    Path("b/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert "1 label · 1 query · 1 document" in irbridge("load", beir, "--out", "made").out


@pytest.mark.parametrize("source", ["made", "made/judgments.jsonl"])
def test_force_does_not_destroy_its_own_input(irbridge: Irbridge, beir: str, source: str) -> None:
    assert irbridge("load", beir, "--out", "made").code == 0
    before = sorted(Path("made").iterdir())
    done = irbridge("load", source, "--out", "made", "--force")
    assert done.code == 2
    assert "would be gone" in done.err
    assert sorted(Path("made").iterdir()) == before


def test_labels_from_a_pipe(irbridge: Irbridge) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "irbridge", "load", "-", "--out", "made"]
    done = subprocess.run(command, input=Path("a.qrels").read_bytes(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert Path("made/judgments.jsonl").read_text().count("\n") == 4
