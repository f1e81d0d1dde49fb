"""The recipe's job, run on the demo as the page shows it, and held against the local commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irbridge

pytestmark = pytest.mark.may_skip("Spark needs Java, which is not everywhere")

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
RUN = """
import spark_job
print(spark_job.main(["chunk", "handbook/corpus.jsonl", "recursive/300", "chunks.parquet"]))
print(spark_job.main(["drift", "chunk-judgments.jsonl", "chunks.parquet", "findings.parquet", "--fingerprint", "new"]))
print(spark_job.main(["drift", "chunk-judgments.jsonl", "chunks.jsonl", "again.parquet"]))
print(spark_job.main(["score", "handbook", "run.parquet", "nDCG@10 AP", "scores.parquet"]))
print(spark_job.main(["drift", "nothing.jsonl", "chunks.parquet", "never.parquet"]))
"""


def test_the_three_jobs(tmp_path):
    pytest.importorskip("pyspark")
    tables = pytest.importorskip("pyarrow.parquet")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no Java")
    command = [sys.executable, "-m", "irbridge"]
    subprocess.run([*command, "demo"], cwd=tmp_path, check=True, capture_output=True)
    folder = tmp_path / "irbridge-demo"
    chunking = ["chunk", "handbook", "--chunker", "recursive/300", "-o", "chunks.jsonl"]
    subprocess.run([*command, *chunking], cwd=folder, check=True, capture_output=True)
    table = irbridge.convert(str(folder / "bm25.run"), "pyarrow").result
    tables.write_table(table, folder / "run.parquet")

    environment = {
        **os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(RECIPES), "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 pyspark-shell",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    corpus = irbridge.corpus_of(str(folder / "handbook"), "recursive/300")
    rows = tables.read_table(folder / "chunks.parquet").to_pylist()
    assert sorted(row["chunk_id"] for row in rows) == sorted(chunk.chunk_id for chunk in corpus)
    here = irbridge.drift(str(folder / "chunk-judgments.jsonl"), corpus).drift
    for name in ("findings.parquet", "again.parquet"):
        found = sorted(tables.read_table(folder / name).to_pylist(), key=lambda row: row["label"])
        assert [(row["status"], row["reanchor_to"]) for row in found] == [
            (finding.status, finding.reanchor_to) for finding in here.findings
        ]
    scores = irbridge.score(str(folder / "handbook"), str(folder / "bm25.run"), "nDCG@10 AP", ties="docid-desc")
    per_query = tables.read_table(folder / "scores.parquet").to_pylist()
    assert sorted(tuple(row.values()) for row in per_query) == sorted(scores.per_query())
    summary = [f"{name:14s}{value}" for name, value in here.summary.as_dict().items()]
    means = [f"{name:14s}{value:.4f}" for name, value in scores.aggregates().items()]
    assert done.stdout.splitlines() == ["0", *summary, "1", *summary, "1", *means, "0", "2"]
    assert "nothing.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
